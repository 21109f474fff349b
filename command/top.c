/* SPDX-License-Identifier: MIT */
/*
 * t2 top: a row per command.
 */
#include "command/command.h"
#include "command/groups.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_DEFAULT 25

static const char help[] =
	"usage: t2 top [OPTION]... [FILE]...\n"
	"\n"
	"A table of the commands in a trace (t2.data): where the time went. The weighted\n"
	"time is a command's share of the wall clock: while several processes are busy,\n"
	"each has its part of that time. With the rows in parentheses it sums to the wall\n"
	"clock. Self is the time without children, total is from start to end, cpu what\n"
	"the processes used themselves, rss the largest of one.\n"
	"\n"
	"Sort keys: weighted (the default), self, total, cpu, rss, count, avg, max, fail,\n"
	"io. "
	"Of text the first 25 rows are shown; -n 0 shows all.\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Example:\n"
	"  t2 top -s cpu --by source -F cc1plus\n";

static const struct t2_column columns[] = {
	{.name = "weighted", .title = "weighted", .kind = T2_KIND_DURATION},
	{.name = "share", .title = "%", .kind = T2_KIND_PERCENT},
	{.name = "count", .title = "count", .kind = T2_KIND_COUNT},
	{.name = "self", .title = "self", .kind = T2_KIND_DURATION, .drop = 1},
	{.name = "total", .title = "total", .kind = T2_KIND_DURATION, .drop = 4},
	{.name = "cpu", .title = "cpu", .kind = T2_KIND_DURATION},
	{.name = "max", .title = "max", .kind = T2_KIND_DURATION, .drop = 2},
	{.name = "avg", .title = "avg", .kind = T2_KIND_DURATION, .drop = 3},
	{.name = "rss", .title = "rss", .kind = T2_KIND_BYTES},
	{.name = "io", .title = "io", .kind = T2_KIND_BYTES, .is_hidden = true},
	{.name = "fail", .title = "fail", .kind = T2_KIND_COUNT},
	{.name = "command", .title = "command", .kind = T2_KIND_TEXT},
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

/* What the rows are sorted by can be seen. */
static void choose_columns(const struct t2_options *options, struct t2_column chosen[NR_COLUMNS])
{
	memcpy(chosen, columns, sizeof(columns));
	for (unsigned i = 0; i < options->nr_sort; i++) {
		for (size_t column = 0; column < NR_COLUMNS; column++) {
			if (strcmp(columns[column].name, t2_group_keys[options->sort[i]]) != 0)
				continue;
			chosen[column].is_hidden = false;
			chosen[column].drop = 0;
		}
	}
}

static bool put(struct t2_table *table, const struct t2_group *group, int64_t wall_ns)
{
	t2_table_number(table, group->weighted_ns);
	t2_table_number(table, t2_text_ppm(group->weighted_ns, wall_ns));
	t2_table_number(table, group->count);
	t2_table_number(table, group->self_ns);
	t2_table_number(table, group->total_ns);
	t2_table_number(table, group->cpu_ns);
	t2_table_number(table, group->max_ns);
	t2_table_number(table, group->count ? group->total_ns / group->count : 0);
	t2_table_number(table, group->max_rss_kb ? (int64_t)group->max_rss_kb : T2_UNKNOWN);
	t2_table_number(table, (int64_t)group->io_kb);
	t2_table_number(table, group->nr_failed);
	t2_table_text(table, group->name);
	return t2_table_row(table, group->nr_failed);
}

/* A row that has nothing but a share of the wall clock. */
static bool put_rest(struct t2_table *table, int64_t weighted_ns, int64_t wall_ns, int64_t count,
		     const char *name)
{
	t2_table_number(table, weighted_ns);
	t2_table_number(table, t2_text_ppm(weighted_ns, wall_ns));
	t2_table_number(table, count);
	for (unsigned i = 3; i + 1 < NR_COLUMNS; i++)
		t2_table_number(table, T2_UNKNOWN);
	t2_table_text(table, name);
	return t2_table_row(table, false);
}

static uint32_t count_rows(const struct t2_view *view, uint32_t nr)
{
	uint32_t limit = view->options->limit;

	if (limit == UINT32_MAX)
		limit = view->options->format == T2_FORMAT_TEXT ? ROWS_DEFAULT : 0;
	/* A row for the rest is no shorter than one for the last of them. */
	return !limit || nr <= limit + 1 ? nr : limit;
}

static bool put_all(struct t2_table *table, const struct t2_view *view,
		    const struct t2_groups *groups)
{
	int64_t wall_ns = view->analysis->wall_ns, rest_ns = 0, rest_count = 0;
	uint32_t nr = count_rows(view, groups->nr);
	char text[80], number[T2_TEXT_MAX];
	bool is_done = true;

	for (uint32_t i = 0; i < groups->nr; i++) {
		if (i < nr) {
			is_done = is_done && put(table, &groups->groups[i], wall_ns);
		} else {
			rest_ns += groups->groups[i].weighted_ns;
			rest_count += groups->groups[i].count;
		}
	}
	if (nr < groups->nr) {
		snprintf(text, sizeof(text), "(%s more commands)",
			 t2_text_count(number, groups->nr - nr));
		is_done = is_done && put_rest(table, rest_ns, wall_ns, rest_count, text);
	}
	if (groups->nr_hidden)
		is_done = is_done && put_rest(table, groups->hidden_ns, wall_ns, groups->nr_hidden,
					      "(left out)");
	return is_done &&
	       put_rest(table, view->analysis->nobody_ns, wall_ns, T2_UNKNOWN, "(nobody busy)");
}

static int print(const struct t2_view *view)
{
	static const unsigned by_weight = T2_GROUP_WEIGHTED;
	const struct t2_options *options = view->options;
	const struct t2_table_opts opts = t2_view_table_opts(view);
	struct t2_column chosen[NR_COLUMNS];
	struct t2_table *table = NULL;
	struct t2_groups groups;
	int status = T2_VIEW_USAGE;

	if (t2_groups_count(&groups, view)) {
		t2_groups_sort(&groups, options->nr_sort ? options->sort : &by_weight,
			       options->nr_sort ? options->nr_sort : 1);
		choose_columns(options, chosen);
		table = t2_table_begin(stdout, &opts, chosen, NR_COLUMNS, "top");
	}
	if (table && put_all(table, view, &groups))
		status = T2_VIEW_OK;
	t2_table_end(table);
	t2_groups_free(&groups);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct t2_options_spec spec = {.name = "top", .sort_keys = t2_group_keys};
	struct t2_view view = {0};
	struct t2_options options;
	int status;

	status = t2_options_parse(&options, &spec, argc, argv);
	if (!status)
		status = t2_view_load(&view, &options, options.files, options.nr_files, true);
	if (!status)
		status = print(&view);
	t2_view_free(&view);
	t2_options_free(&options);
	return status;
}

const struct t2_command t2_command_top = {
	.name = "top",
	.summary = "where the time went, a row per command",
	.help = help,
	.run = run,
};
