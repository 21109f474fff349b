/* SPDX-License-Identifier: MIT */
/*
 * t2 top: a row per command.
 */
#include "command/columns.h"
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
	"Sort keys are all columns of numbers: weighted (the default), self, total, cpu,\n"
	"rss, count, avg, max, fail, io. Of text the first 25 rows are shown; -n 0 shows\n"
	"all.\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Example:\n"
	"  t2 top -s cpu --by source -F cc1plus\n";

#define COLUMNS_MAX 16

static bool is_sorted_by(const struct t2_options *options, unsigned column)
{
	for (unsigned i = 0; i < options->nr_sort; i++) {
		if (options->sort[i] == column)
			return true;
	}
	return false;
}

/* All but io, which few ask for; what the rows are sorted by can be seen. */
static void choose_columns(const struct t2_options *options, struct t2_column *chosen)
{
	for (unsigned i = 0; t2_group_columns[i].name; i++) {
		bool is_key = is_sorted_by(options, i);

		if (!is_key && !options->fields && !strcmp(t2_group_columns[i].name, "io"))
			continue;
		*chosen = t2_group_columns[i];
		chosen->drop = is_key ? 0 : chosen->drop;
		chosen++;
	}
	*chosen = (struct t2_column){0};
}

static bool put(struct t2_table *table, const struct t2_group *group, int64_t wall_ns)
{
	struct t2_group_row row = {.group = group, .wall_ns = wall_ns};

	return t2_table_row(table, &row, group->nr_failed);
}

/* A row that has nothing but a share of the wall clock. */
static bool put_rest(struct t2_table *table, int64_t weighted_ns, int64_t wall_ns, uint32_t count,
		     const char *name)
{
	const struct t2_group rest = {.name = name, .weighted_ns = weighted_ns, .count = count};
	struct t2_group_row row = {.group = &rest, .wall_ns = wall_ns, .is_rest = true};

	return t2_table_row(table, &row, false);
}

static uint32_t count_rows(const struct t2_view *view, uint32_t nr)
{
	uint32_t limit = view->options->limit;

	if (limit == UINT32_MAX)
		limit = view->options->format == T2_OUTPUT_TEXT ? ROWS_DEFAULT : 0;
	/* A row for the rest is no shorter than one for the last of them. */
	return !limit || nr <= limit + 1 ? nr : limit;
}

static bool put_all(struct t2_table *table, const struct t2_view *view,
		    const struct t2_groups *groups)
{
	int64_t wall_ns = view->analysis->wall_ns, rest_ns = 0;
	uint32_t nr = count_rows(view, groups->nr), rest_count = 0;
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
	return is_done && put_rest(table, view->analysis->nobody_ns, wall_ns, 0, "(nobody busy)");
}

static int print(struct t2_view *view, void *arg)
{
	const struct t2_table_opts opts = t2_view_table_opts(view, NULL);
	struct t2_column chosen[COLUMNS_MAX];
	struct t2_table *table = NULL;
	struct t2_groups groups;
	int status = T2_VIEW_NO_MEMORY;

	(void)arg;
	if (t2_groups_count(&groups, view)) {
		t2_groups_sort(&groups, view->options);
		choose_columns(view->options, chosen);
		table = t2_table_begin(view->out, &opts, chosen);
	}
	if (table && put_all(table, view, &groups))
		status = T2_VIEW_OK;
	t2_table_end(table);
	t2_groups_free(&groups);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct t2_view_spec spec = {
		.options = {.name = "top", .columns = t2_group_columns, .is_sorted = true},
		.wants = T2_VIEW_ANALYSED,
		.print = print,
	};

	return t2_view_run(&spec, argc, argv, stdout);
}

const struct t2_command t2_command_top = {
	.name = "top",
	.summary = "where the time went, a row per command",
	.help = help,
	.run = run,
};
