/* SPDX-License-Identifier: MIT */
/*
 * What system promises about signals: SIGINT and SIGQUIT do not reach the caller
 * meanwhile, SIGCHLD is held back, the command has the caller's mask and
 * dispositions, and all is as before afterwards. Confirms: whoever takes the
 * place of system keeps these promises.
 */
#include <signal.h>

#include "victim.h"

static volatile sig_atomic_t nr_ints;
static volatile sig_atomic_t nr_children;

static void on_int(int signo)
{
	(void)signo;
	nr_ints++;
}

static void on_child(int signo)
{
	(void)signo;
	nr_children++;
}

static void show_signals_of_the_command(void)
{
	fflush(stdout);
	CHECK(system("exec grep '^Sig[BI]' /proc/self/status") == 0);
}

int main(void)
{
	struct sigaction action;
	sigset_t mask;
	sigset_t after;
	int status;

	CHECK(signal(SIGINT, on_int) == SIG_DFL && signal(SIGCHLD, on_child) == SIG_DFL);
	CHECK(sigemptyset(&mask) == 0 && sigaddset(&mask, SIGUSR1) == 0);
	CHECK(sigprocmask(SIG_BLOCK, &mask, NULL) == 0);
	status = system("kill -INT $PPID; kill -QUIT $PPID; exit 3");
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3 && nr_ints == 0);
	printf("%d\n", (int)nr_children);
	CHECK(sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == on_int);
	CHECK(sigaction(SIGQUIT, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	CHECK(sigprocmask(SIG_BLOCK, NULL, &after) == 0 && sigismember(&after, SIGUSR1) == 1);
	CHECK(sigismember(&after, SIGCHLD) == 0);
	show_signals_of_the_command();
	CHECK(signal(SIGINT, SIG_IGN) == on_int && signal(SIGQUIT, SIG_IGN) == SIG_DFL);
	show_signals_of_the_command();
	CHECK(signal(SIGQUIT, SIG_DFL) == SIG_IGN);
	raise(SIGQUIT);
	return VICTIM_FAILED;
}
