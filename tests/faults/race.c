/* SPDX-License-Identifier: MIT */
/*
 * The end of a process, or of its image, while all its threads are busy:
 *
 *   race exec|exit|exit_two|exit_forks|quick|quick_two|abort_two|under_two|main_leaves|over
 */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "tests/victims/victim.h"

#define NR_BUSY 8

static pthread_barrier_t together;
static bool forks;
static char **own_argv;
static void (*leave)(void);

static void *idle(void *unused)
{
	return unused;
}

/* Until the end, which comes from elsewhere. */
static void *be_busy(void *unused)
{
	pthread_t thread;
	pid_t pid;

	pthread_barrier_wait(&together);
	for (;;) {
		if (!pthread_create(&thread, NULL, idle, NULL))
			pthread_join(thread, NULL);
		if (!forks)
			continue;
		pid = fork();
		if (!pid)
			_exit(3);
		waitpid(pid, NULL, 0);
	}
	return unused;
}

static void by_exec(void)
{
	execl("/proc/self/exe", own_argv[0], "over", (char *)NULL);
}

static void by_exit(void)
{
	exit(11);
}

static void by_quick_exit(void)
{
	quick_exit(11);
}

static void by_underscore_exit(void)
{
	_exit(11);
}

static void *leave_together(void *unused)
{
	pthread_barrier_wait(&together);
	leave();
	return unused;
}

static void *end_later(void *unused)
{
	pthread_t thread;

	for (int i = 0; i < 50; i++) {
		CHECK(pthread_create(&thread, NULL, idle, NULL) == 0);
		CHECK(pthread_join(thread, NULL) == 0);
	}
	return unused;
}

static void main_leaves(void)
{
	pthread_t thread;

	for (int i = 0; i < NR_BUSY; i++)
		CHECK(pthread_create(&thread, NULL, end_later, NULL) == 0);
	pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	struct rlimit no_core = {0, 0};
	bool are_two;
	pthread_t thread;

	CHECK(argc > 1);
	own_argv = argv;
	if (victim_asked(argv, "over"))
		return 11;
	if (victim_asked(argv, "main_leaves"))
		main_leaves();
	setrlimit(RLIMIT_CORE, &no_core);
	forks = victim_asked(argv, "exit_forks");
	are_two = strstr(argv[1], "_two");
	leave = !strncmp(argv[1], "exec", 4)	? by_exec
		: !strncmp(argv[1], "quick", 5) ? by_quick_exit
		: !strncmp(argv[1], "abort", 5) ? abort
		: !strncmp(argv[1], "under", 5) ? by_underscore_exit
						: by_exit;
	CHECK(pthread_barrier_init(&together, NULL, NR_BUSY + 1 + are_two) == 0);
	for (int i = 0; i < NR_BUSY; i++)
		CHECK(pthread_create(&thread, NULL, be_busy, NULL) == 0);
	if (are_two)
		CHECK(pthread_create(&thread, NULL, leave_together, NULL) == 0);
	leave_together(NULL);
	return VICTIM_FAILED;
}
