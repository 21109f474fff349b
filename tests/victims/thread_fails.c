/* SPDX-License-Identifier: MIT */
/*
 * Thousands of threads that cannot be created, because nobody has so much stack,
 * and then one that can. Confirms: a failed creation keeps nothing of ours taken.
 */
#include <pthread.h>

#include "victim.h"

static void *idle(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	CHECK(pthread_attr_init(&attr) == 0);
	CHECK(pthread_attr_setstacksize(&attr, (size_t)1 << 46) == 0);
	for (i = 0; i < 5000; i++)
		CHECK(pthread_create(&thread, &attr, idle, NULL) == EAGAIN);
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	return 0;
}
