/* SPDX-License-Identifier: MIT */
/*
 * t2 region: a step of a script, shown as a region around its processes.
 *
 * t2 is traced like any other program, so all it takes is the public API and a
 * child. To whoever waits for us we are the command: its exit status is ours, a
 * signal that killed it kills us, and one that is sent to us is passed on.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"
#include "preload/trace2.h"

extern char **environ;

struct options {
	const char *category;
	const char *label;
	char **data; /* "key=value", in order */
	size_t nr_data;
	char **argv; /* the command */
};

static const char help[] =
	"usage: t2 region -c CATEGORY -l LABEL [-d KEY=VALUE]... -- COMMAND [ARGUMENT...]\n"
	"\n"
	"Run COMMAND and show it in the trace as a region around its processes: a step\n"
	"of a script or of a CI job. Without a trace, just run it.\n"
	"\n"
	"  -c, --category CATEGORY  what the region belongs to, such as \"ci\"\n"
	"  -l, --label LABEL        the name of the step\n"
	"  -d, --data KEY=VALUE     a fact about it; may be given several times\n"
	"      --help               this text\n"
	"\n"
	"The exit status is COMMAND's; if a signal killed it, t2 dies of the same one.\n"
	"125: t2 itself failed. 126: COMMAND cannot be executed. 127: it was not found.\n"
	"\n"
	"Example:\n"
	"  t2 region -c ci -l tests -d shard=3 -- make check\n";

/* Returns whether the line made sense; says so if not. */
static int parse(struct options *options, int argc, char **argv)
{
	static const struct option longs[] = {
		{"category", required_argument, NULL, 'c'},
		{"label", required_argument, NULL, 'l'},
		{"data", required_argument, NULL, 'd'},
		{NULL, 0, NULL, 0},
	};
	int letter;

	options->data = calloc((size_t)argc, sizeof(*options->data));
	if (!options->data)
		return 0;
	while ((letter = getopt_long(argc, argv, "+c:l:d:", longs, NULL)) != -1) {
		if (letter == 'c') {
			options->category = optarg;
		} else if (letter == 'l') {
			options->label = optarg;
		} else if (letter == 'd' && strchr(optarg, '=') && *optarg != '=') {
			options->data[options->nr_data++] = optarg;
		} else if (letter == 'd') {
			fprintf(stderr, "t2 region: not KEY=VALUE: %s\n", optarg);
			return 0;
		} else {
			fputs("t2 region: t2 region --help tells the options\n", stderr);
			return 0;
		}
	}
	options->argv = argv + optind;
	if (options->category && options->label && *options->argv)
		return 1;
	fprintf(stderr, "t2 region: no %s given; t2 region --help tells how\n",
		!options->category ? "category"
		: !options->label  ? "label"
				   : "command");
	return 0;
}

static void tell_data(const struct options *options)
{
	for (size_t i = 0; i < options->nr_data; i++) {
		char *value = strchr(options->data[i], '=');

		*value = '\0';
		trace2_data_string(options->category, TRACE2_NO_REPO, options->data[i], value + 1);
		*value = '=';
	}
}

static volatile pid_t child;

static void pass_on(int signo)
{
	if (child > 0)
		kill(child, signo);
}

/*
 * The terminal sends its signals to the command as well, which decides what
 * they mean; others reach only us and are passed on.
 */
static void prepare_signals(sigset_t *ret_defaults)
{
	static const int ignored[] = {SIGINT, SIGQUIT};
	static const int passed[] = {SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};
	struct sigaction action = {.sa_flags = SA_RESTART}, old;

	sigemptyset(ret_defaults);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++) {
		action.sa_handler = SIG_IGN;
		sigaction(ignored[i], &action, &old);
		if (old.sa_handler != SIG_IGN)
			sigaddset(ret_defaults, ignored[i]);
	}
	for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++) {
		action.sa_handler = pass_on;
		sigaction(passed[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(passed[i], &action, NULL);
	}
}

/* Start the command. Returns 0, or the exit status of t2. */
static int start(const struct options *options)
{
	posix_spawnattr_t attr;
	sigset_t defaults;
	pid_t pid;
	int error;

	prepare_signals(&defaults);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(&pid, options->argv[0], NULL, &attr, options->argv, environ);
	posix_spawnattr_destroy(&attr);
	child = pid;
	if (!error)
		return 0;
	fprintf(stderr, "t2 region: %s: %s\n", options->argv[0], strerror(error));
	return error == ENOENT ? T2_EXIT_NOT_FOUND : T2_EXIT_NOT_EXECUTED;
}

/* End as the command did. */
static int end_as(int status)
{
	const struct rlimit no_core = {0, 0};
	int signo;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	signo = WTERMSIG(status);
	/* One core dump is enough. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(signo, SIG_DFL);
	raise(signo);
	return 128 + signo;
}

static int run(int argc, char **argv)
{
	struct options options = {0};
	int trouble, status = 0;

	if (!parse(&options, argc, argv))
		return T2_EXIT_TROUBLE;
	trace2_region_enter(options.category, options.label, TRACE2_NO_REPO);
	tell_data(&options);
	trouble = start(&options);
	if (!trouble && waitpid(child, &status, 0) != child) {
		perror("t2 region: cannot wait for the command");
		trouble = T2_EXIT_TROUBLE;
	}
	child = 0;
	trace2_region_leave(options.category, options.label, TRACE2_NO_REPO);
	free(options.data);
	return trouble ? trouble : end_as(status);
}

const struct t2_command t2_command_region = {
	.name = "region",
	.summary = "run a command as a region of the trace",
	.help = help,
	.has_command = true,
	.run = run,
};
