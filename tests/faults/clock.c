/* SPDX-License-Identifier: MIT */
/*
 * clock SECONDS: children for whom the monotonic clock is shifted by SECONDS, which a
 * fork from a new time namespace does. They have a thread and a child, and execute.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>

#include "tests/victims/victim.h"

static void *idle(void *unused)
{
	return unused;
}

static void live(void)
{
	pthread_t thread;
	pid_t pid;

	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	pid = fork();
	if (!pid)
		_exit(3);
	victim_reap(pid, 3);
	CHECK(system("exit 0") == 0);
}

static void shift(const char *seconds)
{
	int fd;

	CHECK(unshare(CLONE_NEWTIME) == 0);
	fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
	CHECK(fd >= 0 && dprintf(fd, "monotonic %s 0\n", seconds) > 0);
	close(fd);
}

int main(int argc, char **argv)
{
	pid_t pid;

	CHECK(argc > 1);
	live();
	shift(argv[1]);
	pid = fork();
	if (!pid) {
		live();
		execl("/bin/sh", "sh", "-c", "/bin/true; exit 4", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 4);
	live();
	return 7;
}
