/* SPDX-License-Identifier: MIT */
/*
 * Clears its own environment, sets one variable and then starts children in three
 * ways. Confirms: they see that one variable only, and are recorded.
 */
#include <spawn.h>

#include "victim.h"

extern char **environ;

int main(void)
{
	char *args[] = {(char[]){"env"}, NULL};
	pid_t pid;

	CHECK(clearenv() == 0);
	CHECK(putenv((char[]){"ONLY=1"}) == 0);
	pid = fork();
	if (pid == 0) {
		execv("/usr/bin/env", args);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 0);
	CHECK(posix_spawn(&pid, "/usr/bin/env", NULL, NULL, args, environ) == 0);
	victim_reap(pid, 0);
	CHECK(system("test \"$ONLY\" = 1 && test -z \"$LD_PRELOAD$HOME\"") == 0);
	return 0;
}
