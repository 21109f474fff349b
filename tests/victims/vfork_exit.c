/* SPDX-License-Identifier: MIT */
/*
 * A vforked child leaves by _exit without an exec. Confirms: it is a session of
 * its own with class vfork, the parent's exit handlers and buffers are not run or
 * written by it, and the parent is suspended meanwhile.
 */
#include "victim.h"

static void handler(void)
{
	puts("handler");
}

int main(void)
{
	volatile int order = 0;
	pid_t pid;

	CHECK(atexit(handler) == 0);
	printf("held\n");
	pid = vfork();
	if (pid == 0) {
		order = 1;
		_exit(8);
	}
	CHECK(order == 1);
	victim_reap(pid, 8);
	return 0;
}
