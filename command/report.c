/* SPDX-License-Identifier: MIT */
/*
 * t2 report: what happened, on one page.
 */
#include "command/report.h"

#include "command/causes.h"
#include "command/command.h"
#include "command/critical.h"
#include "command/findings.h"
#include "command/groups.h"
#include "command/key.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CAUSES_SHOWN 3
#define GROUPS_SHOWN 8
#define OFF_MAX 32
#define SPARK_MAX 60
#define NAME_ROOM 256
#define LINE_ROOM 512

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

/* --- the head ----------------------------------------------------------------------- */

/* The first process of all, as it was in the end. */
static uint32_t find_first(const struct t2_view *view)
{
	return view->root == T2_ROOT ? t2_first_child(T2_ROOT) : view->root;
}

/* What the user typed is behind "env", which a script may name as its interpreter. */
static char *first_command(const struct t2_view *view)
{
	const struct t2_process *processes = view->trace->processes;
	uint32_t id = find_first(view);
	char name[NAME_ROOM];

	t2_key_name(&processes[id], name, sizeof(name));
	if (!strcmp(name, "env") && processes[id].next_exec != T2_NO_PROCESS)
		id = processes[id].next_exec;
	return t2_view_command(view, id);
}

static uint32_t last_image(const struct t2_view *view, uint32_t id)
{
	while (view->trace->processes[id].next_exec != T2_NO_PROCESS)
		id = view->trace->processes[id].next_exec;
	return id;
}

static uint32_t count_first_ones(const struct t2_view *view)
{
	const struct t2_trace *trace = view->trace;
	uint32_t nr = 0;

	if (view->root != T2_ROOT)
		return 1;
	for (uint32_t id = 1; id < trace->nr_processes; id = t2_next_sibling(trace, id))
		nr++;
	return nr;
}

/* How it ended: a failure among several first ones is what counts. */
static void put_verdict(const struct report *report, char *out, size_t size)
{
	const struct t2_view *view = report->view;
	const struct t2_trace *trace = view->trace;
	uint32_t id = find_first(view), worst = last_image(view, id);
	char end[T2_TEXT_MAX];

	for (; view->root == T2_ROOT && id < trace->nr_processes; id = t2_next_sibling(trace, id)) {
		uint32_t last = last_image(view, id);

		if (t2_has_failed(&trace->processes[last]) &&
		    !t2_has_failed(&trace->processes[worst]))
			worst = last;
	}
	t2_end_text(&trace->processes[worst], end);
	if (t2_has_failed(&trace->processes[worst]))
		snprintf(out, size, "%s (FAILED)", end);
	else if (trace->processes[worst].end == T2_END_EXIT)
		snprintf(out, size, "ok");
	else
		snprintf(out, size, "no end seen");
}

static void put_date(const struct report *report, char *out, size_t size)
{
	time_t seconds = (time_t)(report->view->analysis->start_ns / 1000000000);
	struct tm local;

	*out = '\0';
	if (localtime_r(&seconds, &local))
		strftime(out, size, "%Y-%m-%d %H:%M", &local);
}

static void print_verdict(const struct report *report)
{
	const struct t2_view *view = report->view;
	char verdict[64], date[64], wall[T2_TEXT_MAX], more[64] = "", facts[LINE_ROOM];
	char *command = first_command(view), shown[LINE_ROOM];
	uint32_t nr = count_first_ones(view);
	bool is_coloured = view->options->is_coloured;
	unsigned width = view->options->width, taken;

	put_verdict(report, verdict, sizeof(verdict));
	put_date(report, date, sizeof(date));
	if (nr > 1)
		snprintf(more, sizeof(more), " (and %s more)", t2_text_count(wall, nr - 1));
	snprintf(facts, sizeof(facts), "%s   %s wall   %s", verdict,
		 t2_text_duration(wall, view->analysis->wall_ns), date);
	taken = t2_text_columns(facts) + t2_text_columns(more) + 3;
	t2_text_elide(shown, sizeof(shown), command ? command : "?",
		      width > taken + 12 ? width - taken : 12, view->options->is_unicode);
	fprintf(report->out, "%s%s%s%s   %s%s%s\n", t2_style(is_coloured, T2_BOLD), shown,
		t2_style(is_coloured, T2_PLAIN), more,
		t2_style(is_coloured && strstr(verdict, "FAILED"), T2_RED), facts,
		t2_style(is_coloured, T2_PLAIN));
	free(command);
}

