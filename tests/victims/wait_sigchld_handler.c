/* SPDX-License-Identifier: MIT */
/*
 * Children are reaped in a SIGCHLD handler. Confirms: a wait hook inside a signal
 * handler tells every child once and leaves errno alone.
 */
#include <signal.h>

#include "victim.h"

static volatile sig_atomic_t nr_reaped;

static void reap(int signo)
{
	int saved = errno;
	int status;

	(void)signo;
	while (waitpid(-1, &status, WNOHANG) > 0)
		nr_reaped++;
	errno = saved;
}

int main(void)
{
	struct sigaction action = {.sa_handler = reap, .sa_flags = SA_RESTART};
	sigset_t blocked;
	sigset_t before;
	int i;

	CHECK(sigaction(SIGCHLD, &action, NULL) == 0);
	CHECK(sigemptyset(&blocked) == 0 && sigaddset(&blocked, SIGCHLD) == 0);
	CHECK(sigprocmask(SIG_BLOCK, &blocked, &before) == 0);
	for (i = 0; i < 5; i++)
		if (fork() == 0)
			_exit(i);
	while (nr_reaped < 5)
		CHECK(sigsuspend(&before) == -1 && errno == EINTR);
	CHECK(nr_reaped == 5);
	return 0;
}
