/* SPDX-License-Identifier: MIT */
/*
 * clone with CLONE_VM and CLONE_VFORK, as spawn libraries use it: the child has
 * our memory and its own stack. Confirms: announced at its exec, memory shared,
 * and a failing child hands its errno back.
 */
#include <sched.h>
#include <signal.h>

#include "victim.h"

static char stack[65536] __attribute__((aligned(16)));
static volatile int failure;

static int child(void *arg)
{
	execl(arg, "sh", "-c", "exit 3", (char *)NULL);
	failure = errno;
	return 127;
}

int main(void)
{
	static char shell[] = "/bin/sh";
	static char missing[] = "/nonexistent/sh";
	char *top = stack + sizeof(stack);
	int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;

	victim_reap(clone(child, top, flags, shell), 3);
	CHECK(failure == 0);
	victim_reap(clone(child, top, flags, missing), 127);
	CHECK(failure == ENOENT);
	return 0;
}
