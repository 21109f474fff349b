/* SPDX-License-Identifier: MIT */
/*
 * Tries directories one by one as shells do, many without success, in a forked
 * child ("fork") or in the process itself ("self"). Confirms: in the child only
 * the attempt that succeeded is told; in the process each exec has its
 * exec_result.
 */
#include "victim.h"

static void search(void)
{
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"exit 3"}, NULL};
	char path[64];
	int i;

	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "/nonexistent/%d/sh", i);
		CHECK(execv(path, argv) == -1 && errno == ENOENT);
	}
	execv("/bin/sh", argv);
}

int main(int argc, char **argv)
{
	pid_t pid;

	(void)argc;
	if (victim_asked(argv, "self"))
		search();
	pid = fork();
	if (pid == 0) {
		search();
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 3);
	return 0;
}
