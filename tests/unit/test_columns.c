/* SPDX-License-Identifier: MIT */
/*
 * command/columns.c, command/groups.c, command/export_*.c: what is in the cells of tables, of
 * one process and of several counted together.
 */
#include "command/causes.h"
#include "command/columns.h"
#include "command/export.h"
#include "command/groups.h"
#include "command/view.h"
#include "tests/unit/model.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char *const traces[] = {"backwards",  "exec",    "hidden",	 "hosts-pids", "hosts",
				     "incomplete", "nested",  "orphans", "outside",    "overlap",
				     "pids",	   "threads", "repeated"};

#define NR_TRACES (sizeof(traces) / sizeof(*traces))

static struct t2_options options = {
	.max_depth = UINT32_MAX, .min_ns = -1, .pid = -1, .limit = UINT32_MAX, .nr_cpus = 2};

static struct t2_view load(const char *name)
{
	struct t2_view view = {.options = &options, .trace = model_load(name), .out = stdout};

	view.analysis = t2_analyse(view.trace, NULL);
	cr_assert_not_null(view.analysis);
	return view;
}

static void check_columns(const struct t2_column *columns)
{
	for (const struct t2_column *column = columns; column->name; column++) {
		bool is_text = column->kind == T2_KIND_TEXT || column->kind == T2_KIND_WORD ||
			       column->kind == T2_KIND_LIST;

		cr_expect_not_null(column->title, "%s", column->name);
		cr_expect_eq(!column->text, !is_text, "%s", column->name);
		cr_expect_eq(!column->number, is_text, "%s", column->name);
		cr_expect_eq(t2_column_find(columns, column->name, strlen(column->name)), column,
			     "%s is there twice", column->name);
	}
}

Test(columns, are_whole_and_the_same_name_is_the_same_thing)
{
	check_columns(t2_group_columns);
	check_columns(t2_process_columns);
	for (const struct t2_column *column = t2_group_columns; column->name; column++) {
		const struct t2_column *other =
			t2_column_find(t2_process_columns, column->name, strlen(column->name));

		cr_expect(!other || (other->kind == column->kind &&
				     !strcmp(other->title, column->title)),
			  "%s", column->name);
	}
}

/* --- one process ------------------------------------------------------------------------ */

static int64_t number(struct t2_process_row *row, const char *name)
{
	return t2_column_find(t2_process_columns, name, strlen(name))->number(row);
}

static const char *word(struct t2_process_row *row, const char *name)
{
	return t2_column_find(t2_process_columns, name, strlen(name))->text(row);
}

Test(columns, tell_of_a_process_what_the_trace_tells)
{
	struct t2_view view = load("nested");
	struct t2_process_row row = {.view = &view, .id = 3};

	cr_expect_eq(number(&row, "id"), 3);
	cr_expect_eq(number(&row, "parent"), 2);
	cr_expect_eq(number(&row, "depth"), 3);
	cr_expect_eq(number(&row, "pid"), 3);
	cr_expect_eq(number(&row, "start"), 20 * MS);
	cr_expect_eq(number(&row, "total"), 30 * MS);
	cr_expect_eq(number(&row, "self"), 30 * MS);
	cr_expect_eq(number(&row, "share"), 200000); /* 30 of 150 ms */
	cr_expect_eq(number(&row, "cpu"), T2_UNKNOWN);
	cr_expect_eq(number(&row, "rss"), T2_UNKNOWN);
	cr_expect_eq(number(&row, "code"), 0);
	cr_expect_eq(number(&row, "signal"), T2_UNKNOWN);
	cr_expect_str_eq(word(&row, "status"), "exit 0");
	cr_expect_str_eq(word(&row, "end"), "exit");
	cr_expect_str_eq(word(&row, "seen"), "whole");
	cr_expect_str_eq(word(&row, "ancestry"), "build > cc > cc1");
	cr_expect_str_eq(word(&row, "argv"), "[\"cc1\"]");
	cr_expect_null(word(&row, "cwd"));
	cr_expect_null(word(&row, "counts"));
	row.id = 1;
	cr_expect_eq(number(&row, "parent"), T2_UNKNOWN);
	cr_expect_str_eq(word(&row, "argv"), "[\"sh\",\"build\"]");
	t2_process_row_free(&row);
	t2_view_free(&view);
}

Test(columns, without_an_analysis_leave_open_what_it_would_tell)
{
	struct t2_view view = {.options = &options, .trace = model_load("nested")};
	struct t2_process_row row = {.view = &view, .id = 3};

	cr_expect_eq(number(&row, "self"), T2_UNKNOWN);
	cr_expect_eq(number(&row, "share"), T2_UNKNOWN);
	cr_expect_eq(number(&row, "start"), 20 * MS);
	t2_process_row_free(&row);
	t2_view_free(&view);
}

/* An argument longer than any room that was made before. */
Test(columns, have_all_of_a_long_command)
{
	const size_t long_len = 300000;
	char *line = malloc(long_len + 512);
	struct t2_view view = {.options = &options};
	struct t2_process_row row = {.view = &view, .id = 1};
	size_t at;

	at = (size_t)sprintf(line, "{\"event\":\"start\",\"sid\":\"20260101T000000.000001Z-H1-P1\","
				   "\"thread\":\"main\",\"time\":\"2026-01-01T00:00:00Z\","
				   "\"t_abs\":0.0,\"argv\":[\"x\",\"");
	memset(line + at, 'y', long_len);
	strcpy(line + at + long_len, "\"]}\n");
	view.trace = model_text(line, strlen(line));
	cr_assert_eq(view.trace->nr_processes, 2);
	cr_expect_eq(strlen(word(&row, "command")), long_len + 2);
	cr_expect_eq(strlen(word(&row, "argv")), long_len + strlen("[\"x\",\"\"]"));
	t2_process_row_free(&row);
	t2_view_free(&view);
	free(line);
}

