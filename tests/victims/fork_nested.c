/* SPDX-License-Identifier: MIT */
/*
 * A forked child forks a grandchild; the grandchild executes a shell. Confirms:
 * forking makes the child a session, so the grandchild hangs below it.
 */
#include "victim.h"

int main(void)
{
	pid_t grandchild;
	pid_t child = fork();

	if (child == 0) {
		grandchild = fork();
		if (grandchild == 0) {
			execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
			_exit(VICTIM_FAILED);
		}
		victim_reap(grandchild, 4);
		_exit(5);
	}
	victim_reap(child, 5);
	return 0;
}
