/* SPDX-License-Identifier: MIT */
/*
 * Ends while a child is still there. Confirms: child_ready for it, and no
 * child_exit. The child waits for the end of its parent, so the order is fixed.
 */
#include "victim.h"

int main(void)
{
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		CHECK(close(ends[1]) == 0);
		CHECK(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
		CHECK(close(ends[0]) == 0);
		execl("/bin/sh", "sh", "-c", "read nothing; exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	return 0;
}
