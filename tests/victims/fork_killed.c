/* SPDX-License-Identifier: MIT */
/*
 * A forked child is killed before it could say anything. Confirms: the parent
 * announces it at the reap, with class fork, and its code is 128 + 9.
 */
#include <signal.h>

#include "victim.h"

int main(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	CHECK(pid > 0);
	CHECK(kill(pid, SIGKILL) == 0);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	return 0;
}
