/* SPDX-License-Identifier: MIT */
/*
 * Forks with _Fork, which runs no handlers: once for an exec and once for an end
 * of its own. Confirms: both are announced as with fork.
 */
#include <pthread.h>

#include "victim.h"

static void never(void)
{
	_exit(VICTIM_FAILED);
}

int main(void)
{
	pid_t pid;

	CHECK(pthread_atfork(never, never, never) == 0);
	pid = _Fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 3);
	pid = _Fork();
	if (pid == 0)
		_exit(4);
	victim_reap(pid, 4);
	return 0;
}
