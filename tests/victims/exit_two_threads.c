/* SPDX-License-Identifier: MIT */
/*
 * Two threads call exit at once. Confirms: one exit event with the code that the
 * process really had, and no deadlock. Both use the same code, because which of
 * them wins is open.
 */
#include <pthread.h>

#include "victim.h"

static pthread_barrier_t together;

static void *leave(void *unused)
{
	pthread_barrier_wait(&together);
	exit(unused ? VICTIM_FAILED : 11);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argc;
	(void)argv;
	CHECK(pthread_barrier_init(&together, NULL, 2) == 0);
	CHECK(pthread_create(&thread, NULL, leave, NULL) == 0);
	pthread_barrier_wait(&together);
	exit(11);
}
