/* SPDX-License-Identifier: MIT */
/*
 * The public API: what a program says of itself, in all three targets.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/each.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const labels[] = {"api_main", "api_fixed"};

ParameterizedTestParameters(api, every_call_is_told_in_every_target)
{
	return t2_each(T2_LEN(labels));
}

static void check_line(const char *format, const char *text, const char *line)
{
	cr_expect(strstr(text, line), "%s has no '%s'", format, line);
}

ParameterizedTest(int *index, api, every_call_is_told_in_every_target)
{
	struct t2_told told;

	t2_tell(&told, labels[*index]);
	t2_assert_exited(&told.run, 3);
	cr_expect_str_eq(told.run.out, "same\n");
	t2_assert_kinds(&told, told.root,
			FIRST " cmd_name cmd_mode alias def_param def_param error error printf"
			      " def_repo region_enter data region_enter region_leave data_json"
			      " region_leave data region_enter region_leave region_enter"
			      " exit th_counter timer counter counter data_json atexit");

	check_line("NORMAL", told.run.normal, "alias co -> checkout 'a b'\n");
	check_line("NORMAL", told.run.normal, "error cannot read 'x.c'\n");
	check_line("NORMAL", told.run.normal, "error 2 problems\n");
	check_line("NORMAL", told.run.normal, " free text\n");
	check_line("NORMAL", told.run.normal, "worktree '/tmp/a tree'\n");
	check_line("NORMAL", told.run.normal, "def_param scope:unknown demo.bare\n");
	check_line("NORMAL", told.run.normal, "counter demo/items value:7\n");
	check_line("NORMAL", told.run.normal, "timer demo/outer intervals:1 total:");

	check_line("PERF", told.run.perf, "| index        | label:read\n");
	check_line("PERF", told.run.perf, "| index        | ..entries:-42\n");
	check_line("PERF", told.run.perf, "| index        | ..label:parse part 1\n");
	check_line("PERF", told.run.perf, "| index        | ....inner:not in EVENT\n");
	check_line("PERF", told.run.perf, "| a_long_categ | ..list:[1,{\"a\":null}]\n");
	check_line("PERF", told.run.perf, "| demo         | outside:yes\n");
	check_line("PERF", told.run.perf, "| ..code:3\n");

	check_line("EVENT", told.run.event, "\"msg\":\"2 problems\",\"fmt\":\"%d problems\"}\n");
	check_line("EVENT", told.run.event,
		   "\"repo\":1,\"nesting\":2,\"category\":\"index\",\"label\":\"parse\",\"msg\":"
		   "\"part 1\"}\n");
	cr_expect_null(strstr(told.run.event, "not in EVENT"), "data below the nesting limit");
	check_line("EVENT", told.run.event, "\"value\":[1,{\"a\":null}]}\n");
	check_line("EVENT", told.run.event, "\"msg\":\"thread-proc on main: helper\"}\n");
	t2_told_close(&told);
}

Test(api, sums_are_told_per_thread_and_for_all)
{
	struct t2_told told;
	const json_t *line;

	t2_tell(&told, "api_threads");
	t2_assert_exited(&told.run, 0);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "th_timer"), 8);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "th_counter"), 8);
	line = t2_trace_line(&told.trace, told.root, "th_timer", 7);
	cr_expect_eq(json_integer_value(json_object_get(line, "intervals")), 100);
	line = t2_trace_line(&told.trace, told.root, "timer", 0);
	cr_expect_eq(json_integer_value(json_object_get(line, "intervals")), 800);
	line = t2_trace_line_with(&told.trace, told.root, "counter", "count", 800);
	cr_expect_str_eq(t2_line_text(line, "name"), "steps");
	line = t2_trace_line_with(&told.trace, told.root, "counter", "count", 2600);
	cr_expect_str_eq(t2_line_text(line, "name"), "total");
	t2_told_close(&told);
}

Test(api, serves_cplusplus)
{
	struct t2_told told;
	const json_t *line;

	t2_tell(&told, "api_cplusplus");
	t2_assert_exited(&told.run, 0);
	line = t2_trace_line(&told.trace, told.root, "region_enter", 0);
	cr_expect(strncmp(t2_line_text(line, "thread"), "th01:", 5) == 0);
	line = t2_trace_line(&told.trace, told.root, "counter", 0);
	cr_expect_eq(json_integer_value(json_object_get(line, "count")), 2);
	t2_told_close(&told);
}

Test(api, forked_child_begins_with_nothing_open_and_nothing_counted)
{
	struct t2_told told;
	const json_t *line;
	int child;

	t2_tell(&told, "api_fork");
	t2_assert_exited(&told.run, 0);
	child = t2_assert_traced_child(
		&told, told.root,
		&(struct t2_child){.id = 0, .class = "fork", .argv = "api_fork", .code = 4});
	line = t2_trace_line(&told.trace, child, "data", 0);
	cr_expect_eq(json_integer_value(json_object_get(line, "nesting")), 1);
	line = t2_trace_line(&told.trace, child, "counter", 0);
	cr_expect_eq(json_integer_value(json_object_get(line, "count")), 1);
	line = t2_trace_line(&told.trace, told.root, "counter", 0);
	cr_expect_eq(json_integer_value(json_object_get(line, "count")), 5);
	t2_told_close(&told);
}

Test(api, nesting_setting_shows_more)
{
	struct t2_told told;
	struct t2_launch launch = {
		.targets = T2_TARGETS_ALL,
		.argv = (const char *const[]){"api_main", NULL},
		.env = (const char *const[]){"GIT_TRACE2_EVENT_NESTING=3", NULL}};

	t2_tell_launch(&told, &launch);
	check_line("EVENT", told.run.event, "\"key\":\"inner\",\"value\":\"not in EVENT\"}\n");
	t2_told_close(&told);
}
