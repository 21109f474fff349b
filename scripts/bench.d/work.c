/* SPDX-License-Identifier: MIT */
/*
 * What is measured, one thing at a time: work spawn|fork|threads|end N.
 *
 * A stranger to the shim: it only makes the calls, as any program would.
 */
#include <err.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BATCH 100

extern char **environ;

static void reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		errx(1, "a child failed");
}

static void spawn(int n)
{
	char *argv[] = {"/bin/true", NULL};
	pid_t pid;

	for (; n > 0; n--) {
		if (posix_spawn(&pid, argv[0], NULL, NULL, argv, environ))
			errx(1, "posix_spawn");
		reap(pid);
	}
}

static void forks(int n)
{
	for (; n > 0; n--) {
		pid_t pid = fork();

		if (pid < 0)
			err(1, "fork");
		if (!pid)
			_exit(0);
		reap(pid);
	}
}

static void *nothing(void *arg)
{
	return arg;
}

static void threads(int n)
{
	pthread_t thread[BATCH];

	while (n > 0) {
		int nr = n < BATCH ? n : BATCH;

		for (int i = 0; i < nr; i++)
			if (pthread_create(&thread[i], NULL, nothing, NULL))
				errx(1, "pthread_create");
		for (int i = 0; i < nr; i++)
			pthread_join(thread[i], NULL);
		n -= nr;
	}
}

int main(int argc, char **argv)
{
	int n = argc == 3 ? atoi(argv[2]) : 0;

	if (n < 1)
		errx(2, "usage: work spawn|fork|threads|end N");
	if (!strcmp(argv[1], "spawn"))
		spawn(n);
	else if (!strcmp(argv[1], "fork"))
		forks(n);
	else if (!strcmp(argv[1], "threads"))
		threads(n);
	else /* A call that nobody else makes: what strace sees after it is the end's. */
		syscall(SYS_getpgid, 0);
	return 0;
}
