/* SPDX-License-Identifier: MIT */
/*
 * A constructor of the program forks and executes before main. Confirms: the
 * child is announced, in a session whose start has been told already.
 */
#include "victim.h"

__attribute__((constructor)) static void early(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 6", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 6);
	puts("constructor");
}

int main(void)
{
	puts("main");
	return 0;
}
