/* SPDX-License-Identifier: MIT */
/*
 * A host that has much to tell, and nothing else to do:
 *
 *   busy vfork NUMBER      children that nobody waits for, one after the other
 *   busy fork NUMBER       children that are sessions of their own
 *   busy threads NUMBER    threads, by eight threads
 *   busy root DIRECTORY    both, before and after that has become the root
 *   busy steps NUMBER      threads; a byte to 3; when one has come from 4, more threads
 */
#include <pthread.h>
#include <signal.h>

#include "tests/victims/victim.h"

#define NR_MAKERS 8

static int nr;

static void vfork_some(void)
{
	static char argument[20000];
	char *argv[] = {(char[]){"true"}, argument, NULL};

	/* A dozen of these fill a socket. */
	memset(argument, 'x', sizeof(argument) - 1);
	signal(SIGCHLD, SIG_IGN);
	for (volatile int i = 0; i < nr; i++) {
		if (!vfork()) {
			execv("/bin/true", argv);
			_exit(1);
		}
	}
	CHECK(wait(NULL) == -1 && errno == ECHILD);
}

static void fork_some(void)
{
	pid_t pid;

	for (int i = 0; i < nr; i++) {
		pid = fork();
		if (!pid)
			_exit(3);
		victim_reap(pid, 3);
	}
}

static void *idle(void *unused)
{
	return unused;
}

static void *make_threads(void *unused)
{
	pthread_t thread;

	for (int i = 0; i < nr; i++) {
		CHECK(pthread_create(&thread, NULL, idle, NULL) == 0);
		CHECK(pthread_join(thread, NULL) == 0);
	}
	return unused;
}

static void make_makers(void)
{
	pthread_t makers[NR_MAKERS];

	for (int i = 0; i < NR_MAKERS; i++)
		CHECK(pthread_create(&makers[i], NULL, make_threads, NULL) == 0);
	for (int i = 0; i < NR_MAKERS; i++)
		CHECK(pthread_join(makers[i], NULL) == 0);
}

int main(int argc, char **argv)
{
	CHECK(argc > 2);
	nr = atoi(argv[2]);
	if (victim_asked(argv, "vfork")) {
		vfork_some();
	} else if (victim_asked(argv, "fork")) {
		fork_some();
	} else if (victim_asked(argv, "threads")) {
		make_makers();
	} else if (victim_asked(argv, "root")) {
		nr = 5;
		fork_some();
		CHECK(chroot(argv[2]) == 0 && chdir("/") == 0);
		fork_some();
		make_makers();
	} else {
		/* By hand: a shell would tell something, too. */
		make_makers();
		CHECK(write(3, "x", 1) == 1);
		CHECK(read(4, argv[1], 1) == 1);
		nr = 1;
		make_makers();
	}
	puts("over");
	return 7;
}
