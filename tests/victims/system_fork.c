/* SPDX-License-Identifier: MIT */
/*
 * Threads are always inside system while others fork children that call system
 * themselves. Confirms: whatever lock stands for system, a child does not inherit
 * it held, and the signals are as they were in the end.
 */
#include <pthread.h>
#include <signal.h>

#include "victim.h"

static volatile int is_over;

static void *call_system(void *unused)
{
	(void)unused;
	while (!is_over)
		CHECK(system("exit 5") == 5 << 8);
	return NULL;
}

int main(void)
{
	struct sigaction action;
	pthread_t threads[4];
	pid_t pid;
	int i;

	for (i = 0; i < 4; i++)
		CHECK(pthread_create(&threads[i], NULL, call_system, NULL) == 0);
	for (i = 0; i < 20; i++) {
		pid = _Fork();
		if (pid == 0)
			_exit(system("exit 3") == 3 << 8 ? 4 : VICTIM_FAILED);
		victim_reap(pid, 4);
	}
	is_over = 1;
	for (i = 0; i < 4; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	CHECK(sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	CHECK(sigaction(SIGQUIT, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	return 0;
}
