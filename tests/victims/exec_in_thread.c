/* SPDX-License-Identifier: MIT */
/*
 * A thread that is not the first executes. Confirms: exec is told under its name,
 * and the new image is the process, with its pid.
 */
#include <pthread.h>

#include "victim.h"

static void *execute(void *unused)
{
	(void)unused;
	execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	CHECK(pthread_create(&thread, NULL, execute, NULL) == 0);
	pthread_join(thread, NULL);
	return VICTIM_FAILED;
}
