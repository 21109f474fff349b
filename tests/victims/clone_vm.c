/* SPDX-License-Identifier: MIT */
/*
 * clone with CLONE_VM alone: a process that runs beside us in our memory, as old
 * thread libraries and sandboxes make it, while we fork. Confirms: the two do not
 * disturb each other, and every end is told with its own code.
 */
#include <sched.h>
#include <signal.h>

#include "victim.h"

static char stack[65536] __attribute__((aligned(16)));
static volatile int is_running;
static volatile int is_over;

static int child(void *unused)
{
	(void)unused;
	is_running = 1;
	while (!is_over)
		;
	return 9;
}

int main(void)
{
	int i;
	pid_t forked;
	pid_t pid = clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);

	CHECK(pid > 0);
	while (!is_running)
		;
	for (i = 0; i < 5; i++) {
		forked = fork();
		if (forked == 0)
			_exit(i);
		victim_reap(forked, i);
	}
	is_over = 1;
	victim_reap(pid, 9);
	return 0;
}
