/* SPDX-License-Identifier: MIT */
#include "command/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager;

/* What the terminal may send while the pager has it. */
static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

#define NR_SIGNALS (sizeof(signals) / sizeof(*signals))

/* It goes on until it is told to quit, but learns that nothing more comes. */
static void wait_for_pager(void)
{
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && kill(pager, 0) == 0)
		;
}

static void on_exit_of_ours(void)
{
	fflush(stdout);
	wait_for_pager();
}

/* The pager does not end at Ctrl-C: were we gone, it would share the terminal with a shell. */
static void on_signal(int signo)
{
	wait_for_pager();
	signal(signo, SIG_DFL);
	raise(signo);
}

/* Whether there is a program of the first word of @command, or something for a shell. */
static bool can_run(const char *command)
{
	size_t len = strcspn(command, " ");
	const char *path = getenv("PATH");
	char file[4096];

	if (strpbrk(command, "|&;<>()$`\\\"'*?[#~=%") || memchr(command, '/', len))
		return true;
	while (path && *path) {
		size_t dir = strcspn(path, ":");

		snprintf(file, sizeof(file), "%.*s/%.*s", dir ? (int)dir : 1, dir ? path : ".",
			 (int)len, command);
		if (!access(file, X_OK))
			return true;
		path += dir + (path[dir] == ':');
	}
	return false;
}

static const char *choose(void)
{
	const char *own = getenv("T2_PAGER"), *any = getenv("PAGER");
	const char *command = own ? own : any ? any : "less";

	return *command && strcmp(command, "cat") != 0 && can_run(command) ? command : NULL;
}

static void become(const char *command, const int fds[2])
{
	dup2(fds[0], STDIN_FILENO);
	/* To end where all fits on one page, to show colours, to leave the page there. */
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void t2_pager_start(void)
{
	const char *command = isatty(STDOUT_FILENO) ? choose() : NULL;
	int fds[2];

	if (!command || pipe2(fds, O_CLOEXEC))
		return;
	pager = fork();
	if (!pager)
		become(command, fds);
	if (pager > 0) {
		dup2(fds[1], STDOUT_FILENO);
		for (size_t i = 0; i < NR_SIGNALS; i++)
			signal(signals[i], on_signal);
		signal(SIGPIPE, SIG_DFL); /* whoever quits it has seen enough */
		atexit(on_exit_of_ours);
	}
	close(fds[0]);
	close(fds[1]);
}
