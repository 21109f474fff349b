/* SPDX-License-Identifier: MIT */
/*
 * A library whose constructor runs before the shim's, and starts a process: the session
 * has to begin in that hook, and the shim learns what it needs without the loader's
 * help.
 */
#include <sys/wait.h>
#include <unistd.h>

__attribute__((constructor)) static void start_first(void)
{
	/* Without LD_PRELOAD the child does not have this library in turn. */
	char *const env[] = {NULL};
	pid_t pid = fork();

	if (pid == 0) {
		execle("/bin/sh", "sh", "-c", "exit 6", (char *)NULL, env);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}
