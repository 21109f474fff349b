/* SPDX-License-Identifier: MIT */
/*
 * Has children where programs seldom do: in handlers of fork, of signals and of the end,
 * and in a destructor of a thread's data; some of them go on as their parent would have.
 * Confirms: all of them begin and end as they would, and in no handler twice.
 */
#include <pthread.h>
#include <signal.h>

#include "victim.h"

static int is_inside;

static void have_one(int code)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(code);
	victim_reap(pid, code);
}

static void around_fork(void)
{
	if (is_inside++ == 0)
		have_one(11);
	is_inside--;
}

static void in_child(void)
{
	pid_t pid;

	if (is_inside++ == 0) {
		pid = vfork();
		if (pid == 0) {
			execl("/bin/sh", "sh", "-c", "exit 12", NULL);
			_exit(99);
		}
		victim_reap(pid, 12);
	}
	is_inside--;
}

static void on_signal(int signo)
{
	(void)signo;
	have_one(13);
}

static void at_end_of_thread(void *value)
{
	(void)value;
	have_one(14);
}

static void *use_key(void *key)
{
	CHECK(pthread_setspecific(*(pthread_key_t *)key, "x") == 0);
	return NULL;
}

/* The child, too, comes to the end of main's handlers, and ends with main's status. */
static void at_end(void)
{
	pid_t pid = fork();

	if (pid == 0)
		return;
	victim_reap(pid, 7);
	write(STDOUT_FILENO, "end\n", 4);
}

int main(void)
{
	pthread_key_t key;
	pthread_t thread;

	CHECK(atexit(at_end) == 0);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	CHECK(pthread_key_create(&key, at_end_of_thread) == 0);
	CHECK(pthread_create(&thread, NULL, use_key, &key) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK(pthread_atfork(around_fork, around_fork, in_child) == 0);
	have_one(3);
	exit(7);
}
