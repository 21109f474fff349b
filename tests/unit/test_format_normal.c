/* SPDX-License-Identifier: MIT */
/*
 * formatters/normal.c, beside the lines of format_cases.c: the columns in front, and texts.
 */
#include "tests/unit/format_cases.h"

#include <stdio.h>
#include <string.h>

#include "preload/config.h"

extern const struct t2_format t2_format_normal;

static size_t render(const struct t2_event *event, const struct t2_format_opts *opts)
{
	return render_as(&t2_format_normal, event, opts);
}

static void assert_renders(const struct t2_event *event, bool is_brief, const char *expected)
{
	struct t2_format_opts opts = {.is_brief = is_brief};

	render(event, &opts);
	cr_assert_str_eq(memory, expected);
}

Test(format_normal, a_long_command_line_is_not_cut)
{
	struct t2_format_opts opts = {.is_brief = true};
	struct t2_event event = {EVENT(START), .u.start.argv = make_long_argv(10000)};

	cr_assert_eq(render(&event, &opts), strlen("start") + 10000 * strlen(" argum-0000") + 1);
	cr_assert_str_eq(memory + strlen(memory) - 12, " argum-9999\n");
	cr_assert(!strncmp(memory, "start argum-0000 argum-0001 ", 28));
}

static const struct {
	const char *file;
	int line;
	const char *prefix;
} prefixes[] = {
	{NULL, 50, "17:06:52.372950                                   "},
	{"", 50, "17:06:52.372950                                   "},
	{"a.c", 1, "17:06:52.372950 a.c:1                             "},
	{"compat/linux/procinfo.c", 170, "17:06:52.372950 compat/linux/procinfo.c:170       "},
	{"a/file/name/with/just/one-sp.c", 99,
	 "17:06:52.372950 a/file/name/with/just/one-sp.c:99 "},
	{"a/file/name/that/leaves/one-no.c", 99,
	 "17:06:52.372950 a/file/name/that/leaves/one-no.c:99 "},
};

Test(format_normal, the_message_begins_at_column_50_unless_the_file_is_too_long)
{
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		struct t2_event event = {EVENT(VERSION), .u.version.exe = "1.0"};
		char expected[128];

		event.file = prefixes[i].file;
		event.line = prefixes[i].line;
		snprintf(expected, sizeof(expected), "%sversion 1.0\n", prefixes[i].prefix);
		assert_renders(&event, false, expected);
	}
}

static const struct {
	int offset_s;
	const char *clock;
} clocks[] = {
	{0, "17:06:52.372950 "},	 {3600, "18:06:52.372950 "},
	{-5 * 3600, "12:06:52.372950 "}, {5 * 3600 + 1800, "22:36:52.372950 "},
	{14 * 3600, "07:06:52.372950 "}, {-18 * 3600, "23:06:52.372950 "},
};

Test(format_normal, the_clock_is_local_and_wraps_at_midnight)
{
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		struct t2_format_opts opts = {.utc_offset_s = clocks[i].offset_s};
		struct t2_event event = {EVENT(VERSION)};

		render(&event, &opts);
		memory[strlen(clocks[i].clock)] = 0;
		cr_assert_str_eq(memory, clocks[i].clock);
	}
}

Test(format_normal, a_long_life_is_not_cut)
{
	struct t2_event event = {EVENT(EXIT), .abs_ns = 86400000000000};

	assert_renders(&event, true, "exit elapsed:86400.000000 code:0\n");
}

Test(format_normal, a_message_that_ends_its_line_gets_no_empty_one)
{
	struct t2_event version = {EVENT(VERSION), .u.version.exe = "1.0\n"};
	struct t2_event param = {EVENT(DEF_PARAM),
				 .u.def_param = {.scope = "local", .param = "k", .value = "\n"}};
	struct t2_event ancestry = {EVENT(CMD_ANCESTRY),
				    .u.cmd_ancestry.ancestry = ARGV("a\n", "b\n")};

	assert_renders(&version, true, "version 1.0\n");
	assert_renders(&param, true, "def_param scope:local k=\n");
	assert_renders(&ancestry, true, "cmd_ancestry a\n <- b\n");
}

Test(format_normal, free_text_that_is_empty_is_a_line_only_with_a_clock)
{
	struct t2_event event = {EVENT(PRINTF), .u.printf.msg = ""};

	assert_renders(&event, true, "");
	assert_renders(&event, false, NORMAL_PREFIX "\n");
	event.u.printf.msg = NULL;
	assert_renders(&event, true, "");
	event.u.printf.msg = "\n";
	assert_renders(&event, true, "\n");
}

Test(format_normal, nesting_and_thread_do_not_show)
{
	struct t2_event event = {EVENT(VERSION), .u.version.exe = "1.0"};

	event.nesting = 3;
	event.thread = "th01:worker";
	assert_renders(&event, true, "version 1.0\n");
}

Test(format_normal, is_the_first_format_and_has_gits_variables)
{
	cr_assert_eq(t2_formats[0], &t2_format_normal);
	cr_assert_str_eq(t2_format_normal.name, "normal");
	cr_assert_str_eq(t2_setting_names[t2_format_normal.target], "GIT_TRACE2");
	cr_assert_str_eq(t2_setting_names[t2_format_normal.brief], "GIT_TRACE2_BRIEF");
	cr_assert(t2_format_normal.has_local_time);
}