static void print_use(const struct report *report)
{
	const struct t2_analysis *analysis = report->view->analysis;
	const struct t2_options *options = report->view->options;
	char cpu[T2_TEXT_MAX], share[T2_TEXT_MAX], rss[T2_TEXT_MAX] = "?", count[T2_TEXT_MAX];
	char name[NAME_ROOM] = "?", shown[NAME_ROOM], line[LINE_ROOM], before[128], after[64];
	unsigned taken;

	if (analysis->max_rss_process != T2_ROOT) {
		t2_key_name(&report->view->trace->processes[analysis->max_rss_process], name,
			    sizeof(name));
		t2_text_bytes(rss, analysis->max_rss_kb);
	}
	/* The first process is seen from when it can speak: where it is soon over, too late. */
	t2_text_percent(share, analysis->cpu_ppm > 1000000 ? 1000000 : (int64_t)analysis->cpu_ppm);
	snprintf(before, sizeof(before), "CPU %s (%s of %u CPU%s%s)   peak RSS %s (",
		 t2_text_duration(cpu, (int64_t)analysis->cpu_ns), share, options->nr_cpus,
		 options->nr_cpus == 1 ? "" : "s", options->has_cpus ? "" : " here", rss);
	snprintf(after, sizeof(after), ")   %s process%s",
		 t2_text_count(count, analysis->nr_processes),
		 analysis->nr_processes == 1 ? "" : "es");
	taken = t2_text_columns(before) + t2_text_columns(after) + 2;
	t2_text_elide(shown, sizeof(shown), name,
		      options->width > taken + 6 ? options->width - taken : 6, options->is_unicode);
	snprintf(line, sizeof(line), "%s%s%s", before, shown, after);
	t2_print_line(report->view, report->out, "  ", line);
}

static void print_parallelism(const struct report *report)
{
	const struct t2_analysis *analysis = report->view->analysis;
	const struct t2_options *options = report->view->options;
	int64_t wall_ns = analysis->wall_ns, many_ns;
	char low[T2_TEXT_MAX], high[T2_TEXT_MAX], line[LINE_ROOM];
	int len;

	len = snprintf(line, sizeof(line),
		       "busy processes: mean %.1f, median %u, most %u;  0-1: %s of wall",
		       wall_ns ? (double)analysis->busy_ns / (double)wall_ns : 0.0,
		       t2_analysis_median(analysis), analysis->nr_at - 1,
		       t2_text_percent(low, t2_text_ppm(t2_analysis_at(analysis, 0, 1), wall_ns)));
	many_ns = t2_analysis_at(analysis, options->nr_cpus, UINT32_MAX);
	if (options->nr_cpus > 1)
		snprintf(line + len, sizeof(line) - (size_t)len, ", %u+: %s", options->nr_cpus,
			 t2_text_percent(high, t2_text_ppm(many_ns, wall_ns)));
	t2_print_line(report->view, report->out, "  ", line);
}

/* Its columns are the buckets of the analysis, put together where it is narrow. */
static void print_spark(const struct report *report)
{
	const struct t2_analysis *analysis = report->view->analysis;
	unsigned width = report->view->options->width - 20;
	uint32_t fold = 1, nr = analysis->nr_buckets;
	int64_t values[SPARK_MAX] = {0}, max = 0;
	char spark[SPARK_MAX * 3 + 1], wall[T2_TEXT_MAX];

	while (nr / fold > width || nr / fold > SPARK_MAX)
		fold++;
	for (uint32_t i = 0; i < nr / fold * fold; i++)
		values[i / fold] += analysis->bucket_ns[i];
	for (uint32_t i = 0; i < nr / fold; i++) {
		if (values[i] > max)
			max = values[i];
	}
	t2_text_sparkline(spark, values, nr / fold, max, report->view->options->is_unicode);
	fprintf(report->out, "  0s %s %s\n", spark, t2_text_duration(wall, analysis->wall_ns));
}

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

