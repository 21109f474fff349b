/* SPDX-License-Identifier: MIT */
/*
 * Timers and counters in eight threads and main. Confirms: each thread's own
 * sums at its end, the sums of all at the process's, regions nested per thread.
 */
#include "../../preload/trace2.h"

#include <pthread.h>

#include "victim.h"

#define NR_THREADS 8
#define NR_ROUNDS 100

static struct trace2_timer rounds = TRACE2_TIMER_PER_THREAD("threads", "rounds");
static struct trace2_counter steps = TRACE2_COUNTER_PER_THREAD("threads", "steps");
static struct trace2_counter total = TRACE2_COUNTER("threads", "total");

static void *work(void *arg)
{
	int i;

	trace2_thread_start("worker");
	trace2_region_enter("threads", "work", TRACE2_NO_REPO);
	for (i = 0; i < NR_ROUNDS; i++) {
		trace2_timer_start(&rounds);
		trace2_counter_add(&steps, 1);
		trace2_counter_add(&total, 2);
		trace2_timer_stop(&rounds);
	}
	trace2_region_leave("threads", "work", TRACE2_NO_REPO);
	trace2_thread_exit();
	return arg;
}

int main(void)
{
	pthread_t threads[NR_THREADS];
	int i;

	for (i = 0; i < NR_THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
	for (i = 0; i < NR_THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	trace2_counter_add(&total, 1000);
	puts("joined");
	return 0;
}
