/* SPDX-License-Identifier: MIT */
/*
 * Executes a shell by the function that argv[1] names. Confirms: every name is
 * seen: exec in this session, then the new image as a session below it with the
 * same pid; the environment is the one that was passed.
 */
#include <fcntl.h>

#include "victim.h"

extern char **environ;

#define ARGS "sh", "-c", "echo $GREETING; exit 3"
#define FILE_NAME "/bin/sh"

int main(int argc, char **argv)
{
	char *args[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"echo $GREETING; exit 3"}, NULL};
	char *env[] = {(char[]){"GREETING=passed"}, NULL};
	const char *how = argc > 1 ? argv[1] : "execve";
	int fd = open(FILE_NAME, O_RDONLY | O_CLOEXEC);

	CHECK(setenv("GREETING", "inherited", 1) == 0);
	if (strcmp(how, "execve") == 0)
		execve(FILE_NAME, args, env);
	if (strcmp(how, "execv") == 0)
		execv(FILE_NAME, args);
	if (strcmp(how, "execvp") == 0)
		execvp("sh", args);
	if (strcmp(how, "execvpe") == 0)
		execvpe("sh", args, env);
	if (strcmp(how, "execl") == 0)
		execl(FILE_NAME, ARGS, (char *)NULL);
	if (strcmp(how, "execlp") == 0)
		execlp("sh", ARGS, (char *)NULL);
	if (strcmp(how, "execle") == 0)
		execle(FILE_NAME, ARGS, (char *)NULL, env);
	if (strcmp(how, "fexecve") == 0)
		fexecve(fd, args, env);
	if (strcmp(how, "execveat") == 0)
		execveat(AT_FDCWD, FILE_NAME, args, env, 0);
	CHECK(!"an exec that returns");
	return 0;
}
