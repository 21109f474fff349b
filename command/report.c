/* SPDX-License-Identifier: MIT */
/*
 * t2 report: what happened, on one page.
 */
#include "command/report.h"

#include "command/causes.h"
#include "command/columns.h"
#include "command/command.h"
#include "command/critical.h"
#include "command/findings.h"
#include "command/groups.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>

#define CAUSES_SHOWN 3
#define GROUPS_SHOWN 8
#define OFF_MAX 32

enum { NO_FINDING = 256 };

static const char help[] =
	"usage: t2 report [OPTION]... [FILE]...\n"
	"\n"
	"What happened in a trace (t2.data), on one page: the verdict, how busy the\n"
	"machine was, what failed, where the time went (weighted: it sums to the wall\n"
	"clock), what the end waited for, findings with their evidence, and what could\n"
	"not be seen.\n"
	"\n"
	"      --no-finding CODE  say nothing of a kind, such as T2-003; repeatable\n"
	"\n"
	"Findings: T2-001 make without -j, 002 a long time with one process, 003 the same\n"
	"command again and again, 004 many short processes, 005 a long step that waits,\n"
	"006 memory that runs short, 007 retries, 008 programs searched in vain, 009 more\n"
	"processes than CPUs, 010 a make below a make that does not share its jobs, 011\n"
	"processes that could not be looked into, 012 what ccache and sccache had.\n"
	"\n"
	"With --format json: the numbers, the findings and the failures; t2 top,\n"
	"critical and failures have tables in all formats.\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Example:\n"
	"  t2 report --no-finding T2-004 --by source\n";

struct report {
	const struct t2_view *view;
	struct t2_causes causes;
	struct t2_groups groups;
	struct t2_finding findings[T2_FINDINGS_MAX];
	unsigned nr_findings;
	FILE *out;
};

/* --- the rest ----------------------------------------------------------------------- */

static void print_title(const struct report *report, const char *title, const char *more)
{
	bool is_coloured = report->view->options->is_coloured;

	fprintf(report->out, "\n%s%s%s%s\n", t2_style(is_coloured, T2_BOLD), title,
		t2_style(is_coloured, T2_PLAIN), more);
}

static void print_causes(const struct report *report)
{
	const struct t2_causes *causes = &report->causes;
	char of[64], count[T2_TEXT_MAX];
	uint32_t nr_shown = 0;

	if (!causes->nr)
		return;
	snprintf(of, sizeof(of), " (%s of %s)", t2_text_count(count, causes->nr),
		 t2_text_count((char[T2_TEXT_MAX]){0}, report->view->analysis->nr_processes));
	print_title(report, "FAILED", of);
	for (uint32_t i = 0; i < causes->nr && nr_shown < CAUSES_SHOWN; i++) {
		if (!t2_view_shows(report->view, causes->ids[i]))
			continue;
		t2_causes_print_one(report->view, report->out, causes->ids[i]);
		nr_shown++;
	}
	if (nr_shown < causes->nr)
		fprintf(report->out, "  %s more: t2 failures\n",
			t2_text_count(count, causes->nr - nr_shown));
}

static const char fields[] = "weighted,share,count,self,cpu,max,rss,command";

static void print_rest(const struct report *report, int64_t shown_ns, uint32_t nr)
{
	const struct t2_analysis *analysis = report->view->analysis;
	int64_t rest_ns = analysis->wall_ns - shown_ns - analysis->nobody_ns;
	char time[T2_TEXT_MAX], share[T2_TEXT_MAX], count[T2_TEXT_MAX];

	if (nr)
		fprintf(report->out, "  %s more commands: %s (%s): t2 top\n",
			t2_text_count(count, nr), t2_text_duration(time, rest_ns),
			t2_text_percent(share, t2_text_ppm(rest_ns, analysis->wall_ns)));
	if (analysis->nobody_ns)
		fprintf(report->out, "  nobody busy: %s (%s)\n",
			t2_text_duration(time, analysis->nobody_ns),
			t2_text_percent(share,
					t2_text_ppm(analysis->nobody_ns, analysis->wall_ns)));
}

static bool print_groups(struct report *report)
{
	const struct t2_options *options = report->view->options;
	struct t2_table_opts opts = t2_view_table_opts(report->view, fields);
	uint32_t limit = options->limit == UINT32_MAX ? GROUPS_SHOWN : options->limit;
	uint32_t nr = limit && limit < report->groups.nr ? limit : report->groups.nr;
	struct t2_table *table;
	int64_t shown_ns = report->groups.hidden_ns;
	bool is_done = true;

	opts.indent = "  ";
	t2_groups_sort(&report->groups, options);
	print_title(report, "WHERE THE TIME WENT", " (weighted: sums to wall)");
	table = t2_table_begin(report->out, &opts, t2_group_columns);
	for (uint32_t i = 0; table && i < nr; i++) {
		struct t2_group_row row = {&report->groups.groups[i],
					   report->view->analysis->wall_ns, false};

		is_done = is_done && t2_table_row(table, &row, false);
		shown_ns += row.group->weighted_ns;
	}
	t2_table_end(table);
	print_rest(report, shown_ns, report->groups.nr - nr);
	return table && is_done;
}

static void print_findings(const struct report *report)
{
	const struct t2_trace_stats *stats = &report->view->trace->stats;

	if (report->nr_findings)
		print_title(report, "FINDINGS", "");
	for (unsigned i = 0; i < report->nr_findings; i++)
		t2_finding_print(report->view, report->out, &report->findings[i]);
	if (stats->nr_outside || stats->nr_incomplete || stats->nr_orphans || stats->nr_broken ||
	    stats->nr_cut || stats->nr_ignored || stats->nr_discarded || stats->nr_backwards ||
	    report->view->source.nr_unreadable) {
		print_title(report, "NOT SEEN", "");
		t2_view_print_outside(report->view, report->out, "  ");
		t2_view_print_unseen(report->view, report->out, "  ");
	}
}

