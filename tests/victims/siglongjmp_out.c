/* SPDX-License-Identifier: MIT */
/*
 * A signal handler jumps out of waitpid, again and again, until the child is
 * reaped. Confirms: nothing of ours stays held when a hook never returns.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "victim.h"

static sigjmp_buf before_wait;
static volatile int nr_jumps;

static void jump(int signo)
{
	(void)signo;
	siglongjmp(before_wait, 1);
}

int main(void)
{
	struct itimerval soon = {{0, 0}, {0, 1000}};
	int ends[2];
	pid_t pid;

	CHECK(signal(SIGALRM, jump) == SIG_DFL);
	CHECK(pipe(ends) == 0);
	pid = fork();
	if (pid == 0) {
		char byte;

		CHECK(close(ends[1]) == 0 && read(ends[0], &byte, 1) == 0);
		_exit(3);
	}
	if (sigsetjmp(before_wait, 1) != 0)
		nr_jumps++;
	if (nr_jumps < 20) {
		CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
		waitpid(pid, NULL, 0);
		CHECK(!"a wait that returns");
	}
	CHECK(close(ends[1]) == 0);
	victim_reap(pid, 3);
	return 0;
}
