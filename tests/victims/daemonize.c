/* SPDX-License-Identifier: MIT */
/*
 * Becomes a daemon, that goes on for a little. Confirms: the first process told
 * its end although it left inside libc, and the daemon is a session of its own.
 */
#include "victim.h"

int main(void)
{
	pid_t before = getpid();

	puts("once");
	fflush(stdout);
	CHECK(daemon(1, 1) == 0);
	CHECK(getpid() != before);
	CHECK(getsid(0) == getpid());
	puts("daemon");
	return 3;
}
