/* SPDX-License-Identifier: MIT */
/*
 * Exports that are tables: processes one by one for programs, commands counted
 * together for pages.
 */
#include "command/export.h"

#include <inttypes.h>

#include "command/causes.h"
#include "command/columns.h"
#include "command/groups.h"
#include "command/view.h"
#include "preload/version.h"

#define GROUPS_SHOWN 20

static bool put_processes(const struct t2_view *view, FILE *out, enum t2_output_format format)
{
	struct t2_table_opts opts = t2_view_table_opts(view, NULL);
	uint32_t limit = view->options->limit, nr = 0;
	struct t2_causes causes;
	struct t2_process_row row = {.view = view, .causes = &causes};
	struct t2_table *table;
	bool is_fine = t2_causes_find(&causes, view);

	opts.format = format;
	table = t2_table_begin(out, &opts, t2_process_columns);
	is_fine = is_fine && table;
	for (uint32_t id = 1; is_fine && id < view->trace->nr_processes; id++) {
		if (!t2_view_shows(view, id) || (limit && nr++ >= limit))
			continue;
		row.id = id;
		is_fine = t2_table_row(table, &row, false);
	}
	t2_table_end(table);
	t2_process_row_free(&row);
	t2_causes_free(&causes);
	return is_fine;
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
	fprintf(out, ",\"broken_lines\":%" PRIu64 "},\n\"processes\":", stats->nr_broken);
}

bool t2_export_json(const struct t2_view *view, const struct t2_export_opts *opts)
{
	bool is_fine;

	put_header(opts->out, view->trace, view->analysis);
	is_fine = put_processes(view, opts->out, T2_OUTPUT_JSON);
	fputs("}\n", opts->out);
	return is_fine;
}

bool t2_export_csv(const struct t2_view *view, const struct t2_export_opts *opts)
{
	return put_processes(view, opts->out, T2_OUTPUT_CSV);
}

bool t2_export_markdown(const struct t2_view *view, const struct t2_export_opts *opts)
{
	struct t2_table_opts table_opts =
		t2_view_table_opts(view, "weighted,share,count,self,cpu,rss,command");
	uint32_t limit = view->options->limit == UINT32_MAX ? GROUPS_SHOWN : view->options->limit;
	struct t2_table *table = NULL;
	struct t2_groups groups;
	bool is_fine = t2_groups_count(&groups, view);

	table_opts.format = T2_OUTPUT_MD;
	if (is_fine) {
		t2_groups_sort(&groups, view->options);
		table = t2_table_begin(opts->out, &table_opts, t2_group_columns);
		is_fine = table;
	}
	for (uint32_t i = 0; is_fine && i < groups.nr && (!limit || i < limit); i++) {
		struct t2_group_row row = {&groups.groups[i], view->analysis->wall_ns, false};

		is_fine = t2_table_row(table, &row, false);
	}
	t2_table_end(table);
	t2_groups_free(&groups);
	return is_fine;
}
