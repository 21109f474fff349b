/* SPDX-License-Identifier: MIT */
/*
 * Eight threads vfork and execute at once, each several times. Confirms: a
 * pending vfork belongs to its thread; every child is announced once and reaped
 * once.
 */
#include <pthread.h>

#include "victim.h"

#define THREADS 8
#define ROUNDS 4

static __attribute__((noinline)) pid_t spawn(const char *command)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	return pid;
}

static void *spawn_some(void *arg)
{
	int code = *(const int *)arg;
	char command[16];
	int i;

	snprintf(command, sizeof(command), "exit %d", code);
	for (i = 0; i < ROUNDS; i++)
		victim_reap(spawn(command), code);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int codes[THREADS];
	int i;

	for (i = 0; i < THREADS; i++) {
		codes[i] = i + 1;
		CHECK(pthread_create(&threads[i], NULL, spawn_some, &codes[i]) == 0);
	}
	for (i = 0; i < THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	return 0;
}
