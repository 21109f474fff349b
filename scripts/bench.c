/* SPDX-License-Identifier: MIT */
/*
 * What the shim costs: bench CASE ROUNDS EMPTY SHIM DIR.
 *
 * Each round does the same work under each preload, one after the other, so that
 * whatever else the machine does falls on all of them; what is printed are
 * ratios of medians within the run, and nothing is compared between runs.
 */
#include <err.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_ROUNDS 1000
#define MAX_ENV 6
#define NR_MODES 7

static const struct {
	const char *name;
	const char *variable; /* of the target, or NULL */
	const char *preload;  /* "empty", "shim" or NULL */
} modes[NR_MODES] = {
	{"plain", NULL, NULL},
	{"empty preload", NULL, "empty"},
	{"shim, no target", NULL, "shim"},
	{"shim, EVENT", "GIT_TRACE2_EVENT", "shim"},
	{"shim, PERF", "GIT_TRACE2_PERF", "shim"},
	{"shim, NORMAL", "GIT_TRACE2", "shim"},
	{"shim, EVENT, no signals", "GIT_TRACE2_EVENT", "shim"},
};

static double times[NR_MODES][MAX_ROUNDS];
static char entries[NR_MODES][MAX_ENV][4200];
static char *envs[NR_MODES][MAX_ENV + 1];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void add(int mode, const char *name, const char *value)
{
	int nr = 0;

	while (envs[mode][nr])
		nr++;
	snprintf(entries[mode][nr], sizeof(entries[mode][nr]), "%s=%s", name, value);
	envs[mode][nr] = entries[mode][nr];
}

static void make_environments(const char *empty, const char *shim, const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/trace", dir);
	for (int mode = 0; mode < NR_MODES; mode++) {
		add(mode, "PATH", "/usr/bin:/bin");
		/* As below a first process: nothing is read from configuration files. */
		add(mode, "GIT_TRACE2_PARENT_SID", "20261120T170652.372883Z-H15a8054a-P00000007");
		if (modes[mode].preload)
			add(mode, "LD_PRELOAD", *modes[mode].preload == 'e' ? empty : shim);
		if (modes[mode].variable)
			add(mode, modes[mode].variable, path);
		if (strstr(modes[mode].name, "no signals"))
			add(mode, "T2SHIM_SIGNALS", "0");
	}
}

static void run(char *const argv[], char *const envp[])
{
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, envp))
		errx(2, "cannot start %s", argv[0]);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status))
		errx(2, "%s failed", argv[0]);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The work a child of the benchmark does by itself: bench -fork N, bench -threads N. */
static void *nothing(void *arg)
{
	return arg;
}

static int work(const char *what, int n)
{
	for (int i = 0; i < n; i++) {
		pthread_t thread;
		pid_t pid;

		if (!strcmp(what, "-threads")) {
			if (pthread_create(&thread, NULL, nothing, NULL))
				return 1;
			pthread_join(thread, NULL);
			continue;
		}
		pid = fork();
		if (pid < 0)
			return 1;
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

int main(int argc, char **argv)
{
	char *self = argv[0];
	char *spawn[] = {"/bin/true", NULL};
	char *fork_[] = {self, "-fork", "200", NULL};
	char *threads[] = {self, "-threads", "2000", NULL};
	char *shell[] = {"/bin/sh", "-c",
			 "i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done", NULL};
	char **what = NULL;
	int rounds, repeat = 1;

	if (argc == 3)
		return work(argv[1], atoi(argv[2]));
	if (argc < 6)
		errx(2, "usage: bench spawn|fork|shell|threads ROUNDS EMPTY SHIM DIR");
	if (!strcmp(argv[1], "spawn")) {
		what = spawn;
		repeat = 20;
	}
	what = !strcmp(argv[1], "fork") ? fork_ : !strcmp(argv[1], "shell") ? shell : what;
	what = !strcmp(argv[1], "threads") ? threads : what;
	rounds = atoi(argv[2]);
	if (!what || rounds < 1 || rounds > MAX_ROUNDS)
		errx(2, "no such case, or not 1 to %d rounds", MAX_ROUNDS);
	make_environments(argv[3], argv[4], argv[5]);
	for (int round = 0; round < rounds; round++) {
		for (int mode = 0; mode < NR_MODES; mode++) {
			double start = now();

			for (int i = 0; i < repeat; i++)
				run(what, envs[mode]);
			times[mode][round] = (now() - start) / repeat;
		}
	}
	for (int mode = 0; mode < NR_MODES; mode++)
		qsort(times[mode], (size_t)rounds, sizeof(double), compare);
	printf("%-26s %12s %10s %10s\n", argv[1], "median us", "/ plain", "/ empty");
	for (int mode = 0; mode < NR_MODES; mode++)
		printf("  %-24s %12.1f %10.3f %10.3f\n", modes[mode].name,
		       times[mode][rounds / 2] * 1e6,
		       times[mode][rounds / 2] / times[0][rounds / 2],
		       times[mode][rounds / 2] / times[1][rounds / 2]);
	return 0;
}
