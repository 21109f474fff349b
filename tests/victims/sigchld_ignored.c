/* SPDX-License-Identifier: MIT */
/*
 * SIGCHLD is ignored, so children vanish unreaped. Confirms: wait fails with
 * ECHILD after the last, nobody invents a child_exit, and system fails as ever.
 */
#include <signal.h>

#include "victim.h"

int main(void)
{
	pid_t pid;

	CHECK(signal(SIGCHLD, SIG_IGN) == SIG_DFL);
	pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	CHECK(waitpid(pid, NULL, 0) == -1 && errno == ECHILD);
	CHECK(system("exit 3") == -1 && errno == ECHILD);
	return 0;
}
