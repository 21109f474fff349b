/* SPDX-License-Identifier: MIT */
/*
 * The first lines of a report: what it is of, how it ended, and how busy it was.
 */
#include "command/causes.h"
#include "command/key.h"
#include "command/report.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPARK_MAX 60
#define NAME_ROOM 256
#define LINE_ROOM 512
/* Of the command beside how it ended; where that leaves it less, it has a line of its own. */
#define COMMAND_MIN 12

uint32_t t2_report_first(const struct t2_view *view)
{
	return view->root == T2_ROOT ? t2_first_child(T2_ROOT) : view->root;
}

char *t2_report_command(const struct t2_view *view)
{
	const struct t2_process *processes = view->trace->processes;
	uint32_t id = t2_report_first(view);
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

char *t2_report_verdict(const struct t2_view *view, char *out)
{
	const struct t2_trace *trace = view->trace;
	uint32_t id = t2_report_first(view), worst = last_image(view, id);
	char end[T2_TEXT_MAX];

	for (; view->root == T2_ROOT && id < trace->nr_processes; id = t2_next_sibling(trace, id)) {
		uint32_t last = last_image(view, id);

		if (t2_has_failed(&trace->processes[last]) &&
		    !t2_has_failed(&trace->processes[worst]))
			worst = last;
	}
	t2_end_text(&trace->processes[worst], end);
	if (t2_has_failed(&trace->processes[worst]))
		snprintf(out, T2_REPORT_VERDICT_MAX, "%s (FAILED)", end);
	else if (trace->processes[worst].end == T2_END_EXIT)
		strcpy(out, "ok");
	else
		strcpy(out, "no end seen");
	return out;
}

static void put_date(const struct t2_view *view, char *out, size_t size)
{
	time_t seconds = (time_t)(view->analysis->start_ns / 1000000000);
	struct tm local;

	*out = '\0';
	if (localtime_r(&seconds, &local))
		strftime(out, size, "%Y-%m-%d %H:%M", &local);
}

static void print_verdict(const struct t2_view *view)
{
	char verdict[T2_REPORT_VERDICT_MAX], date[64], wall[T2_TEXT_MAX], more[64] = "",
									  facts[LINE_ROOM];
	char *command = t2_report_command(view), shown[LINE_ROOM];
	uint32_t nr = count_first_ones(view);
	bool is_coloured = view->options->is_coloured;
	unsigned width = view->options->width, taken;
	bool is_narrow;

	t2_report_verdict(view, verdict);
	put_date(view, date, sizeof(date));
	if (nr > 1)
		snprintf(more, sizeof(more), " (and %s more)", t2_text_count(wall, nr - 1));
	snprintf(facts, sizeof(facts), "%s   %s wall   %s", verdict,
		 t2_text_duration(wall, view->analysis->wall_ns), date);
	taken = t2_text_columns(facts) + t2_text_columns(more) + 3;
	is_narrow = width < taken + COMMAND_MIN;
	if (is_narrow)
		taken = t2_text_columns(more);
	t2_text_elide(shown, sizeof(shown), command ? command : "?",
		      width > taken + COMMAND_MIN ? width - taken : COMMAND_MIN,
		      view->options->is_unicode);
	fprintf(view->out, "%s%s%s%s%s%s%s%s\n", t2_style(is_coloured, T2_BOLD), shown,
		t2_style(is_coloured, T2_PLAIN), more, is_narrow ? "\n  " : "   ",
		t2_style(is_coloured && strstr(verdict, "FAILED"), T2_RED), facts,
		t2_style(is_coloured, T2_PLAIN));
	free(command);
}

static void print_use(const struct t2_view *view)
{
	const struct t2_analysis *analysis = view->analysis;
	const struct t2_options *options = view->options;
	char cpu[T2_TEXT_MAX], share[T2_TEXT_MAX], rss[T2_TEXT_MAX] = "?", count[T2_TEXT_MAX];
	char name[NAME_ROOM] = "?", shown[NAME_ROOM], line[LINE_ROOM], before[128], after[64];
	unsigned taken;

	if (analysis->max_rss_process != T2_ROOT) {
		t2_key_name(&view->trace->processes[analysis->max_rss_process], name, sizeof(name));
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
	t2_print_line(view, view->out, "  ", line);
}

static void print_parallelism(const struct t2_view *view)
{
	const struct t2_analysis *analysis = view->analysis;
	const struct t2_options *options = view->options;
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
	t2_print_line(view, view->out, "  ", line);
}

/* Its columns are the buckets of the analysis, put together where it is narrow. */
static void print_spark(const struct t2_view *view)
{
	const struct t2_analysis *analysis = view->analysis;
	unsigned width = view->options->width - 20;
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
	t2_text_sparkline(spark, values, nr / fold, max, view->options->is_unicode);
	fprintf(view->out, "  0s %s %s\n", spark, t2_text_duration(wall, analysis->wall_ns));
}

void t2_report_print_head(const struct t2_view *view)
{
	print_verdict(view);
	print_use(view);
	print_parallelism(view);
	print_spark(view);
}
