/* SPDX-License-Identifier: MIT */
/*
 * t2 diff: what got slower, faster, new and gone.
 */
#include "command/diff.h"

#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/diff_print.h"
#include "command/text.h"
#include "command/view.h"

#define THRESHOLD_PPM 50000 /* 5 % */
#define THRESHOLD_NS INT64_C(50000000)
#define RUNS_MAX 1000

static const char help[] =
	"usage: t2 diff [OPTION]... BASE NEW...\n"
	"       t2 diff [OPTION]... BASE... -- NEW...\n"
	"       t2 diff [OPTION]... --base BASE [--base BASE]... NEW...\n"
	"\n"
	"Compare two runs of the same work, or several runs of each: what got slower,\n"
	"faster, new and gone. Commands are the same if they are below the same programs\n"
	"and differ at most in temporary names, numbers of processes, hashes and the\n"
	"directory of the build. What is left is compared by the file that is compiled,\n"
	"then by program. With several runs medians are compared, and only what differs\n"
	"in all runs is a change.\n"
	"\n"
	"      --base FILE       a run to compare with; repeatable\n"
	"      --threshold T,... smaller changes are none: a share of what it was and a\n"
	"                        time, both must be reached (5%,50ms)\n"
	"      --metric METRIC   what is compared: self (the default: wall clock without\n"
	"                        children), total (wall clock) or cpu\n"
	"      --fail-on-regression\n"
	"                        exit with 1 if something, or the whole, is slower\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Exit status: 0, 1 if --fail-on-regression and something is slower, 2 wrong\n"
	"usage or no trace.\n"
	"\n"
	"Example:\n"
	"  t2 diff --fail-on-regression --threshold 10%,200ms t2.data.old t2.data\n";

enum { BASE = 256, THRESHOLD, METRIC, FAIL };

struct request {
	struct t2_options options;
	const char **files; /* the base first */
	uint32_t nr_base, nr_files;
	struct t2_diff_threshold threshold;
	enum t2_metric metric;
	bool fails;
};

/* --- the command line --------------------------------------------------------- */

static bool take_threshold(struct request *request, const char *value)
{
	char part[64];
	char *end;
	double percent;

	while (*value) {
		size_t len = strcspn(value, ",");

		snprintf(part, sizeof(part), "%.*s", (int)len, value);
		value += len + (value[len] == ',');
		percent = strtod(part, &end);
		if (end != part && !strcmp(end, "%") && percent >= 0 && percent <= 1e6) {
			request->threshold.ppm = (int64_t)(percent * 10000 + 0.5);
		} else if (!t2_text_parse_duration(part, &request->threshold.ns)) {
			fprintf(stderr, "t2 diff: --threshold %s: not like 5%% or 50ms\n", part);
			return false;
		}
	}
	return true;
}

static bool take_metric(struct request *request, const char *value)
{
	static const char *const names[] = {"self", "total", "cpu", NULL};
	int metric = t2_option_name("diff", names, value, strlen(value));

	request->metric = metric < 0 ? T2_METRIC_SELF : (enum t2_metric)metric;
	return metric >= 0;
}

static bool take(void *arg, int val, const char *value)
{
	struct request *request = arg;

	switch (val) {
	case BASE:
		request->files[request->nr_base++] = value;
		return true;
	case THRESHOLD:
		return take_threshold(request, value);
	case METRIC:
		return take_metric(request, value);
	default:
		request->fails = true;
		return true;
	}
}

static int find_dashes(int argc, char **argv)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	return i;
}

/* Which of the files belong to which side. Returns 0 or an exit status. */
static int sort_files(struct request *request, int argc, char **argv, int dashes)
{
	const struct t2_options *options = &request->options;
	bool has_base = request->nr_base;

	for (size_t i = 0; i < options->nr_files; i++)
		request->files[request->nr_base + i] = options->files[i];
	request->nr_files = request->nr_base + (uint32_t)options->nr_files;
	if (dashes < argc && !has_base)
		request->nr_base = request->nr_files;
	else if (!has_base)
		request->nr_base = 1;
	for (int i = dashes + 1; i < argc; i++)
		request->files[request->nr_files++] = argv[i];
	if (request->nr_files > request->nr_base && request->nr_files <= RUNS_MAX)
		return 0;
	fputs("t2 diff: two traces are needed, BASE and NEW; t2 diff --help tells more\n", stderr);
	return T2_VIEW_USAGE;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option extra[] = {
		{"base", required_argument, NULL, BASE},
		{"threshold", required_argument, NULL, THRESHOLD},
		{"metric", required_argument, NULL, METRIC},
		{"fail-on-regression", no_argument, NULL, FAIL},
		{NULL, 0, NULL, 0},
	};
	const struct t2_options_spec spec = {
		.name = "diff",
		.columns = t2_diff_columns,
		.extra = extra,
		.on_extra = take,
		.arg = request,
		.needs_files = true,
	};
	int dashes = find_dashes(argc, argv);
	int status;

	request->files = calloc((size_t)argc + 1, sizeof(*request->files));
	if (!request->files)
		return T2_VIEW_USAGE;
	status = t2_options_parse(&request->options, &spec, dashes, argv);
	return status ? status : sort_files(request, argc, argv, dashes);
}

/* --- all of it ---------------------------------------------------------------- */

static bool is_regression(const struct t2_diff_changes *changes)
{
	return (changes->nr && changes->items[0].more == T2_VERDICT_SLOWER) ||
	       changes->whole == T2_VERDICT_SLOWER;
}

static int no_memory(void)
{
	fputs("t2 diff: out of memory\n", stderr);
	return T2_VIEW_USAGE;
}

static int answer(struct t2_diff *diff, const struct request *request)
{
	struct t2_diff_changes changes = {
		.diff = diff, .metric = request->metric, .threshold = request->threshold};
	bool is_fine = t2_diff_match(diff) && t2_diff_collect(&changes) &&
		       t2_diff_print(&changes, &request->options, stdout);
	bool is_slower;

	is_slower = is_fine && is_regression(&changes);
	free(changes.items);
	if (!is_fine)
		return no_memory();
	return request->fails && is_slower ? T2_VIEW_NO : T2_VIEW_OK;
}

/* Returns 0 or an exit status. */
static int read_run(struct t2_diff *diff, const struct request *request, uint32_t run)
{
	struct t2_view view;
	int status =
		t2_view_load(&view, &request->options, &request->files[run], 1, T2_VIEW_ANALYSED);

	if (!status && !t2_diff_add(diff, run, &view))
		status = no_memory();
	t2_view_free(&view);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = {.threshold = {.ppm = THRESHOLD_PPM, .ns = THRESHOLD_NS}};
	struct t2_diff diff = {0};
	int status = parse(&request, argc, argv);

	if (!status && !t2_diff_init(&diff, request.nr_base, request.nr_files))
		status = no_memory();
	for (uint32_t i = 0; !status && i < request.nr_files; i++)
		status = read_run(&diff, &request, i);
	if (!status)
		status = answer(&diff, &request);
	t2_diff_free(&diff);
	t2_options_free(&request.options);
	free(request.files);
	return status;
}

const struct t2_command t2_command_diff = {
	.name = "diff",
	.summary = "compare runs: what got slower, faster, new and gone",
	.help = help,
	.run = run,
};
