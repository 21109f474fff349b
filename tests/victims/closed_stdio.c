/* SPDX-License-Identifier: MIT */
/*
 * Executes itself with descriptors 0 to 2 closed; the new image opens three files
 * and has children. Confirms: they get the numbers 0, 1 and 2, and nothing that
 * is not the program's is written to them.
 */
#include <fcntl.h>

#include "victim.h"

static int check_inside(void)
{
	char text[64] = "";
	pid_t pid;
	int fd;

	for (fd = 0; fd < 3; fd++)
		if (open("file", O_RDWR | O_CREAT | O_TRUNC, 0600) != fd)
			return 50 + fd;
	if (write(STDOUT_FILENO, "mine\n", 5) != 5)
		return 60;
	pid = fork();
	if (pid == 0)
		_exit(3);
	if (waitpid(pid, NULL, 0) != pid || system("exit 0") != 0)
		return 61;
	if (pread(STDIN_FILENO, text, sizeof(text), 0) != 5 || strcmp(text, "mine\n") != 0)
		return 62;
	return unlink("file") == 0 ? 4 : 63;
}

int main(int argc, char **argv)
{
	pid_t pid;

	if (argc > 1)
		return check_inside();
	pid = fork();
	if (pid == 0) {
		CHECK(close(0) == 0 && close(1) == 0 && close(2) == 0);
		execl("/proc/self/exe", argv[0], "inside", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 4);
	return 0;
}
