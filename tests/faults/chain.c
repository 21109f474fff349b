/* SPDX-License-Identifier: MIT */
/*
 * As a library: another preload, which passes calls on by RTLD_NEXT and counts them,
 * and whose clock stands still. As a program (with -DHOST): a host that makes such
 * calls and prints what the other one has counted.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "tests/victims/victim.h"

extern int chain_count[3] __attribute__((weak));

#ifdef HOST

static void *idle(void *unused)
{
	return unused;
}

int main(void)
{
	struct sigaction action;
	struct timespec now = {0, 0};
	pthread_t thread;
	pid_t pid;

	for (int i = 0; i < 3; i++) {
		pid = fork();
		if (!pid) {
			if (i)
				_exit(3);
			execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
		}
		victim_reap(pid, 3);
		CHECK(pthread_create(&thread, NULL, idle, NULL) == 0);
		CHECK(pthread_join(thread, NULL) == 0);
		CHECK(sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	}
	CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
	printf("fork %d, pthread_create %d, sigaction %d, at %ld\n", chain_count[0], chain_count[1],
	       chain_count[2], (long)now.tv_sec);
	return 7;
}

#else

int chain_count[3];

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

pid_t fork(void)
{
	chain_count[0]++;
	return NEXT(fork)();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	chain_count[1]++;
	return NEXT(pthread_create)(thread, attr, run, arg);
}

int sigaction(int signo, const struct sigaction *act, struct sigaction *old)
{
	chain_count[2]++;
	return NEXT(sigaction)(signo, act, old);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec){1000000000, 0};
	return 0;
}

#endif
