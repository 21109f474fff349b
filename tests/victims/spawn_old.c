/* SPDX-License-Identifier: MIT */
/*
 * posix_spawn of a script without "#!". Programs linked before 2.15 on x86-64
 * have it run by a shell; the present version refuses. Confirms: each version
 * keeps its own behaviour behind the hook.
 */
#include <fcntl.h>
#include <spawn.h>

#include "victim.h"

#define SPAWN_ARGS                                                                                 \
	pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,                   \
		const posix_spawnattr_t *attr, char *const argv[], char *const env[]

#if defined(__x86_64__)
__asm__(".symver spawn_old, posix_spawn@GLIBC_2.2.5");
__asm__(".symver spawnp_old, posix_spawnp@GLIBC_2.2.5");
extern int spawn_old(SPAWN_ARGS);
extern int spawnp_old(SPAWN_ARGS);
#endif

extern char **environ;

int main(void)
{
	static const char text[] = "exit 3\n";
	char *argv[] = {(char[]){"script"}, NULL};
	pid_t pid = -7;
	int fd = open("script", O_WRONLY | O_CREAT | O_TRUNC, 0755);

	CHECK(fd >= 0 && write(fd, text, sizeof(text) - 1) == sizeof(text) - 1);
	CHECK(close(fd) == 0);
	CHECK(posix_spawn(&pid, "./script", NULL, NULL, argv, environ) == ENOEXEC);
	CHECK(posix_spawnp(&pid, "./script", NULL, NULL, argv, environ) == ENOEXEC);
#if defined(__x86_64__)
	CHECK(spawn_old(&pid, "./script", NULL, NULL, argv, environ) == 0);
	victim_reap(pid, 3);
	CHECK(spawnp_old(&pid, "./script", NULL, NULL, argv, environ) == 0);
	victim_reap(pid, 3);
#endif
	return unlink("script");
}
