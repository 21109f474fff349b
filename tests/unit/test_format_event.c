/* SPDX-License-Identifier: MIT */
/*
 * formatters/event.c, beside the lines of format_cases.c: keys, texts, times and depth.
 */
#include "tests/unit/format_cases.h"

#include <stdio.h>
#include <string.h>

#include "preload/config.h"

extern const struct t2_format t2_format_event;

static size_t render(const struct t2_event *event, const struct t2_format_opts *opts)
{
	return render_as(&t2_format_event, event, opts);
}

static void assert_renders(const struct t2_event *event, bool is_brief, const char *expected)
{
	struct t2_format_opts opts = {.is_brief = is_brief};

	render(event, &opts);
	cr_assert_str_eq(memory, expected);
}

/* The lines of the format description, whole. */
Test(format_event, renders_the_documented_lines)
{
	struct t2_event version = {EVENT(VERSION), .u.version = {.evt = "4", .exe = "1.0"}};
	struct t2_event exited = {EVENT(EXIT), .abs_ns = 1234 * US, .u.exit.code = 3};

	assert_renders(&version, true,
		       "{\"event\":\"version\",\"sid\":\"S\",\"thread\":\"main\",\"time\":"
		       "\"2026-11-20T17:06:52.372950Z\",\"evt\":\"4\",\"exe\":\"1.0\"}\n");
	assert_renders(&exited, true,
		       "{\"event\":\"exit\",\"sid\":\"S\",\"thread\":\"main\",\"t_abs\":"
		       "0.001234,\"code\":3}\n");
}

Test(format_event, a_long_command_line_is_not_cut)
{
	struct t2_format_opts opts = {.is_brief = true};
	struct t2_event event = {EVENT(START), .u.start.argv = make_long_argv(10000)};
	size_t head_len = strlen(HEAD("start", "main") ",\"t_abs\":0.000000,\"argv\":[");

	cr_assert_eq(render(&event, &opts), head_len + 10000 * strlen("\"argum-0000\",") + 2);
	cr_assert_str_eq(memory + strlen(memory) - 16, ",\"argum-9999\"]}\n");
	cr_assert(!strncmp(memory + head_len, "\"argum-0000\",\"argum-0001\",", 26));
}

static const struct {
	uint64_t second;
	const char *time;
} times[] = {
	{0, "1970-01-01T00:00:00"},	     {951782399, "2000-02-28T23:59:59"},
	{951782400, "2000-02-29T00:00:00"},  {951868800, "2000-03-01T00:00:00"},
	{1709164800, "2024-02-29T00:00:00"}, {1735689599, "2024-12-31T23:59:59"},
	{1735689600, "2025-01-01T00:00:00"}, {1772323200, "2026-03-01T00:00:00"},
	{2147483648, "2038-01-19T03:14:08"}, {4107542400, "2100-03-01T00:00:00"},
};

Test(format_event, the_time_is_utc_whatever_the_offset)
{
	struct t2_format_opts opts = {.is_brief = true, .utc_offset_s = 3600};
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		struct t2_event event = {EVENT(VERSION)};
		char expected[128];

		event.wall_ns = times[i].second * 1000000000 + 7000;
		snprintf(expected, sizeof(expected),
			 HEAD("version", "main") ",\"time\":\"%s.000007Z\"}\n", times[i].time);
		render(&event, &opts);
		cr_assert_str_eq(memory, expected);
	}
}

Test(format_event, without_a_file_there_is_no_line)
{
	struct t2_event event = {EVENT(EXIT)};

	event.file = NULL;
	assert_renders(&event, false,
		       HEAD("exit", "main") TIME ",\"t_abs\":0.000000,\"code\":0}\n");
	event.file = "";
	assert_renders(&event, false,
		       HEAD("exit", "main") TIME ",\"t_abs\":0.000000,\"code\":0}\n");
}

Test(format_event, readers_always_get_an_array)
{
	static const char *const empty[] = {NULL};
	struct t2_event event = {EVENT(START)};

	assert_renders(&event, true, HEAD("start", "main") ",\"t_abs\":0.000000,\"argv\":[]}\n");
	event.u.start.argv = empty;
	assert_renders(&event, true, HEAD("start", "main") ",\"t_abs\":0.000000,\"argv\":[]}\n");
}

