/* SPDX-License-Identifier: MIT */
/*
 * Threads are cancelled while they wait in waitpid and in system.
 * Confirms: these stay cancellation points, system still kills its shell, and
 * thread_exit is told.
 */
#include <pthread.h>
#include <signal.h>

#include "victim.h"

static int ready[2];

static void *wait_for(void *pid)
{
	CHECK(write(ready[1], "r", 1) == 1);
	waitpid(*(pid_t *)pid, NULL, 0);
	return NULL;
}

static void *call_system(void *unused)
{
	(void)unused;
	system("echo r >&9; exec sleep 1000");
	return NULL;
}

static void check(void *(*procedure)(void *), void *arg)
{
	void *result = NULL;
	pthread_t thread;
	char bytes[2];

	CHECK(pthread_create(&thread, NULL, procedure, arg) == 0);
	CHECK(read(ready[0], bytes, 1) == 1);
	CHECK(pthread_cancel(thread) == 0);
	CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
}

int main(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	CHECK(pipe(ready) == 0 && dup2(ready[1], 9) == 9);
	check(wait_for, &pid);
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	check(call_system, NULL);
	CHECK(wait(NULL) == -1 && errno == ECHILD);
	return 0;
}