static const struct t2_column columns[] = {
	{.name = "weighted", .title = "weighted", .kind = T2_KIND_DURATION},
	{.name = "share", .title = "%", .kind = T2_KIND_PERCENT},
	{.name = "count", .title = "count", .kind = T2_KIND_COUNT},
	{.name = "self", .title = "self", .kind = T2_KIND_DURATION},
	{.name = "cpu", .title = "cpu", .kind = T2_KIND_DURATION},
	{.name = "max", .title = "max", .kind = T2_KIND_DURATION},
	{.name = "rss", .title = "rss max", .kind = T2_KIND_BYTES},
	{.name = "command", .title = "command", .kind = T2_KIND_TEXT},
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

static bool put_group(struct t2_table *table, const struct t2_group *group, int64_t wall_ns)
{
	t2_table_number(table, group->weighted_ns);
	t2_table_number(table, t2_text_ppm(group->weighted_ns, wall_ns));
	t2_table_number(table, group->count);
	t2_table_number(table, group->self_ns);
	t2_table_number(table, group->cpu_ns);
	t2_table_number(table, group->max_ns);
	t2_table_number(table, group->max_rss_kb ? (int64_t)group->max_rss_kb : T2_UNKNOWN);
	t2_table_text(table, group->name);
	return t2_table_row(table, false);
}

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
	static const unsigned by_weight = T2_GROUP_WEIGHTED;
	const struct t2_options *options = report->view->options;
	struct t2_table_opts opts = t2_view_table_opts(report->view);
	uint32_t limit = options->limit == UINT32_MAX ? GROUPS_SHOWN : options->limit;
	uint32_t nr = limit && limit < report->groups.nr ? limit : report->groups.nr;
	struct t2_table *table;
	int64_t shown_ns = report->groups.hidden_ns;
	bool is_done = true;

	opts.indent = "  ";
	t2_groups_sort(&report->groups, options->nr_sort ? options->sort : &by_weight,
		       options->nr_sort ? options->nr_sort : 1);
	print_title(report, "WHERE THE TIME WENT", " (weighted: sums to wall)");
	table = t2_table_begin(report->out, &opts, columns, NR_COLUMNS, "report");
	for (uint32_t i = 0; table && i < nr; i++) {
		is_done = is_done && put_group(table, &report->groups.groups[i],
					       report->view->analysis->wall_ns);
		shown_ns += report->groups.groups[i].weighted_ns;
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
	char *command = first_command(report->view), verdict[64];
	FILE *out = report->out;

	put_verdict(report, verdict, sizeof(verdict));
	fputs("{\"command\":", out);
	t2_print_json(out, command ? command : "");
	fprintf(out, ",\"verdict\":\"%s\",\"start_ns\":%lld,\"wall_ns\":%lld", verdict,
		(long long)analysis->start_ns, (long long)analysis->wall_ns);
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
	print_verdict(report);
	print_use(report);
	print_parallelism(report);
	print_spark(report);
	print_causes(report);
	if (!print_groups(report))
		return false;
	fputc('\n', report->out);
	t2_critical_print_short(report->view, report->out);
	print_findings(report);
	return true;
}

int t2_report_print(const struct t2_view *view, FILE *out, const char *const *off, unsigned nr_off)
{
	struct report report = {.view = view, .out = out};
	bool is_done =
		t2_causes_find(&report.causes, view) && t2_groups_count(&report.groups, view);

	if (is_done) {
		report.nr_findings = t2_findings(view, off, nr_off, report.findings);
		if (view->options->format == T2_FORMAT_JSON)
			print_json(&report);
		else
			is_done = print_text(&report);
	}
	t2_groups_free(&report.groups);
	t2_causes_free(&report.causes);
	return is_done ? T2_VIEW_OK : T2_VIEW_USAGE;
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

static int report_args(int argc, char **argv, FILE *out)
{
	static const struct option extra[] = {{"no-finding", required_argument, NULL, NO_FINDING},
					      {0}};
	struct off off = {.nr = 0};
	struct t2_options_spec spec = {.name = "report",
				       .sort_keys = t2_group_keys,
				       .extra = extra,
				       .on_extra = on_extra,
				       .arg = &off,
				       .is_stderr = out == stderr};
	struct t2_view view = {0};
	struct t2_options options;
	int status;

	status = t2_options_parse(&options, &spec, argc, argv);
	if (!status && (options.format == T2_FORMAT_CSV || options.format == T2_FORMAT_MD)) {
		fputs("t2 report: as text or json only; t2 top and others have tables\n", stderr);
		status = T2_VIEW_USAGE;
	}
	if (!status)
		status = t2_view_load(&view, &options, options.files, options.nr_files, true);
	if (!status)
		status = t2_report_print(&view, out, off.codes, off.nr);
	t2_view_free(&view);
	t2_options_free(&options);
	return status;
}

int t2_report_file(const char *path, FILE *out)
{
	char name[] = "report", end[] = "--", *copy = strdup(path);
	char *argv[] = {name, end, copy, NULL};
	int status = copy ? report_args(3, argv, out) : T2_VIEW_USAGE;

	free(copy);
	return status;
}

static int run(int argc, char **argv)
{
	return report_args(argc, argv, stdout);
}

const struct t2_command t2_command_report = {
	.name = "report",
	.summary = "what happened, on one page",
	.help = help,
	.run = run,
};
