/* SPDX-License-Identifier: MIT */
/*
 * t2 region: a step of a script, shown as a region around its processes.
 *
 * t2 is traced like any other program, so all it takes is the public API and a
 * child; to whoever waits for us we are the command (launch.h).
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/launch.h"
#include "preload/trace2.h"

struct options {
	const char *category;
	const char *label;
	char **data; /* "key=value", in order */
	size_t nr_data;
	char **argv; /* the command */
	bool wants_help;
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
	"  -h, --help               this text\n"
	"\n"
	"The exit status is COMMAND's; if a signal killed it, t2 dies of the same one.\n"
	"125: t2 itself failed. 126: COMMAND cannot be executed. 127: it was not found.\n"
	"\n"
	"Example:\n"
	"  t2 region -c ci -l tests -d shard=3 -- make check\n";

/* Returns whether the line made sense; says so if not. */
static bool parse(struct options *options, int argc, char **argv)
{
	static const struct option longs[] = {
		{"category", required_argument, NULL, 'c'},
		{"label", required_argument, NULL, 'l'},
		{"data", required_argument, NULL, 'd'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int letter;

	options->data = calloc((size_t)argc, sizeof(*options->data));
	if (!options->data)
		return false;
	while ((letter = getopt_long(argc, argv, "+c:l:d:h", longs, NULL)) != -1) {
		if (letter == 'h') {
			options->wants_help = true;
			return true;
		}
		if (letter == 'c') {
			options->category = optarg;
		} else if (letter == 'l') {
			options->label = optarg;
		} else if (letter == 'd' && strchr(optarg, '=') && *optarg != '=') {
			options->data[options->nr_data++] = optarg;
		} else if (letter == 'd') {
			fprintf(stderr, "t2 region: not KEY=VALUE: %s\n", optarg);
			return false;
		} else {
			fputs("t2 region: t2 region --help tells the options\n", stderr);
			return false;
		}
	}
	options->argv = argv + optind;
	if (options->category && options->label && *options->argv)
		return true;
	fprintf(stderr, "t2 region: no %s given; t2 region --help tells how\n",
		!options->category ? "category"
		: !options->label  ? "label"
				   : "command");
	return false;
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

static int run(int argc, char **argv)
{
	struct options options = {0};
	struct t2_launch launch = {.keep_fds = true}; /* we may be traced to one of them */
	struct t2_outcome outcome;
	int error;

	if (!parse(&options, argc, argv)) {
		free(options.data);
		return T2_EXIT_TROUBLE;
	}
	if (options.wants_help) {
		free(options.data);
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	trace2_region_enter(options.category, options.label, TRACE2_NO_REPO);
	tell_data(&options);
	launch.argv = options.argv;
	error = t2_launch(&launch, &outcome);
	trace2_region_leave(options.category, options.label, TRACE2_NO_REPO);
	free(options.data);
	if (!error)
		return t2_end_as(outcome.status);
	fprintf(stderr, "t2 region: %s: %s\n", options.argv[0], strerror(error));
	return t2_launch_status(error);
}

const struct t2_command t2_command_region = {
	.name = "region",
	.summary = "run a command as a region of the trace",
	.help = help,
	.has_command = true,
	.run = run,
};
