/* SPDX-License-Identifier: MIT */
/*
 * Fails to execute in three ways and goes on. Confirms: exec and exec_result
 * with the errno, and the session lives on to its ordinary end.
 */
#include <fcntl.h>

#include "victim.h"

int main(void)
{
	char *argv[] = {(char[]){"program"}, (char[]){"x"}, NULL};
	char *env[] = {NULL};
	int fd;

	errno = 0;
	CHECK(execve("/nonexistent/program", argv, env) == -1 && errno == ENOENT);
	CHECK(execv("/", argv) == -1 && errno == EACCES);
	fd = open("text", O_WRONLY | O_CREAT | O_TRUNC, 0755);
	CHECK(fd >= 0 && write(fd, "exit 3\n", 7) == 7 && close(fd) == 0);
	CHECK(execve("./text", argv, env) == -1 && errno == ENOEXEC);
	CHECK(unlink("text") == 0);
	puts("goes on");
	return 4;
}
