/* SPDX-License-Identifier: MIT */
/*
 * argv[1] threads (1000 if not given) with the smallest stack that is allowed.
 * Confirms: our share of a thread's stack is small, each thread has its own name
 * and id, start and exit.
 */
#include <limits.h>
#include <pthread.h>

#include "victim.h"

static void *add_one(void *arg)
{
	__atomic_fetch_add((int *)arg, 1, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 1000;
	size_t room = (size_t)PTHREAD_STACK_MIN;
	pthread_t *threads = calloc((size_t)nr, sizeof(*threads));
	pthread_attr_t attr;
	int sum = 0;
	int i;

	CHECK(threads && pthread_attr_init(&attr) == 0);
	CHECK(pthread_attr_setstacksize(&attr, room < 16384 ? 16384 : room) == 0);
	for (i = 0; i < nr; i++)
		CHECK(pthread_create(&threads[i], &attr, add_one, &sum) == 0);
	for (i = 0; i < nr; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	CHECK(sum == nr);
	free(threads);
	return 0;
}
