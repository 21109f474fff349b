/* SPDX-License-Identifier: MIT */
/*
 * A thread leaves through pthread_exit from deep inside. Confirms: thread_exit is
 * told once and the result arrives.
 */
#include <pthread.h>

#include "victim.h"

static __attribute__((noinline)) void leave(void *result)
{
	pthread_exit(result);
}

static void *begin(void *arg)
{
	leave(arg);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *result = NULL;

	CHECK(pthread_create(&thread, NULL, begin, &result) == 0);
	CHECK(pthread_join(thread, &result) == 0 && result == &result);
	return 0;
}
