/* SPDX-License-Identifier: MIT */
/*
 * Handlers of pthread_atfork that have children themselves, before and after the
 * fork, in parent and child. Confirms: a fork inside a fork is kept apart from it,
 * also where the child has not yet been seen to be one.
 */
#include <pthread.h>

#include "victim.h"

static int nr_calls;

static void have_child(int code)
{
	pid_t pid = _Fork(); /* runs no handlers */

	if (pid == 0)
		_exit(code);
	victim_reap(pid, code);
	nr_calls++;
}

static void prepare(void)
{
	have_child(11);
}

static void in_parent(void)
{
	have_child(12);
}

static void in_child(void)
{
	have_child(13);
	CHECK(system("exit 14") == 14 << 8);
}

int main(void)
{
	pid_t pid;
	int i;

	CHECK(pthread_atfork(prepare, in_parent, in_child) == 0);
	for (i = 0; i < 3; i++) {
		pid = fork();
		if (pid == 0) {
			if (i == 1)
				execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
			_exit(3);
		}
		victim_reap(pid, 3);
	}
	CHECK(nr_calls == 6);
	return 0;
}
