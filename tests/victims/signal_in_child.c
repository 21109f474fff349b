/* SPDX-License-Identifier: MIT */
/*
 * Forked and vforked children die of a signal, one by default and one after
 * having reset everything as spawn libraries do. Confirms: the status arrives
 * unchanged, the parent's dispositions are untouched, child_exit has 128 + n.
 */
#include <signal.h>

#include "victim.h"

static void expect_death(pid_t pid, int signo)
{
	int status = 0;

	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signo);
}

int main(void)
{
	struct sigaction action;
	int signo;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		raise(SIGTERM);
		_exit(VICTIM_FAILED);
	}
	expect_death(pid, SIGTERM);
	pid = vfork();
	if (pid == 0) {
		for (signo = 1; signo < NSIG; signo++)
			signal(signo, SIG_DFL);
		kill(getpid(), SIGUSR1);
		_exit(VICTIM_FAILED);
	}
	expect_death(pid, SIGUSR1);
	CHECK(sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	raise(SIGUSR1);
	return VICTIM_FAILED;
}
