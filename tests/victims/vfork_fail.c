/* SPDX-License-Identifier: MIT */
/*
 * A vforked child fails to execute twice and leaves with 127; it hands the errno
 * back through the memory it shares. Confirms: the attempts are told, because
 * none succeeded, and the errno is the real one.
 */
#include "victim.h"

int main(void)
{
	volatile int first = 0;
	volatile int second = 0;
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/nonexistent/program", "program", "x", (char *)NULL);
		first = errno;
		execl("/", "program", "y", (char *)NULL);
		second = errno;
		_exit(127);
	}
	CHECK(first == ENOENT);
	CHECK(second == EACCES);
	victim_reap(pid, 127);
	return 0;
}
