/* SPDX-License-Identifier: MIT */
/*
 * Gives up its rights, if it has any, and with them the way to where lines go;
 * then has children and ends. Confirms: what cannot be told any more is not
 * missed by anybody.
 */
#include <pthread.h>

#include "victim.h"

static void *idle(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;
	pid_t pid;

	if (geteuid() == 0) {
		CHECK(setgid(65534) == 0);
		CHECK(setuid(65534) == 0);
	}
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	pid = fork();
	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	CHECK(system("exit 0") == 0);
	puts("goes on");
	return 0;
}
