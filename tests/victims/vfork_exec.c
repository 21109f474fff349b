/* SPDX-License-Identifier: MIT */
/*
 * vforks and executes, with "__vfork" through the alias. Confirms: class vfork,
 * and vfork kept its meaning: the parent sees what the child stored in memory.
 */
#include "victim.h"

extern pid_t __vfork(void);

int main(int argc, char **argv)
{
	volatile int seen = 0;
	pid_t pid;

	(void)argc;
	pid = victim_asked(argv, "__vfork") ? __vfork() : vfork();
	if (pid == 0) {
		seen = 1;
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	CHECK(seen == 1);
	victim_reap(pid, 3);
	return 0;
}
