/* SPDX-License-Identifier: MIT */
/*
 * formatters/event.c: one literal line for every kind, and the keys all lines share.
 */
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct t2_format t2_format_event;

/* 2026-11-20T17:06:52.372950Z, and a bit that is cut off */
#define WALL_NS 1795194412372950999
#define US 1000 /* in nanoseconds */
#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EVENT_OF(id, thread_name, depth_of_regions, interval)                                      \
	.kind = T2_EVENT_##id, .nesting = depth_of_regions, .line = 50, .file = "common-main.c",   \
	.sid = "S", .thread = thread_name, .wall_ns = WALL_NS, .rel_ns = interval
#define EVENT(id) EVENT_OF(id, "main", 1, T2_NO_TIME)

#define HEAD(name, thread) "{\"event\":\"" name "\",\"sid\":\"S\",\"thread\":\"" thread "\""
#define TIME ",\"time\":\"2026-11-20T17:06:52.372950Z\""
#define WHERE ",\"file\":\"common-main.c\",\"line\":50"

static const struct {
	struct t2_event event;
	const char *head;
	const char *brief_time; /* only two kinds have one */
	const char *body;
} cases[] = {
	{
		.event = {EVENT(VERSION), .u.version = {.evt = "4", .exe = "1.0"}},
		.head = HEAD("version", "main"),
		.brief_time = TIME,
		.body = ",\"evt\":\"4\",\"exe\":\"1.0\"}\n",
	},
	{
		.event = {EVENT(START), .abs_ns = 200 * US, .u.start.argv = ARGV("prog", "a b")},
		.head = HEAD("start", "main"),
		.body = ",\"t_abs\":0.000200,\"argv\":[\"prog\",\"a b\"]}\n",
	},
	{
		.event = {EVENT(EXIT), .abs_ns = 1234 * US, .u.exit.code = 3},
		.head = HEAD("exit", "main"),
		.body = ",\"t_abs\":0.001234,\"code\":3}\n",
	},
	{
		.event = {EVENT(ATEXIT), .abs_ns = 1240 * US, .u.exit.code = 3},
		.head = HEAD("atexit", "main"),
		.brief_time = TIME,
		.body = ",\"t_abs\":0.001240,\"code\":3}\n",
	},
	{
		.event = {EVENT(SIGNAL), .abs_ns = 1041 * US, .u.signal.signo = 13},
		.head = HEAD("signal", "main"),
		.body = ",\"t_abs\":0.001041,\"signo\":13}\n",
	},
	{
		.event = {EVENT(CMD_PATH), .u.cmd_path.path = "/usr/bin/my prog"},
		.head = HEAD("cmd_path", "main"),
		.body = ",\"path\":\"/usr/bin/my prog\"}\n",
	},
	{
		.event = {EVENT(CMD_ANCESTRY),
			  .u.cmd_ancestry.ancestry = ARGV("git", "my sh", "bash")},
		.head = HEAD("cmd_ancestry", "main"),
		.body = ",\"ancestry\":[\"git\",\"my sh\",\"bash\"]}\n",
	},
	{
		.event = {EVENT(CMD_NAME), .u.cmd_name = {.name = "sh", .hierarchy = "make/sh"}},
		.head = HEAD("cmd_name", "main"),
		.body = ",\"name\":\"sh\",\"hierarchy\":\"make/sh\"}\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 500 * US,
			  .u.child_start = {.child_id = 0,
					    .child_class = "?",
					    .cd = "my dir",
					    .argv = ARGV("make", "-j2")}},
		.head = HEAD("child_start", "main"),
		.body = ",\"child_id\":0,\"child_class\":\"?\",\"cd\":\"my dir\""
			",\"use_shell\":false,\"argv\":[\"make\",\"-j2\"]}\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 423 * US,
			  .u.child_start = {.child_id = 1,
					    .child_class = "hook",
					    .hook_name = "pre-commit",
					    .use_shell = true,
					    .argv = ARGV(".git/hooks/pre-commit")}},
		.head = HEAD("child_start", "main"),
		.body = ",\"child_id\":1,\"child_class\":\"hook\""
			",\"hook_name\":\"pre-commit\",\"use_shell\":true"
			",\"argv\":[\".git/hooks/pre-commit\"]}\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 11000 * US,
			  .u.child_start = {.child_id = 2, .child_class = "?"}},
		.head = HEAD("child_start", "main"),
		.body = ",\"child_id\":2,\"child_class\":\"?\",\"use_shell\":false"
			",\"argv\":[]}\n",
	},
	{
		.event = {EVENT_OF(CHILD_EXIT, "main", 1, 10000 * US), .abs_ns = 10500 * US,
			  .u.child_exit = {.child_id = 0,
					   .pid = 4711,
					   .code = 137,
					   .user_ns = T2_NO_TIME,
					   .sys_ns = T2_NO_TIME,
					   .max_rss_kb = T2_NO_NUMBER}},
		.head = HEAD("child_exit", "main"),
		.body = ",\"child_id\":0,\"pid\":4711,\"code\":137"
			",\"t_rel\":0.010000}\n",
	},
	{
		.event = {EVENT_OF(CHILD_EXIT, "main", 1, 100 * US), .abs_ns = 11100 * US,
			  .u.child_exit = {.child_id = 1,
					   .pid = -1,
					   .code = -1,
					   .user_ns = 20 * US,
					   .sys_ns = 0,
					   .max_rss_kb = 1024}},
		.head = HEAD("child_exit", "main"),
		.body = ",\"child_id\":1,\"pid\":-1,\"code\":-1,\"t_rel\":0.000100"
			",\"t_user\":0.000020,\"t_sys\":0.000000,\"max_rss_kb\":1024}\n",
	},
	{
		.event = {EVENT_OF(CHILD_READY, "main", 1, 5449 * US), .abs_ns = 6195 * US,
			  .u.child_ready = {.child_id = 0, .pid = 283, .ready = "ready"}},
		.head = HEAD("child_ready", "main"),
		.body = ",\"child_id\":0,\"pid\":283,\"ready\":\"ready\""
			",\"t_rel\":0.005449}\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 496 * US,
			  .u.exec = {.exec_id = 0, .exe = "/bin/ls", .argv = ARGV("ls", "-l")}},
		.head = HEAD("exec", "main"),
		.body = ",\"exec_id\":0,\"exe\":\"/bin/ls\""
			",\"argv\":[\"ls\",\"-l\"]}\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 497 * US,
			  .u.exec = {.exec_id = 1, .argv = ARGV("ls")}},
		.head = HEAD("exec", "main"),
		.body = ",\"exec_id\":1,\"argv\":[\"ls\"]}\n",
	},
	{
		.event = {EVENT(EXEC_RESULT), .abs_ns = 509 * US,
			  .u.exec_result = {.exec_id = 0, .code = 2}},
		.head = HEAD("exec_result", "main"),
		.body = ",\"exec_id\":0,\"code\":2}\n",
	},
	{
		.event = {EVENT_OF(THREAD_START, "th01:worker", 1, T2_NO_TIME),
			  .abs_ns = 12000 * US},
		.head = HEAD("thread_start", "th01:worker"),
		.body = "}\n",
	},
	{
		.event = {EVENT_OF(THREAD_EXIT, "th01:worker", 1, 1000 * US), .abs_ns = 13000 * US},
		.head = HEAD("thread_exit", "th01:worker"),
		.body = ",\"t_rel\":0.001000}\n",
	},
	{
		.event = {EVENT(DEF_PARAM), .u.def_param = {.scope = "command",
							    .param = "demo.key",
							    .value = "two words"}},
		.head = HEAD("def_param", "main"),
		.body = ",\"scope\":\"command\",\"param\":\"demo.key\""
			",\"value\":\"two words\"}\n",
	},
	{
		.event = {EVENT(DEF_PARAM),
			  .u.def_param = {.scope = "local", .param = "demo.bare"}},
		.head = HEAD("def_param", "main"),
		.body = ",\"scope\":\"local\",\"param\":\"demo.bare\"}\n",
	},
	{
		.event = {EVENT_OF(DATA_JSON, "main", 2, 41 * US), .repo = T2_NO_NUMBER,
			  .abs_ns = 1541 * US,
			  .u.data_json = {.category = "traverse_trees",
					  .key = "statistics",
					  .value = "{\"count\":1}"}},
		.head = HEAD("data_json", "main"),
		.body = ",\"t_abs\":0.001541,\"t_rel\":0.000041,\"nesting\":2"
			",\"category\":\"traverse_trees\",\"key\":\"statistics\""
			",\"value\":{\"count\":1}}\n",
	},
	{
		.event = {EVENT(TOO_MANY_FILES)},
		.head = HEAD("too_many_files", "main"),
		.body = "}\n",
	},
	{
		.event = {EVENT(ERROR), .u.error = {.msg = "no file 'x'", .fmt = "no file '%s'"}},
		.head = HEAD("error", "main"),
		.body = ",\"msg\":\"no file 'x'\",\"fmt\":\"no file '%s'\"}\n",
	},
	{
		.event = {EVENT(ERROR)},
		.head = HEAD("error", "main"),
		.body = "}\n",
	},
	{
		.event = {EVENT(CMD_MODE), .u.cmd_mode.name = "branch"},
		.head = HEAD("cmd_mode", "main"),
		.body = ",\"name\":\"branch\"}\n",
	},
	{
		.event = {EVENT(ALIAS), .u.alias = {.alias = "x", .argv = ARGV("log", "a b")}},
		.head = HEAD("alias", "main"),
		.body = ",\"alias\":\"x\",\"argv\":[\"log\",\"a b\"]}\n",
	},
	{
		.event = {EVENT(DEF_REPO), .repo = 1, .u.def_repo.worktree = "/my repo"},
		.head = HEAD("def_repo", "main"),
		.body = ",\"repo\":1,\"worktree\":\"/my repo\"}\n",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = 1, .abs_ns = 14000 * US,
			  .u.region = {.category = "index", .label = "read", .msg = "path"}},
		.head = HEAD("region_enter", "main"),
		.body = ",\"repo\":1,\"nesting\":1,\"category\":\"index\",\"label\":\"read\","
			"\"msg\":\"path\"}\n",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = T2_NO_NUMBER, .abs_ns = 14000 * US,
			  .u.region.msg = "thread-proc on main: ipc"},
		.head = HEAD("region_enter", "main"),
		.body = ",\"nesting\":1,\"msg\":\"thread-proc on main: ipc\"}\n",
	},
	{
		.event = {EVENT_OF(REGION_LEAVE, "main", 2, 200 * US), .repo = 1,
			  .abs_ns = 14200 * US,
			  .u.region = {.category = "a_long_category", .label = "read"}},
		.head = HEAD("region_leave", "main"),
		.body = ",\"repo\":1,\"t_rel\":0.000200,\"nesting\":2,\"category\":\"a_long_"
			"category\",\"label\":\"read\"}\n",
	},
	{
		.event = {EVENT_OF(DATA, "main", 2, 100 * US), .repo = 0, .abs_ns = 14100 * US,
			  .u.data = {.category = "index", .key = "count", .value = "5"}},
		.head = HEAD("data", "main"),
		.body = ",\"repo\":0,\"t_abs\":0.014100,\"t_rel\":0.000100,\"nesting\":2,"
			"\"category\":\"index\",\"key\":\"count\",\"value\":\"5\"}\n",
	},
	{
		.event = {EVENT_OF(DATA, "th01:worker", 1, 100 * US), .repo = 10,
			  .abs_ns = 14100 * US,
			  .u.data = {.category = "c", .key = "k", .value = "v 2"}},
		.head = HEAD("data", "th01:worker"),
		.body = ",\"repo\":10,\"t_abs\":0.014100,\"t_rel\":0.000100,\"nesting\":1,"
			"\"category\":\"c\",\"key\":\"k\",\"value\":\"v 2\"}\n",
	},
	{
		.event = {EVENT_OF(TH_TIMER, "th01:worker", 1, T2_NO_TIME),
			  .u.timer = {.category = "test",
				      .name = "t2",
				      .intervals = 4,
				      .total_ns = 21210 * US,
				      .min_ns = 5121 * US,
				      .max_ns = 100000000 * (uint64_t)US}},
		.head = HEAD("th_timer", "th01:worker"),
		.body = ",\"category\":\"test\",\"name\":\"t2\",\"intervals\":4,\"t_total\":0."
			"021210,\"t_min\":0.005121,\"t_max\":100.000000}\n",
	},
	{
		.event = {EVENT_OF(TIMER, "main", 1, T2_NO_TIME),
			  .u.timer = {.category = "test",
				      .name = "t2",
				      .intervals = 4,
				      .total_ns = 21210 * US,
				      .min_ns = 5121 * US,
				      .max_ns = 100000000 * (uint64_t)US}},
		.head = HEAD("timer", "main"),
		.body = ",\"category\":\"test\",\"name\":\"t2\",\"intervals\":4,\"t_total\":0."
			"021210,\"t_min\":0.005121,\"t_max\":100.000000}\n",
	},
	{
		.event = {EVENT_OF(TH_COUNTER, "th01:worker", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.head = HEAD("th_counter", "th01:worker"),
		.body = ",\"category\":\"test\",\"name\":\"c2\",\"count\":20}\n",
	},
	{
		.event = {EVENT_OF(COUNTER, "main", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.head = HEAD("counter", "main"),
		.body = ",\"category\":\"test\",\"name\":\"c2\",\"count\":20}\n",
	},
	{
		.event = {EVENT_OF(PRINTF, "main", 2, T2_NO_TIME), .abs_ns = 8476 * US,
			  .u.printf.msg = "Generated it"},
		.head = HEAD("printf", "main"),
		.body = ",\"t_abs\":0.008476,\"msg\":\"Generated it\"}\n",
	},
	{
		.event = {EVENT(PRINTF)},
		.head = HEAD("printf", "main"),
		.body = ",\"t_abs\":0.000000}\n",
	},
};

#define NR_CASES (sizeof(cases) / sizeof(*cases))

static char memory[256 * 1024];

static size_t render(const struct t2_event *event, const struct t2_format_opts *opts)
{
	struct t2_buf out;

	t2_buf_init(&out, memory, sizeof(memory) - 1);
	t2_format_event.render(event, opts, &out);
	cr_assert_not(t2_buf_overflowed(&out));
	memory[out.len] = 0;
	return out.len;
}

static void assert_renders(const struct t2_event *event, bool is_brief, const char *expected)
{
	struct t2_format_opts opts = {.is_brief = is_brief};

	render(event, &opts);
	cr_assert_str_eq(memory, expected);
}

static void assert_renders_all(void)
{
	size_t i;

	for (i = 0; i < NR_CASES; i++) {
		const char *brief_time = cases[i].brief_time ? cases[i].brief_time : "";
		char expected[512];

		snprintf(expected, sizeof(expected), "%s%s%s", cases[i].head, brief_time,
			 cases[i].body);
		assert_renders(&cases[i].event, true, expected);
		snprintf(expected, sizeof(expected), "%s%s%s", cases[i].head, TIME WHERE,
			 cases[i].body);
		assert_renders(&cases[i].event, false, expected);
	}
}

Test(format_event, renders_every_kind_as_git_does)
{
	assert_renders_all();
}

Test(format_event, has_a_case_for_every_kind)
{
	bool has_case[T2_EVENT_NR] = {false};
	size_t i;

	for (i = 0; i < NR_CASES; i++)
		has_case[cases[i].event.kind] = true;
	for (i = 0; i < T2_EVENT_NR; i++)
		cr_assert(has_case[i], "%s has no case", t2_event_descs[i].name);
}

static void assert_every_size(const struct t2_event *event, bool is_brief)
{
	struct t2_format_opts opts = {.is_brief = is_brief};
	size_t len = render(event, &opts);
	size_t cap;

	for (cap = 0; cap <= len; cap++) {
		char *exact = malloc(cap);
		struct t2_buf out;

		t2_buf_init(&out, exact, cap);
		t2_format_event.render(event, &opts, &out);
		cr_assert_eq(out.len, len, "counts %zu of %zu bytes with room for %zu", out.len,
			     len, cap);
		cr_assert(!cap || !memcmp(exact, memory, cap), "not a prefix with room for %zu",
			  cap);
		free(exact);
	}
}

Test(format_event, every_size_gives_a_prefix_and_the_same_length)
{
	size_t i;

	for (i = 0; i < NR_CASES; i++) {
		assert_every_size(&cases[i].event, true);
		assert_every_size(&cases[i].event, false);
	}
}

Test(format_event, the_locale_changes_nothing)
{
	static const char *const names[] = {"C.UTF-8", "de_DE.UTF-8", "fr_FR.ISO-8859-1",
					    "tr_TR.UTF-8", "fa_IR.UTF-8"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (setlocale(LC_ALL, names[i]))
			assert_renders_all();
	}
}

/* What a careless caller may leave out must cost at most the piece itself. */
Test(format_event, nothing_but_a_kind_does_not_crash)
{
	int kind;

	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		struct t2_event event;

		t2_event_init(&event, (enum t2_event_kind)kind);
		assert_every_size(&event, true);
		assert_every_size(&event, false);
	}
}

static const char **make_long_argv(size_t nr_args)
{
	static char args[10000][12];
	static const char *argv[10001];
	size_t i;

	for (i = 0; i < nr_args; i++) {
		snprintf(args[i], sizeof(args[i]), "argum-%04zu", i);
		argv[i] = args[i];
	}
	argv[nr_args] = NULL;
	return argv;
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
	cr_assert_str_eq(t2_format_event.env_var, "GIT_TRACE2_EVENT");
	cr_assert_str_eq(t2_format_event.brief_env_var, "GIT_TRACE2_EVENT_BRIEF");
	cr_assert_not(t2_format_event.has_local_time);
}