/* --- several ---------------------------------------------------------------------------- */

static void check_groups(const struct t2_view *view, const char *name)
{
	int64_t weighted_ns = view->analysis->nobody_ns, self_ns = 0;
	uint32_t count = view->trace->stats.nr_unstarted;
	struct t2_groups groups;

	cr_assert(t2_groups_count(&groups, view));
	for (uint32_t i = 0; i < groups.nr; i++) {
		weighted_ns += groups.groups[i].weighted_ns;
		self_ns += groups.groups[i].self_ns;
		count += groups.groups[i].count;
		for (uint32_t j = 0; j < i; j++)
			cr_expect_str_neq(groups.groups[i].name, groups.groups[j].name);
	}
	cr_expect_eq(weighted_ns, view->analysis->wall_ns, "%s", name);
	cr_expect_eq(self_ns, view->analysis->busy_ns, "%s", name);
	cr_expect_eq(count, view->trace->nr_processes - 1, "%s", name);
	t2_groups_free(&groups);
}

Test(columns, sum_up_to_the_trace_however_they_are_counted)
{
	for (size_t i = 0; i < NR_TRACES; i++) {
		struct t2_view view = load(traces[i]);

		for (int by = T2_BY_EXE; by <= T2_BY_DIR; by++) {
			options.by = (enum t2_by)by;
			check_groups(&view, traces[i]);
		}
		t2_view_free(&view);
	}
}

Test(columns, of_numbers_are_what_rows_can_be_sorted_by)
{
	struct t2_view view = load("overlap");
	struct t2_groups groups;

	cr_assert(t2_groups_count(&groups, &view));
	cr_assert_gt(groups.nr, 1);
	for (unsigned i = 0; t2_group_columns[i].name; i++) {
		if (!t2_group_columns[i].number)
			continue;
		options.sort[0] = i;
		options.nr_sort = 1;
		t2_groups_sort(&groups, &options);
		for (uint32_t row = 1; row < groups.nr; row++) {
			struct t2_group_row above = {&groups.groups[row - 1], 100 * MS, false};
			struct t2_group_row below = {&groups.groups[row], 100 * MS, false};

			cr_expect_geq(t2_group_columns[i].number(&above),
				      t2_group_columns[i].number(&below), "%s",
				      t2_group_columns[i].name);
		}
	}
	options.nr_sort = 0;
	t2_groups_free(&groups);
	t2_view_free(&view);
}

Test(columns, of_a_row_for_the_rest_tell_what_is_known)
{
	const struct t2_group rest = {.name = "(rest)", .weighted_ns = 10 * MS, .count = 3};
	struct t2_group_row row = {&rest, 100 * MS, true};

	for (const struct t2_column *column = t2_group_columns; column->name; column++) {
		bool is_known = strstr(" weighted share count ", column->name);

		if (column->number)
			cr_expect_eq(column->number(&row) != T2_UNKNOWN, is_known, "%s",
				     column->name);
	}
	cr_expect_eq(t2_group_columns[t2_group_column("share")].number(&row), 100000);
	cr_expect_str_eq(t2_group_columns[t2_group_column("command")].text(&row), "(rest)");
}

/* --- exports -------------------------------------------------------------------------------- */

static uint64_t sum_stacks(const struct t2_view *view, enum t2_export_weight weight)
{
	struct t2_export_opts opts = {.weight = weight};
	uint64_t sum = 0;
	char *text = NULL;
	size_t len;

	opts.out = open_memstream(&text, &len);
	cr_assert(t2_export_folded(view, &opts));
	fclose(opts.out);
	for (char *line = text; *line; line = strchr(line, '\n') + 1) {
		char *end = strchr(line, '\n');

		sum += strtoull((char *)memrchr(line, ' ', (size_t)(end - line)) + 1, NULL, 10);
	}
	free(text);
	return sum;
}

Test(columns, of_stacks_sum_up_to_the_trace)
{
	for (size_t i = 0; i < NR_TRACES; i++) {
		struct t2_view view = load(traces[i]);

		cr_expect_eq(sum_stacks(&view, T2_EXPORT_SELF),
			     (uint64_t)view.analysis->busy_ns / 1000, "%s", traces[i]);
		cr_expect_eq(sum_stacks(&view, T2_EXPORT_CPU), view.analysis->cpu_ns / 1000, "%s",
			     traces[i]);
		cr_expect_eq(sum_stacks(&view, T2_EXPORT_COUNT), view.trace->nr_processes - 1, "%s",
			     traces[i]);
		t2_view_free(&view);
	}
}

/* A process as the root: stacks begin with it, and tell of what is below it only. */
Test(columns, of_stacks_below_a_process_are_its_own)
{
	struct t2_view view = {.options = &options, .trace = model_load("nested"), .root = 2};
	const struct t2_analysis_opts below = {.root = 2};

	view.analysis = t2_analyse(view.trace, &below);
	cr_expect_eq(sum_stacks(&view, T2_EXPORT_SELF), 70000);
	cr_expect_eq(sum_stacks(&view, T2_EXPORT_COUNT), 3);
	t2_view_free(&view);
}