/* --- for programs ------------------------------------------------------------------- */

static void print_json_lists(const struct report *report)
{
	FILE *out = report->out;

	fputs(",\n\"failures\":[", out);
	for (uint32_t i = 0; i < report->causes.nr; i++) {
		uint32_t id = report->causes.ids[i];
		char *command = t2_view_command(report->view, id), end[T2_TEXT_MAX];

		fprintf(out, "%s{\"pid\":%d,\"status\":\"%s\",\"command\":", i ? ",\n" : "",
			(int)report->view->trace->processes[id].pid,
			t2_end_text(&report->view->trace->processes[id], end));
		t2_print_json(out, command ? command : "");
		fputc('}', out);
		free(command);
	}
	fputs("],\n\"findings\":[", out);
	for (unsigned i = 0; i < report->nr_findings; i++) {
		fprintf(out, "%s{\"code\":\"%s\",\"text\":", i ? ",\n" : "",
			report->findings[i].code);
		t2_print_json(out, report->findings[i].text);
		fputc('}', out);
	}
	fputs("]}\n", out);
}

static void print_json(const struct report *report)
{
	const struct t2_analysis *analysis = report->view->analysis;
	const struct t2_trace_stats *stats = &report->view->trace->stats;
	char *command = t2_report_command(report->view);
	char verdict[T2_REPORT_VERDICT_MAX];
	FILE *out = report->out;

	fputs("{\"command\":", out);
	t2_print_json(out, command ? command : "");
	fprintf(out, ",\"verdict\":\"%s\",\"start_ns\":%lld,\"wall_ns\":%lld",
		t2_report_verdict(report->view, verdict), (long long)analysis->start_ns,
		(long long)analysis->wall_ns);
	fprintf(out, ",\"cpu_ns\":%llu,\"cpus\":%u,\"busy_ns\":%lld,\"nobody_ns\":%lld",
		(unsigned long long)analysis->cpu_ns, report->view->options->nr_cpus,
		(long long)analysis->busy_ns, (long long)analysis->nobody_ns);
	fprintf(out, ",\"serial_ns\":%lld,\"max_rss_kb\":%u,\"processes\":%u",
		(long long)analysis->serial_ns, analysis->max_rss_kb, analysis->nr_processes);
	fprintf(out, ",\"outside\":%u,\"incomplete\":%u,\"orphans\":%u,\"broken_lines\":%llu",
		stats->nr_outside, stats->nr_incomplete, stats->nr_orphans,
		(unsigned long long)stats->nr_broken);
	print_json_lists(report);
	free(command);
}

/* --- from begin to end --------------------------------------------------------------- */

static bool print_text(struct report *report)
{
	t2_report_print_head(report->view);
	print_causes(report);
	if (!print_groups(report))
		return false;
	t2_critical_print_short(report->view, report->out);
	print_findings(report);
	return true;
}

struct off {
	const char *codes[OFF_MAX];
	unsigned nr;
};

static bool on_extra(void *arg, int val, const char *value)
{
	struct off *off = arg;

	(void)val;
	if (!t2_finding_exists(value) || off->nr == OFF_MAX) {
		fprintf(stderr, "t2 report: no such finding: %s\n", value);
		return false;
	}
	off->codes[off->nr++] = value;
	return true;
}

static int print(struct t2_view *view, void *arg)
{
	struct report report = {.view = view, .out = view->out};
	const struct off *off = arg;
	bool is_done;

	if (view->options->format == T2_OUTPUT_CSV || view->options->format == T2_OUTPUT_MD) {
		fputs("t2 report: as text or json only; t2 top and others have tables\n", stderr);
		return T2_VIEW_USAGE;
	}
	is_done = t2_causes_find(&report.causes, view) && t2_groups_count(&report.groups, view);
	if (is_done) {
		report.nr_findings = t2_findings(view, off->codes, off->nr, report.findings);
		if (view->options->format == T2_OUTPUT_JSON)
			print_json(&report);
		else
			is_done = print_text(&report);
	}
	t2_groups_free(&report.groups);
	t2_causes_free(&report.causes);
	return is_done ? T2_VIEW_OK : T2_VIEW_NO_MEMORY;
}

static int print_on(FILE *out, int argc, char **argv)
{
	static const struct option extra[] = {{"no-finding", required_argument, NULL, NO_FINDING},
					      {0}};
	struct off off = {.nr = 0};
	const struct t2_view_spec spec = {
		.options = {.name = "report",
			    .columns = t2_group_columns,
			    .is_sorted = true,
			    .extra = extra,
			    .on_extra = on_extra,
			    .arg = &off,
			    .is_stderr = out == stderr},
		.wants = T2_VIEW_ANALYSED,
		.print = print,
	};

	return t2_view_run(&spec, argc, argv, out);
}

int t2_report_file(const char *path, FILE *out)
{
	char name[] = "report", end[] = "--", *copy = strdup(path);
	char *argv[] = {name, end, copy, NULL};
	int status = copy ? print_on(out, 3, argv) : T2_VIEW_USAGE;

	free(copy);
	return status;
}

static int run(int argc, char **argv)
{
	return print_on(stdout, argc, argv);
}

const struct t2_command t2_command_report = {
	.name = "report",
	.summary = "what happened, on one page",
	.help = help,
	.run = run,
};
