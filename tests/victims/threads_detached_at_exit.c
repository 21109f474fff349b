/* SPDX-License-Identifier: MIT */
/*
 * The process ends while detached threads are still there. Confirms: they have a
 * thread_start and no thread_exit, and nobody waits for them.
 */
#include <pthread.h>

#include "victim.h"

static int ready[2];

static void *stay(void *unused)
{
	(void)unused;
	CHECK(write(ready[1], "r", 1) == 1);
	for (;;)
		pause();
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char bytes;
	int i;

	CHECK(pipe(ready) == 0);
	for (i = 0; i < 3; i++) {
		CHECK(pthread_create(&thread, NULL, stay, NULL) == 0);
		CHECK(pthread_detach(thread) == 0);
		CHECK(read(ready[0], &bytes, 1) == 1);
	}
	return 5;
}
