/* SPDX-License-Identifier: MIT */
/*
 * Executes a program that has no name any more, and a script by a descriptor that is
 * closed on exec, so that its interpreter finds nothing, and by one that is not.
 * Confirms: what works and what fails, and with which error.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "victim.h"

extern char **environ;

static void execute(const char *what, int fd, bool by_syscall)
{
	char *argv[] = {"sh", "-c", "exit 4", NULL};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (by_syscall)
			syscall(SYS_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
		else
			fexecve(fd, argv, environ);
		_exit(100 + errno);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	printf("%s: %d\n", what, WEXITSTATUS(status));
}

static int copy_of(const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("copy", MFD_CLOEXEC);
	char bytes[65536];
	ssize_t len;

	CHECK(from >= 0 && to >= 0);
	while ((len = read(from, bytes, sizeof(bytes))) > 0)
		CHECK(write(to, bytes, (size_t)len) == len);
	close(from);
	return to;
}

int main(void)
{
	static const char text[] = "#!/bin/sh\nexit 5\n";
	int fd = open("script", O_CREAT | O_WRONLY | O_CLOEXEC, 0755);

	CHECK(fd >= 0 && write(fd, text, sizeof(text) - 1) == sizeof(text) - 1);
	close(fd);
	fd = copy_of("/bin/sh");
	execute("memory", fd, false);
	execute("memory by syscall", fd, true);
	close(fd);
	fd = open("script", O_RDONLY | O_CLOEXEC);
	execute("script, closed", fd, false);
	execute("script, closed, by syscall", fd, true);
	close(fd);
	fd = open("script", O_RDONLY);
	execute("script", fd, false);
	CHECK(unlink("script") == 0);
	execute("script, removed", fd, false);
	return 0;
}
