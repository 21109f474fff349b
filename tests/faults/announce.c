/* SPDX-License-Identifier: MIT */
/*
 * announce FIFO fork|vfork reap|leave
 *
 * Has a child that executes while the FIFO is full, empties that when the child has
 * ended, and reaps it or does not.
 */
#include <fcntl.h>

#include "tests/victims/victim.h"

int main(int argc, char **argv)
{
	char *child_argv[] = {(char[]){"true"}, NULL};
	char bytes[65536] = "";
	siginfo_t info;
	pid_t pid;
	int fifo;

	CHECK(argc == 4);
	fifo = open(argv[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
	CHECK(fifo >= 0);
	while (write(fifo, bytes, 1) == 1)
		;
	pid = victim_asked(argv + 1, "fork") ? fork() : vfork();
	if (pid == 0) {
		execv("/bin/true", child_argv);
		_exit(1);
	}
	CHECK(pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
	while (read(fifo, bytes, sizeof(bytes)) > 0)
		;
	if (victim_asked(argv + 2, "reap"))
		victim_reap(pid, 0);
	return 0;
}
