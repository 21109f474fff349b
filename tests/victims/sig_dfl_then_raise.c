/* SPDX-License-Identifier: MIT */
/*
 * Sets a handler, has it run, goes back to SIG_DFL (by sigaction with the old
 * value or, with "signal", by name) and kills itself. Confirms: restoring what
 * we reported as the old action is a death like any other, told once.
 */
#include <signal.h>

#include "victim.h"

static volatile sig_atomic_t nr_handled;

static void count(int signo)
{
	(void)signo;
	nr_handled++;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = count};
	struct sigaction old;

	(void)argc;
	CHECK(sigaction(SIGTERM, &action, &old) == 0);
	CHECK(old.sa_handler == SIG_DFL && old.sa_flags == 0);
	raise(SIGTERM);
	CHECK(nr_handled == 1);
	if (victim_asked(argv, "signal"))
		CHECK(signal(SIGTERM, SIG_DFL) == count);
	else
		CHECK(sigaction(SIGTERM, &old, NULL) == 0);
	raise(SIGTERM);
	return VICTIM_FAILED;
}
