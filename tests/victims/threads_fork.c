/* SPDX-License-Identifier: MIT */
/*
 * Threads fork and execute while others hammer malloc; every second child ends
 * without an exec. Confirms: no lock of ours is left behind in a child, and each
 * child is announced under the name of the thread that forked it.
 */
#include <pthread.h>

#include "victim.h"

#define FORKERS 4
#define ROUNDS 6

static volatile int is_over;

static void *hammer(void *unused)
{
	(void)unused;
	while (!is_over)
		free(malloc(1 << 10));
	return NULL;
}

static void *fork_some(void *unused)
{
	pid_t pid;
	int i;

	(void)unused;
	for (i = 0; i < ROUNDS; i++) {
		pid = fork();
		if (pid == 0) {
			if (i % 2 == 0)
				_exit(2);
			execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
			_exit(VICTIM_FAILED);
		}
		victim_reap(pid, i % 2 == 0 ? 2 : 3);
	}
	return NULL;
}

int main(void)
{
	pthread_t forkers[FORKERS];
	pthread_t hammerer;
	int i;

	CHECK(pthread_create(&hammerer, NULL, hammer, NULL) == 0);
	for (i = 0; i < FORKERS; i++)
		CHECK(pthread_create(&forkers[i], NULL, fork_some, NULL) == 0);
	for (i = 0; i < FORKERS; i++)
		CHECK(pthread_join(forkers[i], NULL) == 0);
	is_over = 1;
	CHECK(pthread_join(hammerer, NULL) == 0);
	return 0;
}
