/* SPDX-License-Identifier: MIT */
#include "command/output.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_watched, has_left;

void t2_output_watch(void)
{
	is_watched = true;
}

void t2_output_end(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + SIGPIPE);
}

bool t2_output_is_over(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO};

	return is_watched && poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

bool t2_output_is_followed(void)
{
	struct stat st;

	if (isatty(STDOUT_FILENO))
		return true;
	return !fstat(STDOUT_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

void t2_output_flush(void)
{
	fflush(stdout);
	has_left = !isatty(STDOUT_FILENO);
}

bool t2_output_has_left(void)
{
	return has_left;
}
