/* SPDX-License-Identifier: MIT */
/*
 * Two threads are cancelled: one at a cancellation point, one asynchronously.
 * Confirms: thread_exit for both; cleanup handlers and key destructors run once.
 */
#include <pthread.h>

#include "victim.h"

static pthread_key_t key;
static int ready[2];
static volatile int nr_cleaned;
static volatile int nr_destroyed;

static void clean(void *unused)
{
	(void)unused;
	nr_cleaned++;
}

static void destroy(void *unused)
{
	(void)unused;
	nr_destroyed++;
}

static void *wait_for_it(void *is_async)
{
	int old;

	CHECK(pthread_setspecific(key, &ready) == 0);
	pthread_cleanup_push(clean, NULL);
	if (is_async)
		CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
	CHECK(write(ready[1], "r", 1) == 1);
	for (;;)
		if (!is_async)
			pause();
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	void *modes[] = {NULL, &key};
	void *result;
	pthread_t thread;
	char byte;
	int i;

	CHECK(pipe(ready) == 0 && pthread_key_create(&key, destroy) == 0);
	for (i = 0; i < 2; i++) {
		CHECK(pthread_create(&thread, NULL, wait_for_it, modes[i]) == 0);
		CHECK(read(ready[0], &byte, 1) == 1);
		CHECK(pthread_cancel(thread) == 0);
		CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	}
	CHECK(nr_cleaned == 2 && nr_destroyed == 2);
	return 0;
}
