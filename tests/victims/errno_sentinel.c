/* SPDX-License-Identifier: MIT */
/*
 * Calls what is hooked with a value in errno that no call sets. Confirms: a call
 * that succeeds leaves errno alone, in parent and child.
 */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <threads.h>

#include "victim.h"

#define SENTINEL 4242
#define KEEPS(call)                                                                                \
	(errno = SENTINEL, victim_check(call, #call, __LINE__),                                    \
	 victim_check(errno == SENTINEL, "errno after " #call, __LINE__))

extern char **environ;

static void *idle(void *unused)
{
	CHECK(errno == 0);
	return unused;
}

static int idle_c11(void *unused)
{
	CHECK(errno == 0);
	return unused ? 1 : 0;
}

static void check_processes(void)
{
	char *argv[] = {(char[]){"true"}, NULL};
	pid_t pid;
	siginfo_t info;

	KEEPS((pid = fork()) >= 0);
	if (pid == 0)
		_exit(0);
	KEEPS(waitpid(pid, NULL, 0) == pid);
	KEEPS((pid = _Fork()) >= 0);
	if (pid == 0)
		_exit(0);
	KEEPS(waitid(P_ALL, 0, &info, WEXITED) == 0);
	errno = SENTINEL;
	pid = vfork();
	if (pid == 0)
		_exit(errno == SENTINEL ? 0 : VICTIM_FAILED);
	CHECK(errno == SENTINEL);
	victim_reap(pid, 0);
	KEEPS(posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) == 0);
	KEEPS(wait(NULL) == pid);
	KEEPS(posix_spawnp(&pid, "/bin/true", NULL, NULL, argv, environ) == 0);
	KEEPS(wait4(pid, NULL, 0, NULL) == pid);
}

static void check_threads_and_signals(void)
{
	struct sigaction old;
	pthread_t thread;
	thrd_t c11;

	KEEPS(pthread_create(&thread, NULL, idle, NULL) == 0);
	KEEPS(pthread_join(thread, NULL) == 0);
	KEEPS(thrd_create(&c11, idle_c11, NULL) == thrd_success);
	KEEPS(thrd_join(c11, NULL) == thrd_success);
	KEEPS(sigaction(SIGTERM, NULL, &old) == 0);
	KEEPS(signal(SIGTERM, SIG_IGN) == SIG_DFL);
	KEEPS(signal(SIGTERM, SIG_DFL) == SIG_IGN);
}

int main(void)
{
	check_processes();
	check_threads_and_signals();
	return 0;
}
