/* SPDX-License-Identifier: MIT */
/*
 * Compare what the shim told with what the kernel saw: the EVENT lines of a
 * process tree against an strace of the same run, both ways. run.sh makes such
 * a pair.
 *
 * Order between processes is never compared, neither in the event file (a child
 * announces itself in its parent's name) nor by clock; sessions are joined to
 * processes by pid and time, and to each other by session id.
 */
#include "check.h"
#include "history.h"
#include "match.h"
#include "report.h"
#include "session.h"
#include "trace.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	bool is_verbose;
	const char *cwd;
	struct t2_rules rules;
};

struct totals {
	size_t nr_sessions;
	size_t nr_native;
	size_t nr_reaps;
};

static void usage(void)
{
	fputs("usage: oracle [-lv] [-d DIR] [-e PROGRAM]... [-s SHIM] [-x PROGRAM]...\n"
	      "              TRACE EVENTS\n"
	      "  -d DIR     directory in which the traced command was started\n"
	      "  -e PROGRAM its exit handlers may end it with another status than it asked for\n"
	      "  -l         a program may take the preload away from another\n"
	      "  -s SHIM    part of the preload's file name\n"
	      "  -v         tell what was compared\n"
	      "  -x PROGRAM of that nothing is expected\n"
	      "A PROGRAM is a pid, or a shell pattern for its argv.\n",
	      stderr);
	exit(2);
}

static void parse_options(struct options *options, int argc, char **argv)
{
	int letter;

	options->cwd = getcwd(NULL, 0);
	options->rules.shim = "libt2shim.so";
	while ((letter = getopt(argc, argv, "d:e:ls:vx:")) != -1) {
		switch (letter) {
		case 'd':
			options->cwd = optarg;
			break;
		case 'e':
			t2_vec_add(&options->rules.exit_free, optarg);
			break;
		case 'l':
			options->rules.is_leak_allowed = true;
			break;
		case 's':
			options->rules.shim = optarg;
			break;
		case 'v':
			options->is_verbose = true;
			break;
		case 'x':
			t2_vec_add(&options->rules.exempt, optarg);
			break;
		default:
			usage();
		}
	}
	if (argc - optind != 2)
		usage();
}

static void check_image(struct t2_image *image, const struct t2_rules *rules, struct totals *totals)
{
	if (!image->session)
		return;
	totals->nr_sessions++;
	if (image->is_exempt || image->role == T2_ROLE_OUTSIDE)
		return;
	t2_check_start(image);
	if (image->role == T2_ROLE_NATIVE) {
		totals->nr_native++;
		return;
	}
	t2_check_execs(image);
	t2_check_end(image, t2_match_is_listed(image, &rules->exit_free));
	totals->nr_reaps += t2_check_children(image);
}

static void summarize(const struct t2_trace *trace, const struct t2_history *history,
		      const struct t2_sessions *sessions, const struct totals *totals)
{
	printf("compared %zu lines of strace and %zu events\n", trace->nr_lines,
	       sessions->nr_lines);
	printf("processes %zu, execs %zu (failed %zu), reaps %zu\n", history->processes.nr,
	       history->nr_execs, history->nr_failed_execs, history->nr_reaped);
	printf("sessions %zu (native %zu, of no process %zu), reaps compared %zu\n",
	       totals->nr_sessions, totals->nr_native, sessions->all.nr - totals->nr_sessions,
	       totals->nr_reaps);
}

int main(int argc, char **argv)
{
	struct options options = {.is_verbose = false};
	struct t2_history history = {0};
	struct t2_sessions sessions = {0};
	struct t2_trace trace = {0};
	struct totals totals = {0};
	int error;

	parse_options(&options, argc, argv);
	error = t2_trace_read(&trace, argv[optind]);
	if (!error)
		error = t2_history_build(&history, &trace, options.cwd);
	if (error)
		errx(2, "%s: %s", argv[optind], strerror(-error));
	error = t2_sessions_read(&sessions, argv[optind + 1]);
	if (error)
		errx(2, "%s: %s", argv[optind + 1], strerror(-error));
	t2_match(&history, &sessions, &options.rules, trace.has_loaded);
	for (size_t i = 0; i < history.processes.nr; i++) {
		const struct t2_process *process = history.processes.at[i];

		for (size_t k = 0; k < process->images.nr; k++)
			check_image(process->images.at[k], &options.rules, &totals);
	}
	if (options.is_verbose)
		summarize(&trace, &history, &sessions, &totals);
	return t2_report_count() > 0;
}
