/* SPDX-License-Identifier: MIT */
/*
 * Processes one by one, for programs: JSON and CSV.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/analysis.h"
#include "command/export.h"
#include "command/key.h"
#include "command/table.h"
#include "command/trace.h"
#include "preload/version.h"

#define SID_MAX 8192
#define TEXT_MAX ((size_t)1 << 17)

static const struct t2_column columns[] = {
	{.name = "id", .kind = T2_KIND_COUNT},
	{.name = "parent", .kind = T2_KIND_COUNT},
	{.name = "depth", .kind = T2_KIND_COUNT},
	{.name = "sid", .kind = T2_KIND_TEXT},
	{.name = "host", .kind = T2_KIND_TEXT},
	{.name = "pid", .kind = T2_KIND_COUNT},
	{.name = "name", .kind = T2_KIND_TEXT},
	{.name = "command", .kind = T2_KIND_TEXT},
	{.name = "exe", .kind = T2_KIND_TEXT},
	{.name = "cwd", .kind = T2_KIND_TEXT},
	{.name = "child_class", .kind = T2_KIND_TEXT},
	{.name = "start", .kind = T2_KIND_DURATION},
	{.name = "wall", .kind = T2_KIND_DURATION},
	{.name = "self", .kind = T2_KIND_DURATION},
	{.name = "weighted", .kind = T2_KIND_DURATION},
	{.name = "cpu", .kind = T2_KIND_DURATION},
	{.name = "total_cpu", .kind = T2_KIND_DURATION},
	{.name = "max_rss", .kind = T2_KIND_BYTES},
	{.name = "threads", .kind = T2_KIND_COUNT},
	{.name = "end", .kind = T2_KIND_TEXT},
	{.name = "code", .kind = T2_KIND_COUNT},
	{.name = "signal", .kind = T2_KIND_COUNT},
	{.name = "seen", .kind = T2_KIND_TEXT},
	{.name = "error", .kind = T2_KIND_TEXT},
};
#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

/* Where cells go: a table, or an object. */
struct sink {
	struct t2_table *table; /* NULL: an object on @out */
	FILE *out;
	const struct t2_trace *trace;
	const struct t2_analysis *analysis;
	unsigned column; /* the next one */
	char *text;	 /* TEXT_MAX bytes */
};

static void begin_cell(struct sink *sink)
{
	static const char *const endings[] = {
		[T2_KIND_TEXT] = "",	 [T2_KIND_COUNT] = "",	 [T2_KIND_DURATION] = "_ns",
		[T2_KIND_BYTES] = "_kb", [T2_KIND_PERCENT] = "",
	};
	const struct t2_column *column = &columns[sink->column++];

	fprintf(sink->out, "%s\"%s%s\":", sink->column > 1 ? "," : "{", column->name,
		endings[column->kind]);
}

static void put_text(struct sink *sink, const char *text)
{
	if (sink->table) {
		t2_table_text(sink->table, text);
		return;
	}
	begin_cell(sink);
	if (text)
		t2_print_json(sink->out, text);
	else
		fputs("null", sink->out);
}

static void put_number(struct sink *sink, int64_t number)
{
	if (sink->table) {
		t2_table_number(sink->table, number);
		return;
	}
	begin_cell(sink);
	if (number == T2_UNKNOWN)
		fputs("null", sink->out);
	else
		fprintf(sink->out, "%" PRId64, number);
}

static int64_t known(int64_t number)
{
	return number < 0 ? T2_UNKNOWN : number;
}

static const char *end_name(const struct t2_process *process)
{
	static const char *const names[] = {
		[T2_END_UNKNOWN] = NULL,
		[T2_END_EXIT] = "exit",
		[T2_END_SIGNAL] = "signal",
		[T2_END_EXEC] = "exec",
	};

	return process->is_unstarted ? "unstarted" : names[process->end];
}

/* How much of it there is to know. */
static const char *seen_name(const struct t2_process *process)
{
	if (process->is_outside)
		return "outside";
	return process->is_incomplete ? "incomplete" : "whole";
}

static void put_who(struct sink *sink, uint32_t id)
{
	const struct t2_process *process = &sink->trace->processes[id];

	put_number(sink, id);
	put_number(sink, process->parent == T2_ROOT ? T2_UNKNOWN : process->parent);
	put_number(sink, process->depth);
	t2_trace_sid(sink->trace, id, sink->text, SID_MAX);
	put_text(sink, process->is_outside ? NULL : sink->text);
	put_text(sink, process->host < sink->trace->nr_hosts
			       ? sink->trace->hosts[process->host].name
			       : NULL);
	put_number(sink, known(process->pid));
	t2_key_name(process, sink->text, TEXT_MAX);
	put_text(sink, sink->text);
	t2_key_command(process, sink->text, TEXT_MAX);
	put_text(sink, sink->text);
	put_text(sink, process->exe);
	put_text(sink, process->cwd);
	put_text(sink,
		 process->child_class ? t2_child_class(sink->trace, process->child_class) : NULL);
}

