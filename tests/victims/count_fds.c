/* SPDX-License-Identifier: MIT */
/*
 * Lists its open descriptors, before and after having had a child and a thread.
 * Confirms: no descriptor of ours stays open in the host, nor in an executed
 * child.
 */
#include <dirent.h>
#include <pthread.h>

#include "victim.h"

static void list(const char *when)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int nr = 0;

	CHECK(dir);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(dir))
			nr++;
	printf("%s: %d, next %d\n", when, nr, dirfd(dir));
	closedir(dir);
}

static void *list_in_thread(void *when)
{
	list(when);
	return NULL;
}

int main(int argc, char **argv)
{
	static char in_thread[] = "thread";
	pthread_t thread;
	pid_t pid;

	if (argc > 1) {
		list(argv[1]);
		return 0;
	}
	list("main");
	CHECK(pthread_create(&thread, NULL, list_in_thread, in_thread) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", argv[0], "executed", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 0);
	list("end");
	return 0;
}
