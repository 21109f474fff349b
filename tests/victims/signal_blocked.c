/* SPDX-License-Identifier: MIT */
/*
 * A fatal signal is blocked, found pending, taken by sigwait, and another one is
 * ignored. Confirms: our handlers change nothing where no default action is due.
 */
#include <signal.h>

#include "victim.h"

int main(void)
{
	sigset_t blocked;
	sigset_t pending;
	int signo = 0;

	CHECK(sigemptyset(&blocked) == 0 && sigaddset(&blocked, SIGTERM) == 0);
	CHECK(sigprocmask(SIG_BLOCK, &blocked, NULL) == 0);
	CHECK(kill(getpid(), SIGTERM) == 0);
	CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 1);
	CHECK(sigwait(&blocked, &signo) == 0 && signo == SIGTERM);
	CHECK(signal(SIGHUP, SIG_IGN) == SIG_DFL);
	CHECK(kill(getpid(), SIGHUP) == 0);
	puts("alive");
	return 0;
}
