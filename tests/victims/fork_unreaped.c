/* SPDX-License-Identifier: MIT */
/*
 * Ends while a child is still there. Confirms: child_ready for it, and no
 * child_exit. The parent waits for the child's exec and the child for the end of
 * its parent, so the order is fixed.
 */
#include <fcntl.h>

#include "victim.h"

int main(void)
{
	char byte;
	int end[2];
	int executed[2];
	pid_t pid;

	CHECK(pipe(end) == 0 && pipe2(executed, O_CLOEXEC) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		CHECK(close(end[1]) == 0);
		CHECK(dup2(end[0], STDIN_FILENO) == STDIN_FILENO);
		CHECK(close(end[0]) == 0);
		execl("/bin/sh", "sh", "-c", "read nothing; exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	CHECK(close(executed[1]) == 0);
	CHECK(read(executed[0], &byte, 1) == 0);
	return 0;
}
