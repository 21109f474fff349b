/* SPDX-License-Identifier: MIT */
/*
 * t2 run: a command under the shim, and what became of it in a few lines.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command/ci.h"
#include "command/command.h"
#include "command/digest.h"
#include "command/launch.h"
#include "command/live.h"
#include "command/record.h"
#include "command/report.h"

#define NS_PER_S 1000000000
#define WIDTH 80

enum summary { SUMMARY_AUTO, SUMMARY_NEVER, SUMMARY_SHORT, SUMMARY_FULL };

struct options {
	const char *file;
	const char *page; /* file for the summary page, or NULL */
	char **argv;
	enum summary summary;
	enum t2_ci ci;
	bool has_groups; /* around the command's output, too */
	bool is_live;
	bool wants_help;
};

static const char help[] =
	"usage: t2 [run] [OPTION]... [--] COMMAND [ARGUMENT...]\n"
	"\n"
	"Run COMMAND and record it and every process below it. Its input, output,\n"
	"signals and exit status are as without t2. \"t2 record\" is the same.\n"
	"\n"
	"  -o, --output FILE     where the events go (t2.data); a file that is there is\n"
	"                        kept as FILE.old. Also an empty directory, for a file\n"
	"                        per process\n"
	"      --summary WHEN    a few lines on standard error when it is over: short,\n"
	"                        never, or auto: if it took over a second or failed; full\n"
	"                        is what t2 report prints\n"
	"      --live            a status line on the terminal while it runs\n"
	"      --ci SYSTEM       what github, gitlab, buildkite or jenkins show: sections\n"
	"                        of the log, errors, a summary page; none; or auto, which\n"
	"                        is also the default, but without sections\n"
	"      --ci-summary FILE append the summary page, in Markdown, to FILE (on GitHub\n"
	"                        $GITHUB_STEP_SUMMARY)\n"
	"      --help            this text\n"
	"\n"
	"COMMAND's environment gets libt2shim.so at the end of LD_PRELOAD,\n"
	"GIT_TRACE2_EVENT=FILE and GIT_TRACE2_EVENT_BRIEF=0. T2_SHIM=PATH names the\n"
	"library where it is not found by itself.\n"
	"\n"
	"The exit status is COMMAND's; if a signal killed it, t2 dies of the same one.\n"
	"125: t2 itself failed. 126: COMMAND cannot be executed. 127: it was not found.\n"
	"\n"
	"Examples:\n"
	"  t2 -- make -j8\n"
	"  t2 run --live -o /tmp/build.t2 ninja\n";

enum { OPTION_SUMMARY = 256, OPTION_LIVE, OPTION_CI, OPTION_CI_SUMMARY };

static bool refuse(const char *what, const char *value)
{
	fprintf(stderr, "t2 run: %s%s; t2 run --help tells the options\n", what, value);
	return false;
}

static bool parse_summary(struct options *options, const char *when)
{
	static const char *const names[] = {"auto", "never", "short", "full"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(when, names[i])) {
			options->summary = (enum summary)i;
			return true;
		}
	}
	return refuse("not a kind of summary: ", when);
}

static bool parse_one(struct options *options, int option)
{
	switch (option) {
	case 'o':
		options->file = optarg;
		return *optarg || refuse("no FILE given", "");
	case OPTION_SUMMARY:
		return parse_summary(options, optarg);
	case 'h':
		options->wants_help = true;
		return true;
	case OPTION_LIVE:
		options->is_live = true;
		return true;
	case OPTION_CI:
		options->has_groups = true;
		return t2_ci_parse(optarg, &options->ci) || refuse("not a CI system: ", optarg);
	case OPTION_CI_SUMMARY:
		options->page = optarg;
		return true;
	default:
		fputs("t2 run: t2 run --help tells the options\n", stderr);
		return false;
	}
}

static bool parse(struct options *options, int argc, char **argv)
{
	static const struct option longs[] = {
		{"help", no_argument, NULL, 'h'},
		{"output", required_argument, NULL, 'o'},
		{"summary", required_argument, NULL, OPTION_SUMMARY},
		{"live", no_argument, NULL, OPTION_LIVE},
		{"ci", required_argument, NULL, OPTION_CI},
		{"ci-summary", required_argument, NULL, OPTION_CI_SUMMARY},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "+ho:", longs, NULL)) != -1) {
		if (!parse_one(options, option))
			return false;
	}
	options->argv = argv + optind;
	return options->wants_help || *options->argv || refuse("no command given", "");
}

