/* SPDX-License-Identifier: MIT */
/*
 * Executes itself with an empty environment in a forked child, which prints what
 * it has. Confirms: the child is recorded although nothing was handed on, and its
 * program sees nothing of it, neither by getenv nor in environ.
 */
#include "victim.h"

extern char **environ;

int main(int argc, char **argv)
{
	char *args[] = {argv[0], (char[]){"child"}, NULL};
	char *env[] = {NULL};
	char **variable;
	pid_t pid;

	(void)argc;
	if (victim_asked(argv, "child")) {
		for (variable = environ; variable && *variable; variable++)
			puts(*variable);
		CHECK(!getenv("LD_PRELOAD") && !getenv("T2SHIM_RESTORED"));
		puts("end of environment");
		return 0;
	}
	pid = fork();
	if (pid == 0) {
		execve("/proc/self/exe", args, env);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 0);
	return 0;
}
