/* SPDX-License-Identifier: MIT */
/*
 * Spawns a child without a descriptor, in a session of its own, with every disposition
 * its default. Confirms: attributes and actions reach the child as they were given, and
 * it has nothing more to find.
 */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#include "victim.h"

extern char **environ;

int main(void)
{
	char *argv[] = {
		"sh", "-c",
		"for fd in /proc/self/fd/*; do [ -e \"$fd\" ] && echo \"${fd##*/}\"; done >found;"
		"kill -HUP $$; exit 99",
		NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int fds[2], status;
	char buf[256];
	ssize_t len;
	sigset_t all;
	pid_t pid;
	int fd;

	sigfillset(&all);
	signal(SIGHUP, SIG_IGN);
	CHECK(pipe(fds) == 0 && dup2(1, 77) == 77);
	CHECK(posix_spawn_file_actions_init(&actions) == 0 && posix_spawnattr_init(&attr) == 0);
	CHECK(posix_spawn_file_actions_addclosefrom_np(&actions, 0) == 0);
	CHECK(posix_spawnattr_setsigdefault(&attr, &all) == 0);
	CHECK(posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_USEVFORK |
						      POSIX_SPAWN_RESETIDS) == 0);
	CHECK(posix_spawn(&pid, "/bin/sh", &actions, &attr, argv, environ) == 0);
	CHECK(getsid(pid) == pid || errno == ESRCH);
	CHECK(waitpid(pid, &status, 0) == pid && status == SIGHUP);
	fd = open("found", O_RDONLY);
	CHECK(fd >= 0 && (len = read(fd, buf, sizeof(buf))) >= 0 && unlink("found") == 0);
	CHECK(write(STDOUT_FILENO, buf, (size_t)len) == len);
	return 0;
}
