/* SPDX-License-Identifier: MIT */
/*
 * A forked child does something of its own and leaves by return, exit or _exit
 * (argv[1]). Confirms: it becomes a session with the inherited argv, announced
 * with class fork, and its end is told once.
 */
#include "victim.h"

static void never_twice(void)
{
	printf("handler in %s\n", getpid() == getpgrp() ? "parent" : "child");
}

int main(int argc, char **argv)
{
	pid_t pid;

	(void)argc;
	CHECK(setpgid(0, 0) == 0 || errno == EPERM);
	CHECK(atexit(never_twice) == 0);
	pid = fork();
	if (pid == 0) {
		puts("child");
		if (victim_asked(argv, "_exit")) {
			fflush(stdout);
			_exit(7);
		}
		if (victim_asked(argv, "exit"))
			exit(7);
		return 7;
	}
	victim_reap(pid, 7);
	puts("parent");
	return 0;
}