static void put_what(struct sink *sink, uint32_t id)
{
	const struct t2_process *process = &sink->trace->processes[id];
	const struct t2_usage *usage = &sink->analysis->usage[id];
	bool has_cpu = process->has_rusage || process->has_reaped_rusage;
	uint32_t rss_kb =
		process->has_rusage ? process->self.max_rss_kb : process->reaped_max_rss_kb;

	put_number(sink, process->start_ns - sink->analysis->start_ns);
	put_number(sink, process->end_ns - process->start_ns);
	put_number(sink, usage->self_ns);
	put_number(sink, usage->weighted_ns);
	put_number(sink, has_cpu ? (int64_t)process->cpu_ns : T2_UNKNOWN);
	put_number(sink, has_cpu ? (int64_t)process->total_cpu_ns : T2_UNKNOWN);
	put_number(sink, has_cpu ? rss_kb : T2_UNKNOWN);
	put_number(sink, process->is_outside ? T2_UNKNOWN : process->nr_threads);
	put_text(sink, end_name(process));
	put_number(sink, process->end == T2_END_EXEC ? T2_UNKNOWN : known(process->code));
	put_number(sink, process->signo ? process->signo : T2_UNKNOWN);
	put_text(sink, seen_name(process));
	put_text(sink, process->error);
}

/* --- JSON --------------------------------------------------------------------- */

static void put_argv(FILE *out, const struct t2_process *process)
{
	const char *arg = process->argv;

	fputs(",\"argv\":[", out);
	for (uint32_t i = 0; i < process->argc; i++, arg += strlen(arg) + 1) {
		if (i)
			putc(',', out);
		t2_print_json(out, arg);
	}
	fputs("]}", out);
}

static void put_header(FILE *out, const struct t2_trace *trace, const struct t2_analysis *analysis)
{
	const struct t2_trace_stats *stats = &trace->stats;

	fprintf(out, "{\"trace\":{\"form\":1,\"t2\":\"%s\",\"start_us\":%" PRId64, T2_VERSION,
		analysis->start_ns / 1000);
	fprintf(out, ",\"wall_ns\":%" PRId64 ",\"busy_ns\":%" PRId64 ",\"nobody_ns\":%" PRId64,
		analysis->wall_ns, analysis->busy_ns, analysis->nobody_ns);
	fprintf(out, ",\"cpu_ns\":%" PRIu64 ",\"max_rss_kb\":%" PRIu32, analysis->cpu_ns,
		analysis->max_rss_kb);
	fprintf(out, ",\"processes\":%" PRIu32 ",\"outside\":%" PRIu32 ",\"incomplete\":%" PRIu32,
		stats->nr_processes, stats->nr_outside, stats->nr_incomplete);
	fprintf(out, ",\"broken_lines\":%" PRIu64 "},\n\"processes\":[", stats->nr_broken);
}

static void put_objects(struct sink *sink)
{
	put_header(sink->out, sink->trace, sink->analysis);
	for (uint32_t id = 1; id < sink->trace->nr_processes; id++) {
		fputs(id > 1 ? ",\n" : "\n", sink->out);
		sink->column = 0;
		put_who(sink, id);
		put_what(sink, id);
		put_argv(sink->out, &sink->trace->processes[id]);
	}
	fputs("\n]}\n", sink->out);
}

/* --- CSV ---------------------------------------------------------------------- */

static bool put_rows(struct sink *sink)
{
	const struct t2_table_opts opts = {.format = T2_FORMAT_CSV};
	bool is_fine = true;

	sink->table = t2_table_begin(sink->out, &opts, columns, NR_COLUMNS, "t2 export");
	if (!sink->table)
		return false;
	for (uint32_t id = 1; is_fine && id < sink->trace->nr_processes; id++) {
		put_who(sink, id);
		put_what(sink, id);
		is_fine = t2_table_row(sink->table, false);
	}
	t2_table_end(sink->table);
	return is_fine;
}

static bool export(struct t2_source *source, const struct t2_export_opts *opts, bool is_csv)
{
	struct t2_trace *trace = t2_trace_read(source, NULL);
	struct t2_analysis *analysis = trace ? t2_analyse(trace, NULL) : NULL;
	struct sink sink = {.out = opts->out, .trace = trace, .analysis = analysis};
	bool is_fine;

	sink.text = malloc(TEXT_MAX);
	is_fine = analysis && sink.text;
	if (is_fine && is_csv)
		is_fine = put_rows(&sink);
	else if (is_fine)
		put_objects(&sink);
	free(sink.text);
	t2_analysis_free(analysis);
	t2_trace_free(trace);
	return is_fine;
}

bool t2_export_json(struct t2_source *source, const struct t2_export_opts *opts)
{
	return export(source, opts, false);
}

bool t2_export_csv(struct t2_source *source, const struct t2_export_opts *opts)
{
	return export(source, opts, true);
}