Test(format_event, sid_and_thread_are_there_even_if_nobody_knows_them)
{
	struct t2_event event = {EVENT(THREAD_START)};

	event.sid = NULL;
	event.thread = NULL;
	assert_renders(&event, true, "{\"event\":\"thread_start\",\"sid\":\"\",\"thread\":\"\"}\n");
}

Test(format_event, strings_are_escaped_and_repaired_everywhere)
{
	struct t2_event event = {EVENT(START), .u.start.argv = ARGV("a\"b", "caf\xc3\xa9", "\xff")};

	event.thread = "a\\b";
	event.file = "\x01.c";
	assert_renders(&event, false,
		       HEAD("start", "a\\\\b") TIME ",\"file\":\"\\u0001.c\",\"line\":50,"
						    "\"t_abs\":0.000000,\"argv\":[\"a\\\"b\","
						    "\"caf\xc3\xa9\",\"\xef\xbf\xbd\"]}\n");
}

Test(format_event, a_long_life_is_not_cut)
{
	struct t2_event event = {EVENT(EXIT), .abs_ns = 86400000000000};

	assert_renders(&event, true, HEAD("exit", "main") ",\"t_abs\":86400.000000,\"code\":0}\n");
}

/* Shown at nesting 1 to 4, with the limit as set. */
static const struct {
	int limit;
	const char *shown;
} limits[] = {{0, "yynn"}, {-1, "yynn"}, {1, "ynnn"}, {2, "yynn"}, {3, "yyyn"}, {100, "yyyy"}};

static void assert_limits(enum t2_event_kind kind, bool is_limited)
{
	size_t i;
	int nesting;

	for (i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct t2_format_opts opts = {.event_nesting = limits[i].limit};

		for (nesting = 1; nesting <= 4; nesting++) {
			struct t2_event event;
			bool is_shown;

			t2_event_init(&event, kind);
			event.nesting = nesting;
			is_shown = !is_limited || limits[i].shown[nesting - 1] == 'y';
			cr_assert_eq(!!render(&event, &opts), is_shown, "%s at nesting %d of %d",
				     t2_event_descs[kind].name, nesting, limits[i].limit);
		}
	}
}

Test(format_event, regions_and_data_that_are_too_deep_are_left_out)
{
	int kind;

	for (kind = 0; kind < T2_EVENT_NR; kind++)
		assert_limits((enum t2_event_kind)kind,
			      kind == T2_EVENT_REGION_ENTER || kind == T2_EVENT_REGION_LEAVE ||
				      kind == T2_EVENT_DATA || kind == T2_EVENT_DATA_JSON);
}

Test(format_event, an_event_that_was_only_initialised_has_no_repo)
{
	struct t2_event event;

	t2_event_init(&event, T2_EVENT_DEF_REPO);
	assert_renders(&event, true, "{\"event\":\"def_repo\",\"sid\":\"\",\"thread\":\"\"}\n");
}

Test(format_event, a_pretty_value_stays_on_the_line)
{
	struct t2_event event = {
		EVENT(DATA_JSON), .repo = T2_NO_NUMBER,
		.u.data_json = {.category = "c", .key = "k", .value = "[\n  1\n]"}};

	assert_renders(&event, true,
		       HEAD("data_json", "main") ",\"t_abs\":0.000000,\"nesting\":1,\"category\":"
						 "\"c\",\"key\":\"k\",\"value\":[1]}\n");
}

Test(format_event, is_the_third_format_and_has_gits_variables)
{
	cr_assert_eq(t2_formats[2], &t2_format_event);
	cr_assert_str_eq(t2_format_event.name, "event");
	cr_assert_str_eq(t2_setting_names[t2_format_event.target], "GIT_TRACE2_EVENT");
	cr_assert_str_eq(t2_setting_names[t2_format_event.brief], "GIT_TRACE2_EVENT_BRIEF");
	cr_assert_not(t2_format_event.has_local_time);
}