/* Whether there is something called @name to execute: else nothing is touched. */
static int look_for(const char *name)
{
	const char *path = getenv("PATH");
	int error = ENOENT;
	char file[4096];

	if (!*name)
		return ENOENT;
	if (strchr(name, '/'))
		return access(name, X_OK) ? errno : 0;
	if (!path)
		return 0; /* execvp() has a default of its own */
	for (;;) {
		size_t len = strcspn(path, ":");

		snprintf(file, sizeof(file), "%.*s/%s", len ? (int)len : 1, len ? path : ".", name);
		if (!access(file, X_OK))
			return 0;
		if (errno == EACCES)
			error = EACCES;
		if (!path[len])
			return error;
		path += len + 1;
	}
}

static size_t width_of_stderr(void)
{
	struct winsize size;

	if (!isatty(STDERR_FILENO) || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40)
		return WIDTH;
	return size.ws_col;
}

/* Say what is to be said. Reading the trace takes time: only if anybody asked. */
static void tell(const struct options *options, const struct t2_outcome *outcome,
		 const struct t2_record *record)
{
	bool is_short = options->summary == SUMMARY_SHORT ||
			(options->summary == SUMMARY_AUTO &&
			 (outcome->status || outcome->wall_ns > NS_PER_S));
	bool is_annotated = options->ci == T2_CI_GITHUB && outcome->status;
	struct t2_digest digest;

	if (options->summary == SUMMARY_FULL && record->is_readable)
		t2_report_file(record->path, stderr);
	if (!is_short && !is_annotated && !options->page)
		return;
	t2_digest_make(&digest, options->argv, outcome, record);
	t2_ci_annotate(options->ci, stderr, &digest);
	if (is_short)
		t2_digest_print_short(stderr, &digest, width_of_stderr());
	if (options->page)
		t2_ci_write_summary(options->page, &digest);
	t2_digest_free(&digest);
}

static int launch(const struct options *options, struct t2_record *record)
{
	enum t2_ci grouped = options->has_groups ? options->ci : T2_CI_NONE;
	struct t2_live *live = options->is_live ? t2_live_open(record->path) : NULL;
	struct t2_launch how = {.argv = options->argv, .keep_fds = record->is_nested};
	struct t2_outcome outcome;
	int error;

	if (live) {
		how.tick = t2_live_tick;
		how.stopped = t2_live_stopped;
		how.continued = t2_live_continued;
		how.arg = live;
	}
	if (grouped) {
		char *title = t2_command_text(options->argv);

		t2_ci_open_group(grouped, stderr, title ? title : options->argv[0]);
		free(title);
	}
	error = t2_launch(&how, &outcome);
	t2_live_close(live);
	t2_ci_close_group(grouped, stderr, error || outcome.status);
	if (error) {
		fprintf(stderr, "t2: %s: %s\n", options->argv[0], strerror(error));
		t2_record_undo(record);
		return t2_launch_status(error);
	}
	tell(options, &outcome, record);
	t2_record_close(record);
	*record = (struct t2_record){.lock = -1};
	return t2_end_as(outcome.status);
}

/* A run within a run leaves the page and the log to the outer one, unless told. */
static void choose_ci(struct options *options, bool is_nested)
{
	if (options->ci == T2_CI_AUTO)
		options->ci = is_nested && !options->has_groups ? T2_CI_NONE : t2_ci_detect();
	if (!options->page)
		options->page = t2_ci_summary_file(options->ci);
}

static int run(int argc, char **argv)
{
	struct options options = {.file = T2_RECORD_FILE, .ci = T2_CI_AUTO};
	struct t2_record record;
	int status = T2_EXIT_TROUBLE, error;

	if (!parse(&options, argc, argv))
		return T2_EXIT_TROUBLE;
	if (options.wants_help) {
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	error = look_for(options.argv[0]);
	if (error) {
		fprintf(stderr, "t2: %s: %s\n", options.argv[0], strerror(error));
		return t2_launch_status(error);
	}
	if (t2_record_open(&record, options.file)) {
		choose_ci(&options, record.is_nested);
		status = launch(&options, &record);
	}
	t2_record_close(&record);
	return status;
}

const struct t2_command t2_command_run = {
	.name = "run",
	.summary = "run a command and record it; what t2 -- COMMAND does",
	.help = help,
	.has_command = true,
	.run = run,
};

const struct t2_command t2_command_record = {
	.name = "record",
	.summary = "the same as run",
	.help = help,
	.has_command = true,
	.run = run,
};
