/* SPDX-License-Identifier: MIT */
/*
 * pidfd_spawn and pidfd_spawnp, which libc has since 2.39; before that there is
 * nothing to do. Confirms: no preload makes them appear in an older libc, and the
 * child is reaped through its descriptor.
 */
#include <dlfcn.h>
#include <features.h>
#include <spawn.h>

#include "victim.h"

typedef int spawn_fn(int *pidfd, const char *path, const posix_spawn_file_actions_t *actions,
		     const posix_spawnattr_t *attr, char *const argv[], char *const env[]);

extern spawn_fn pidfd_spawn __attribute__((weak));
extern spawn_fn pidfd_spawnp __attribute__((weak));
extern char **environ;

static void check(spawn_fn *spawn, const char *path)
{
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"exit 3"}, NULL};
	siginfo_t info = {0};
	int pidfd = -1;

	CHECK(spawn(&pidfd, path, NULL, NULL, argv, environ) == 0);
	CHECK(waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED) == 0);
	CHECK(info.si_code == CLD_EXITED && info.si_status == 3);
	CHECK(close(pidfd) == 0);
}

int main(void)
{
	printf("%s\n", dlsym(RTLD_DEFAULT, "pidfd_spawn") ? "there" : "not there");
	if (pidfd_spawn)
		check(pidfd_spawn, "/bin/sh");
	if (pidfd_spawnp)
		check(pidfd_spawnp, "sh");
	return 0;
}
