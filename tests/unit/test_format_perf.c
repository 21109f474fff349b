/* SPDX-License-Identifier: MIT */
/*
 * formatters/perf.c, beside the lines of format_cases.c: the widths of its columns.
 */
#include "tests/unit/format_cases.h"

#include <stdio.h>
#include <string.h>

#include "preload/config.h"

extern const struct t2_format t2_format_perf;

static size_t render(const struct t2_event *event, const struct t2_format_opts *opts)
{
	return render_as(&t2_format_perf, event, opts);
}

static void assert_renders(const struct t2_event *event, bool is_brief, const char *expected)
{
	struct t2_format_opts opts = {.is_brief = is_brief};

	render(event, &opts);
	cr_assert_str_eq(memory, expected);
}

Test(format_perf, a_long_command_line_is_not_cut)
{
	struct t2_format_opts opts = {.is_brief = true};
	struct t2_event event = {EVENT(START), .u.start.argv = make_long_argv(10000)};

	cr_assert_eq(render(&event, &opts), 92 + 10000 * strlen("argum-0000 "));
	cr_assert_str_eq(memory + strlen(memory) - 12, " argum-9999\n");
	cr_assert(!strncmp(memory + 92, "argum-0000 argum-0001 ", 22));
}

static const struct {
	const char *file;
	int line;
	const char *column;
} columns[] = {
	{NULL, 50, "                            "},
	{"", 50, "                            "},
	{"a.c", 1, "a.c:1                       "},
	{"compat/linux/procinfo.c", 170, "compat/linux/procinfo.c:170 "},
	{"compat/linux/procinfos.c", 170, "compat/linux/procinfos.c:170"},
	{"compat/linux/procinfoss.c", 170, "...at/linux/procinfoss.c:170"},
	{"compat/simple-ipc/ipc-unix-socket.c", 814, "...ipc/ipc-unix-socket.c:814"},
	{"compat/simple-ipc/ipc-unix-socket.c", 2147483647, "...-unix-socket.c:2147483647"},
	{"compat/simple-ipc/ipc-unix-socket.c", -2147483647 - 1, "...unix-socket.c:-2147483648"},
};

Test(format_perf, keeps_the_end_of_a_long_file_name)
{
	struct t2_format_opts opts = {0};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		struct t2_event event = {EVENT(VERSION)};

		event.file = columns[i].file;
		event.line = columns[i].line;
		render(&event, &opts);
		memory[16 + 28 + 3] = 0;
		cr_assert(!strncmp(memory + 16, columns[i].column, 28), "\"%s\", not \"%.28s\"",
			  columns[i].column, memory + 16);
		cr_assert_str_eq(memory + 16 + 28, " | ");
	}
}

Test(format_perf, a_long_time_makes_its_column_wider)
{
	struct t2_event event = {EVENT(CHILD_EXIT), .abs_ns = 700000000000};

	event.rel_ns = 99999999999;
	assert_renders(&event, true,
		       "d0 | main                     | child_exit   |     "
		       "| 700.000000 | 99.999999 |              | [ch0] pid:0 code:0\n");
}

Test(format_perf, a_time_that_is_not_there_is_blank)
{
	struct t2_event event = {EVENT(CHILD_EXIT), .abs_ns = 1000 * US};

	assert_renders(&event, true,
		       "d0 | main                     | child_exit   |     "
		       "|  0.001000 |           |              | [ch0] pid:0 code:0\n");
}

Test(format_perf, a_kind_that_has_no_interval_shows_none)
{
	struct t2_event event = {EVENT(EXIT), .abs_ns = 1000 * US};

	event.rel_ns = 5000 * US;
	assert_renders(&event, true,
		       "d0 | main                     | exit         |     "
		       "|  0.001000 |           |              | code:0\n");
}

Test(format_perf, depth_and_a_long_thread_name_push_the_columns)
{
	struct t2_event event = {EVENT(VERSION), .depth = 12, .u.version.exe = "1.0"};

	event.thread = "th100:a_name_of_more_than_24_bytes";
	assert_renders(&event, true,
		       "d12 | th100:a_name_of_more_than_24_bytes | version      |     "
		       "|           |           |              | 1.0\n");
}

static const struct {
	int nesting;
	const char *message;
} nestings[] = {
	{-1, "code:0\n"},  {0, "code:0\n"},	  {1, "code:0\n"},
	{2, "..code:0\n"}, {4, "......code:0\n"},
};

Test(format_perf, two_dots_for_each_open_region)
{
	struct t2_format_opts opts = {.is_brief = true};
	size_t i;

	for (i = 0; i < sizeof(nestings) / sizeof(*nestings); i++) {
		struct t2_event event = {EVENT(EXIT)};

		event.nesting = nestings[i].nesting;
		render(&event, &opts);
		cr_assert_str_eq(memory + 92, nestings[i].message);
	}
}

Test(format_perf, only_what_belongs_to_a_repo_shows_it)
{
	struct t2_format_opts opts = {.is_brief = true};
	int kind;

	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		bool has_repo = kind == T2_EVENT_DEF_REPO || kind == T2_EVENT_REGION_ENTER ||
				kind == T2_EVENT_REGION_LEAVE || kind == T2_EVENT_DATA ||
				kind == T2_EVENT_DATA_JSON;
		struct t2_event event;

		t2_event_init(&event, (enum t2_event_kind)kind);
		event.repo = 7;
		if (render(&event, &opts))
			cr_assert_eq(!strncmp(memory + 47, "r7  | ", 6), has_repo, "%s",
				     t2_event_descs[kind].name);
	}
}

Test(format_perf, the_clock_is_local)
{
	struct t2_format_opts opts = {.utc_offset_s = -18 * 3600};
	struct t2_event event = {EVENT(VERSION)};

	render(&event, &opts);
	cr_assert(!strncmp(memory, "23:06:52.372950 common-main.c:50 ", 33));
}

Test(format_perf, a_message_that_ends_its_line_gets_no_empty_one)
{
	struct t2_format_opts opts = {.is_brief = true};
	struct t2_event event = {EVENT(DEF_PARAM),
				 .u.def_param = {.scope = "local", .param = "k", .value = "v\n"}};

	render(&event, &opts);
	cr_assert_str_eq(memory + 92, "k:v\n");
}

Test(format_perf, is_the_second_format_and_has_gits_variables)
{
	cr_assert_eq(t2_formats[1], &t2_format_perf);
	cr_assert_str_eq(t2_format_perf.name, "perf");
	cr_assert_str_eq(t2_setting_names[t2_format_perf.target], "GIT_TRACE2_PERF");
	cr_assert_str_eq(t2_setting_names[t2_format_perf.brief], "GIT_TRACE2_PERF_BRIEF");
	cr_assert(t2_format_perf.has_local_time);
}
