/* SPDX-License-Identifier: MIT */
/*
 * Executes with an environment of one variable, directly or ("spawn") in a
 * spawned child. Confirms: the next program sees exactly that variable and is
 * still recorded.
 */
#include <spawn.h>

#include "victim.h"

int main(int argc, char **argv)
{
	char *args[] = {(char[]){"env"}, NULL};
	char *env[] = {(char[]){"ONLY=1"}, NULL};
	pid_t pid;

	(void)argc;
	if (victim_asked(argv, "spawn")) {
		CHECK(posix_spawn(&pid, "/usr/bin/env", NULL, NULL, args, env) == 0);
		victim_reap(pid, 0);
		return 0;
	}
	execve("/usr/bin/env", args, env);
	return VICTIM_FAILED;
}
