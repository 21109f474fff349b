/* SPDX-License-Identifier: MIT */
/* Many threads that start processes at the same time: spawner THREADS PROCESSES. */
#include <err.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

static int nr_processes;

static void *spawn_all(void *arg)
{
	char *const args[] = {"true", "x", NULL};
	size_t nr_bad = 0;

	for (int i = 0; i < nr_processes; i++) {
		int status;
		pid_t pid;

		if (posix_spawn(&pid, "/bin/true", NULL, NULL, args, environ) ||
		    waitpid(pid, &status, 0) != pid || status)
			nr_bad++;
	}
	*(size_t *)arg = nr_bad;
	return NULL;
}

int main(int argc, char **argv)
{
	int nr_threads = argc > 2 ? atoi(argv[1]) : 0;
	pthread_t *threads = calloc((size_t)nr_threads + 1, sizeof(*threads));
	size_t *nr_bad = calloc((size_t)nr_threads + 1, sizeof(*nr_bad));
	size_t total = 0;

	if (!nr_threads || !threads || !nr_bad)
		errx(2, "usage: spawner THREADS PROCESSES");
	nr_processes = atoi(argv[2]);
	for (int i = 0; i < nr_threads; i++)
		if (pthread_create(&threads[i], NULL, spawn_all, &nr_bad[i]))
			errx(2, "no thread");
	for (int i = 0; i < nr_threads; i++) {
		pthread_join(threads[i], NULL);
		total += nr_bad[i];
	}
	return total > 0;
}
