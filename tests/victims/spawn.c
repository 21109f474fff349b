/* SPDX-License-Identifier: MIT */
/*
 * posix_spawn and posix_spawnp, each successful and failing. Confirms: children
 * are announced beforehand with class spawn; one that could not start has a
 * child_exit with pid -1 and code -1.
 */
#include <spawn.h>

#include "victim.h"

extern char **environ;

int main(void)
{
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"exit 3"}, NULL};
	pid_t pid = -7;

	CHECK(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0);
	victim_reap(pid, 3);
	CHECK(posix_spawnp(&pid, "sh", NULL, NULL, argv, environ) == 0);
	victim_reap(pid, 3);
	CHECK(posix_spawn(NULL, "/bin/sh", NULL, NULL, argv, NULL) == 0);
	CHECK(wait(NULL) > 0);
	CHECK(posix_spawn(&pid, "/nonexistent/sh", NULL, NULL, argv, environ) == ENOENT);
	CHECK(posix_spawnp(&pid, "nonexistent-program", NULL, NULL, argv, environ) == ENOENT);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	return 0;
}
