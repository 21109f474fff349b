/* SPDX-License-Identifier: MIT */
/*
 * main leaves through pthread_exit and another thread is the last. Confirms: the
 * process ends with code 0, told once, and the thread keeps its own name.
 */
#include <pthread.h>

#include "victim.h"

static pthread_t main_thread;

static void *outlive(void *unused)
{
	(void)unused;
	CHECK(pthread_join(main_thread, NULL) == 0);
	puts("last");
	return NULL;
}

int main(void)
{
	pthread_t thread;

	main_thread = pthread_self();
	CHECK(pthread_create(&thread, NULL, outlive, NULL) == 0);
	pthread_exit(NULL);
}
