/* SPDX-License-Identifier: MIT */
/*
 * t2 check: whether streams are what they should be, and whole.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/lint.h"
#include "command/print.h"
#include "command/source.h"
#include "command/text.h"

#define LIMIT 20

static const char help[] =
	"usage: t2 check [OPTION]... [FILE]...\n"
	"\n"
	"Look for what is wrong with traces: lines that are no event, keys that are\n"
	"missing, ids that come twice or do not fit together, clocks that were set,\n"
	"lines that were lost. FILE is an EVENT stream, a directory of them, or - for\n"
	"standard input; plain, gzip or zstd. Without FILE it is t2.data.\n"
	"\n"
	"      --strict       warnings count as errors\n"
	"      --limit N      print at most N problems of each kind (20; 0: all)\n"
	"      --format FORM  text or json\n"
	"      --help         this text\n"
	"\n"
	"An error is what no writer should write, or what is lost for good. A warning is\n"
	"what honest writers do at times: a process that was killed tells no end.\n"
	"Each problem is one line, FILE:LINE: error: what it is [kind]; at the end stands\n"
	"for each of these kinds how it should be.\n"
	"Exit status: 0 no errors, 1 errors, 2 wrong usage or no trace.\n"
	"\n"
	"Example:\n"
	"  t2 check --strict t2.data\n";

struct check {
	bool is_strict, is_json;
	unsigned long limit;
	uint64_t nr[T2_LINT_NR]; /* of each kind */
	bool has_printed;	 /* a problem, for the commas of JSON */
};

static const struct option longs[] = {
	{"strict", no_argument, NULL, 's'},
	{"limit", required_argument, NULL, 'l'},
	{"format", required_argument, NULL, 'f'},
	{NULL, 0, NULL, 0},
};

