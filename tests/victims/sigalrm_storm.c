/* SPDX-License-Identifier: MIT */
/*
 * A fast timer whose handler forks and reaps, while the program forks and
 * allocates. Confirms: hooks can be interrupted anywhere by hooks.
 */
#include <signal.h>
#include <sys/time.h>

#include "victim.h"

static volatile sig_atomic_t nr_alarms;

static void on_alarm(int signo)
{
	int saved = errno;
	pid_t pid = _Fork();

	(void)signo;
	if (pid == 0)
		_exit(1);
	victim_reap(pid, 1);
	nr_alarms++;
	errno = saved;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 2000}, {0, 2000}};
	struct itimerval never = {{0, 0}, {0, 0}};
	pid_t pid;

	CHECK(sigaction(SIGALRM, &action, NULL) == 0);
	CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
	while (nr_alarms < 20) {
		pid = fork(); /* a timer is not inherited */
		if (pid == 0)
			_exit(2);
		victim_reap(pid, 2);
		free(malloc(100));
	}
	CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
	return 0;
}
