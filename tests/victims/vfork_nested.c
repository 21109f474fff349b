/* SPDX-License-Identifier: MIT */
/*
 * A vforked child vforks again, reaps its own child and then executes. Confirms:
 * two children in memory of one process are told apart: the inner one hangs
 * below the outer one.
 */
#include "victim.h"

static volatile int steps;

static __attribute__((noinline)) pid_t inner(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		steps += 10;
		execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	return pid;
}

int main(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		steps += 1;
		victim_reap(inner(), 4);
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	CHECK(steps == 11);
	victim_reap(pid, 3);
	return 0;
}
