/* SPDX-License-Identifier: MIT */
/*
 * Goes on with a descriptor limit that leaves no room. Confirms: what cannot be
 * opened is not told, and every call of the host succeeds as before.
 */
#include <pthread.h>
#include <sys/resource.h>

#include "victim.h"

static void *idle(void *unused)
{
	return unused;
}

int main(void)
{
	struct rlimit few = {3, 3};
	pthread_t thread;
	pid_t pid;

	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	CHECK(dup(0) == -1 && errno == EMFILE);
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	pid = fork();
	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	return 4;
}
