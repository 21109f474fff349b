/* SPDX-License-Identifier: MIT */
/*
 * Forks, executes and waits before any constructor ran, ours included. Confirms:
 * a hook that is called too early passes the call through.
 */
#include "victim.h"

static void too_early(int argc, char **argv, char **env)
{
	pid_t pid = vfork();

	(void)argc;
	(void)argv;
	if (pid == 0) {
		execle("/bin/sh", "sh", "-c", "exit 6", (char *)NULL, env);
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
