/* SPDX-License-Identifier: MIT */
/*
 * Forks, and the child executes a shell that exits with 3; with "__fork", through
 * the alias, with a number, that many times, with "blocked", while all signals are,
 * as shells do. Confirms: child_start with the argv of the program that really ran,
 * one more level of depth and not two, child_exit.
 */
#include "victim.h"

extern pid_t __fork(void);

int main(int argc, char **argv)
{
	int i;
	int nr = argc > 1 ? atoi(argv[1]) : 1;
	bool is_blocked = victim_asked(argv, "blocked");
	sigset_t all, mask;
	pid_t pid;

	sigfillset(&all);
	for (i = 0; i < nr || i == 0; i++) {
		if (is_blocked)
			sigprocmask(SIG_BLOCK, &all, &mask);
		pid = victim_asked(argv, "__fork") ? __fork() : fork();
		if (pid == 0) {
			execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
			_exit(VICTIM_FAILED);
		}
		victim_reap(pid, 3);
		if (is_blocked)
			sigprocmask(SIG_SETMASK, &mask, NULL);
	}
	return 0;
}