/* Returns whether the line made sense; says so if not. */
static bool parse(struct check *check, int argc, char **argv)
{
	int letter;
	char *end;

	while ((letter = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (letter == 's') {
			check->is_strict = true;
		} else if (letter == 'l') {
			check->limit = strtoul(optarg, &end, 10);
			if (*end || !*optarg || *optarg == '-') {
				fprintf(stderr, "t2 check: --limit %s: not a number\n", optarg);
				return false;
			}
		} else if (letter == 'f' && (!strcmp(optarg, "json") || !strcmp(optarg, "text"))) {
			check->is_json = *optarg == 'j';
		} else {
			if (letter == 'f')
				fprintf(stderr, "t2 check: --format %s: text or json\n", optarg);
			fputs("t2 check: t2 check --help tells the options\n", stderr);
			return false;
		}
	}
	return true;
}

/* Names from a stream, cut if they are absurd. */
static void print_clean(const char *text)
{
	char clean[1024];

	bool is_cut = t2_text_clean(clean, sizeof(clean), text, false) >= sizeof(clean);

	fputs(clean, stdout);
	if (is_cut)
		fputs("...", stdout);
}

static void print_text(const struct check *check, const struct t2_problem *problem)
{
	bool is_error = problem->is_error || check->is_strict;

	print_clean(problem->file);
	if (problem->line)
		printf(":%" PRIu64, problem->line);
	printf(": %s: ", is_error ? "error" : "warning");
	print_clean(problem->message);
	printf(" [%s]\n", t2_lint_name(problem->code));
}

static void print_json(struct check *check, const struct t2_problem *problem)
{
	fputs(check->has_printed ? ",\n" : "\n", stdout);
	fputs("{\"file\":", stdout);
	t2_print_json(stdout, problem->file);
	printf(",\"line\":%" PRIu64 ",\"severity\":\"%s\",\"kind\":\"%s\",\"message\":",
	       problem->line, problem->is_error || check->is_strict ? "error" : "warning",
	       t2_lint_name(problem->code));
	t2_print_json(stdout, problem->message);
	fputs(",\"rule\":", stdout);
	t2_print_json(stdout, t2_lint_rule(problem->code));
	putchar('}');
	check->has_printed = true;
}

static void report(void *arg, const struct t2_problem *problem)
{
	struct check *check = arg;

	if (check->nr[problem->code]++ >= check->limit && check->limit)
		return;
	if (check->is_json)
		print_json(check, problem);
	else
		print_text(check, problem);
}

static void print_rules(const struct check *check)
{
	for (int i = 0; i < T2_LINT_NR; i++) {
		if (check->nr[i])
			printf("[%s] %s\n", t2_lint_name((enum t2_lint_code)i),
			       t2_lint_rule((enum t2_lint_code)i));
	}
}

static void print_omitted(const struct check *check)
{
	for (int i = 0; i < T2_LINT_NR; i++) {
		if (check->limit && check->nr[i] > check->limit)
			printf("%" PRIu64 " more of kind %s; --limit 0 shows all\n",
			       check->nr[i] - check->limit, t2_lint_name((enum t2_lint_code)i));
	}
}

static void print_summary(const struct check *check, const struct t2_lint_stats *stats,
			  uint64_t nr_errors, uint64_t nr_warnings)
{
	if (check->is_json) {
		printf("%s],\n\"summary\":{\"lines\":%" PRIu64 ",\"events\":%" PRIu64
		       ",\"sessions\":%" PRIu64 ",\"errors\":%" PRIu64 ",\"warnings\":%" PRIu64
		       ",\"lost_lines\":%" PRIu64 "}}\n",
		       check->has_printed ? "\n" : "", stats->nr_lines, stats->nr_events,
		       stats->nr_sessions, nr_errors, nr_warnings, stats->nr_lost);
		return;
	}
	print_omitted(check);
	print_rules(check);
	printf("%" PRIu64 " line%s, %" PRIu64 " session%s: ", stats->nr_lines,
	       stats->nr_lines == 1 ? "" : "s", stats->nr_sessions,
	       stats->nr_sessions == 1 ? "" : "s");
	printf("%" PRIu64 " error%s, %" PRIu64 " warning%s\n", nr_errors, nr_errors == 1 ? "" : "s",
	       nr_warnings, nr_warnings == 1 ? "" : "s");
}

/* Returns the exit status. */
static int conclude(const struct check *check, struct t2_lint *lint, struct t2_source *source)
{
	struct t2_source_stats input;
	struct t2_lint_stats stats;
	uint64_t nr_errors, nr_warnings;

	t2_lint_finish(lint);
	t2_lint_get_stats(lint, &stats);
	/* What could not be read was complained of on standard error. */
	t2_source_get_stats(source, &input);
	nr_errors = stats.nr_errors + input.nr_complaints;
	nr_warnings = stats.nr_warnings;
	if (check->is_strict) {
		nr_errors += nr_warnings;
		nr_warnings = 0;
	}
	print_summary(check, &stats, nr_errors, nr_warnings);
	if (!input.nr_files)
		return 2;
	return nr_errors ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run(int argc, char **argv)
{
	static const char *const defaults[] = {"t2.data"};
	const struct t2_source_opts opts = {.messages = stderr};
	struct check check = {.limit = LIMIT};
	struct t2_source *source = NULL;
	struct t2_lint *lint = NULL;
	struct t2_line line;
	bool is_fine;
	int status = EXIT_FAILURE;

	if (!parse(&check, argc, argv))
		return 2;
	if (optind < argc)
		source = t2_source_open((const char *const *)argv + optind, (size_t)(argc - optind),
					&opts);
	else
		source = t2_source_open(defaults, 1, &opts);
	lint = t2_lint_new(report, &check);
	is_fine = source && lint;
	if (is_fine && check.is_json)
		fputs("{\"problems\":[", stdout);
	while (is_fine && t2_source_next(source, &line))
		is_fine = t2_lint_line(lint, &line);
	if (is_fine)
		status = conclude(&check, lint, source);
	else
		fputs("t2 check: out of memory\n", stderr);
	t2_lint_free(lint);
	t2_source_close(source);
	return status;
}

const struct t2_command t2_command_check = {
	.name = "check",
	.summary = "find what is wrong with a trace",
	.help = help,
	.run = run,
};
