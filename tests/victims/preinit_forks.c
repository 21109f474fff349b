/* SPDX-License-Identifier: MIT */
/*
 * Forks, executes and waits before any constructor ran, libc's and ours included.
 * Confirms: a hook that is called too early passes the call through, and what
 * comes later is told. The child gets no environment, and so is nobody's.
 */
#include "victim.h"

static void too_early(int argc, char **argv, char **env)
{
	char *empty[] = {NULL};
	pid_t pid = vfork();

	(void)argc;
	(void)argv;
	(void)env;
	if (pid == 0) {
		execle("/bin/sh", "sh", "-c", "exit 6", (char *)NULL, empty);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 6);
}

__attribute__((section(".preinit_array"), used)) static void (*entry)(int, char **,
								      char **) = too_early;

int main(void)
{
	puts("main");
	return 0;
}
