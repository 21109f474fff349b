/* SPDX-License-Identifier: MIT */
/*
 * calls.c: processes that threads make, replace and end.
 */
#include "tests/realworld/calls.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char some_argument[] = "an argument";

static void *exec_in_thread(void *arg)
{
	execv("/bin/sh", exit_3);
	return arg;
}

static void *exit_in_thread(void *arg)
{
	exit(arg ? 5 : 6);
}

static void *spawn_in_thread(void *arg)
{
	void *volatile passed = arg;
	pid_t pid;
	int status;

	/* volatile: not to be lost in a child that shares this memory */
	for (volatile int i = 0; i < 10; i++) {
		if (i % 3 == 0) {
			if (posix_spawn(&pid, "/bin/sh", NULL, NULL, exit_3, environ))
				return NULL;
		} else if (!(pid = i % 3 == 1 ? fork() : vfork())) {
			execv("/bin/sh", exit_3);
			_exit(1);
		}
		if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 3)
			return NULL;
	}
	return passed;
}

static sem_t created;

/* A clone that an exec overtakes never returns, and strace does not count it. */
static void *run_when_created(void *procedure)
{
	sem_wait(&created);
	return ((void *(*)(void *))procedure)(some_argument);
}

static void in_thread(void *(*procedure)(void *))
{
	void *result = NULL;
	pthread_t thread;

	sem_init(&created, 0, 0);
	if (!pthread_create(&thread, NULL, run_when_created, (void *)procedure)) {
		sem_post(&created);
		pthread_join(thread, &result);
	}
	printf("thread %d\n", result != NULL);
}

void do_threads(void)
{
	pthread_t threads[8];
	void *result;
	int nr_good = 0;

	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, spawn_in_thread, threads))
			return;
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], &result);
		nr_good += result != NULL;
	}
	printf("%d threads\n", nr_good);
}

void do_thread_exec(void)
{
	in_thread(exec_in_thread);
}

void do_thread_exit(void)
{
	in_thread(exit_in_thread);
}

static void *exec_late(void *arg)
{
	usleep(20000);
	return exec_in_thread(arg);
}

/* The main thread is gone when another one executes. */
void do_orphaned_thread_exec(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, exec_late, NULL))
		pthread_exit(NULL);
}

static void *spawn_then_return(void *arg)
{
	usleep(20000);
	return spawn_in_thread(arg);
}

void do_main_thread_ends_first(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, spawn_then_return, NULL))
		pthread_exit(NULL);
}

void do_fork_in_thread_child_threads(void)
{
	pid_t pid = fork();

	if (!pid) {
		in_thread(spawn_in_thread);
		exit(7);
	}
	reap(pid);
}
