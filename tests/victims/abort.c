/* SPDX-License-Identifier: MIT */
/*
 * Calls abort; with "handler", behind a SIGABRT handler that returns. Confirms:
 * the signal event, and the same death and core flag as without us.
 */
#include <signal.h>

#include "victim.h"

static void on_abort(int signo)
{
	(void)signo;
	CHECK(write(STDOUT_FILENO, "handler\n", 8) == 8);
}

int main(int argc, char **argv)
{
	(void)argc;
	if (victim_asked(argv, "handler"))
		CHECK(signal(SIGABRT, on_abort) == SIG_DFL);
	abort();
}
