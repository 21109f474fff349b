/* SPDX-License-Identifier: MIT */
/*
 * Reaps a child into a status that cannot be written. Confirms: EFAULT comes
 * back from the kernel, as without us, instead of a crash.
 */
#include "victim.h"

int main(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(3);
	CHECK(waitpid(pid, (int *)8, 0) == -1 && errno == EFAULT);
	CHECK(waitpid(pid, NULL, 0) == -1 && errno == ECHILD);
	return 0;
}
