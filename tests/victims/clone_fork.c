/* SPDX-License-Identifier: MIT */
/*
 * clone with a stack of its own and SIGCHLD: a fork that calls a function. The
 * child returns from it or, with "exec", executes. Confirms: class clone, and
 * the end of the function is the end of the process, with its code.
 */
#include <sched.h>
#include <signal.h>

#include "victim.h"

extern int __clone(int (*fn)(void *), void *stack, int flags, void *arg, ...);

static char stack[65536] __attribute__((aligned(16)));

static int child(void *arg)
{
	if (arg)
		execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
	CHECK(!arg);
	return 9;
}

int main(int argc, char **argv)
{
	static char word[] = "exec";
	char *top = stack + sizeof(stack);
	char *arg = victim_asked(argv, "exec") ? word : NULL;

	(void)argc;
	victim_reap(clone(child, top, SIGCHLD, arg), 9);
	if (victim_asked(argv, "__clone"))
		victim_reap(__clone(child, top, SIGCHLD, arg), 9);
	return 0;
}
