/* SPDX-License-Identifier: MIT */
/*
 * formatters/normal.c: one literal line for every kind, and the columns in front of it.
 */
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct t2_format t2_format_normal;

/* 2026-11-20T17:06:52.372950Z, and a bit that is cut off */
#define WALL_NS 1795194412372950999
#define US 1000 /* in nanoseconds */
#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EVENT_OF(id, thread_name, depth_of_regions, interval)                                      \
	.kind = T2_EVENT_##id, .nesting = depth_of_regions, .line = 50, .file = "common-main.c",   \
	.sid = "S", .thread = thread_name, .wall_ns = WALL_NS, .rel_ns = interval
#define EVENT(id) EVENT_OF(id, "main", 1, T2_NO_TIME)

#define PREFIX "17:06:52.372950 common-main.c:50                  "

static const struct {
	struct t2_event event;
	const char *line; /* the brief one; PREFIX goes before it */
} cases[] = {
	{
		.event = {EVENT(VERSION), .u.version = {.evt = "4", .exe = "1.0"}},
		.line = "version 1.0\n",
	},
	{
		.event = {EVENT(START), .abs_ns = 200 * US, .u.start.argv = ARGV("prog", "a b")},
		.line = "start prog 'a b'\n",
	},
	{
		.event = {EVENT(EXIT), .abs_ns = 1234 * US, .u.exit.code = 3},
		.line = "exit elapsed:0.001234 code:3\n",
	},
	{
		.event = {EVENT(ATEXIT), .abs_ns = 1240 * US, .u.exit.code = 3},
		.line = "atexit elapsed:0.001240 code:3\n",
	},
	{
		.event = {EVENT(SIGNAL), .abs_ns = 1041 * US, .u.signal.signo = 13},
		.line = "signal elapsed:0.001041 code:13\n",
	},
	{
		.event = {EVENT(CMD_PATH), .u.cmd_path.path = "/usr/bin/my prog"},
		.line = "cmd_path /usr/bin/my prog\n",
	},
	{
		.event = {EVENT(CMD_ANCESTRY),
			  .u.cmd_ancestry.ancestry = ARGV("git", "my sh", "bash")},
		.line = "cmd_ancestry git <- my sh <- bash\n",
	},
	{
		.event = {EVENT(CMD_NAME), .u.cmd_name = {.name = "sh", .hierarchy = "make/sh"}},
		.line = "cmd_name sh (make/sh)\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 500 * US,
			  .u.child_start = {.child_id = 0,
					    .child_class = "?",
					    .cd = "my dir",
					    .argv = ARGV("make", "-j2")}},
		.line = "child_start[0] cd 'my dir'; make -j2\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 423 * US,
			  .u.child_start = {.child_id = 1,
					    .child_class = "hook",
					    .hook_name = "pre-commit",
					    .use_shell = true,
					    .argv = ARGV(".git/hooks/pre-commit")}},
		.line = "child_start[1] .git/hooks/pre-commit\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 11000 * US,
			  .u.child_start = {.child_id = 2, .child_class = "?"}},
		.line = "child_start[2] \n",
	},
	{
		.event = {EVENT_OF(CHILD_EXIT, "main", 1, 10000 * US), .abs_ns = 10500 * US,
			  .u.child_exit = {.child_id = 0,
					   .pid = 4711,
					   .code = 137,
					   .user_ns = T2_NO_TIME,
					   .sys_ns = T2_NO_TIME,
					   .max_rss_kb = T2_NO_NUMBER}},
		.line = "child_exit[0] pid:4711 code:137 elapsed:0.010000\n",
	},
	{
		.event = {EVENT_OF(CHILD_EXIT, "main", 1, 100 * US), .abs_ns = 11100 * US,
			  .u.child_exit = {.child_id = 1,
					   .pid = -1,
					   .code = -1,
					   .user_ns = 20 * US,
					   .sys_ns = 0,
					   .max_rss_kb = 1024}},
		.line = "child_exit[1] pid:-1 code:-1 elapsed:0.000100\n",
	},
	{
		.event = {EVENT_OF(CHILD_READY, "main", 1, 5449 * US), .abs_ns = 6195 * US,
			  .u.child_ready = {.child_id = 0, .pid = 283, .ready = "ready"}},
		.line = "child_ready[0] pid:283 ready:ready elapsed:0.005449\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 496 * US,
			  .u.exec = {.exec_id = 0, .exe = "/bin/ls", .argv = ARGV("ls", "-l")}},
		.line = "exec[0] /bin/ls ls -l\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 497 * US,
			  .u.exec = {.exec_id = 1, .argv = ARGV("ls")}},
		.line = "exec[1] ls\n",
	},
	{
		.event = {EVENT(EXEC_RESULT), .abs_ns = 509 * US,
			  .u.exec_result = {.exec_id = 0, .code = 2}},
		.line = "exec_result[0] code:2 err:No such file or directory\n",
	},
	{
		.event = {EVENT(THREAD_START), .abs_ns = 12000 * US},
		.line = "",
	},
	{
		.event = {EVENT_OF(THREAD_EXIT, "main", 1, 1000 * US), .abs_ns = 13000 * US},
		.line = "",
	},
	{
		.event = {EVENT(DEF_PARAM), .u.def_param = {.scope = "command",
							    .param = "demo.key",
							    .value = "two words"}},
		.line = "def_param scope:command demo.key=two words\n",
	},
	{
		.event = {EVENT(DEF_PARAM),
			  .u.def_param = {.scope = "local", .param = "demo.bare"}},
		.line = "def_param scope:local demo.bare\n",
	},
	{
		.event = {EVENT_OF(DATA_JSON, "main", 2, 41 * US), .repo = T2_NO_NUMBER,
			  .abs_ns = 1541 * US,
			  .u.data_json = {.category = "traverse_trees",
					  .key = "statistics",
					  .value = "{\"count\":1}"}},
		.line = "",
	},
	{
		.event = {EVENT(TOO_MANY_FILES)},
		.line = "",
	},
	{
		.event = {EVENT(ERROR), .u.error = {.msg = "no file 'x'", .fmt = "no file '%s'"}},
		.line = "error no file 'x'\n",
	},
	{
		.event = {EVENT(ERROR)},
		.line = "error\n",
	},
	{
		.event = {EVENT(CMD_MODE), .u.cmd_mode.name = "branch"},
		.line = "cmd_mode branch\n",
	},
	{
		.event = {EVENT(ALIAS), .u.alias = {.alias = "x", .argv = ARGV("log", "a b")}},
		.line = "alias x -> log 'a b'\n",
	},
	{
		.event = {EVENT(DEF_REPO), .repo = 1, .u.def_repo.worktree = "/my repo"},
		.line = "worktree '/my repo'\n",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = 1, .abs_ns = 14000 * US,
			  .u.region = {.category = "index", .label = "read", .msg = "path"}},
		.line = "",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = T2_NO_NUMBER, .abs_ns = 14000 * US,
			  .u.region.msg = "thread-proc on main: ipc"},
		.line = "",
	},
	{
		.event = {EVENT_OF(REGION_LEAVE, "main", 2, 200 * US), .repo = 1,
			  .abs_ns = 14200 * US,
			  .u.region = {.category = "a_long_category", .label = "read"}},
		.line = "",
	},
	{
		.event = {EVENT_OF(DATA, "main", 2, 100 * US), .repo = 0, .abs_ns = 14100 * US,
			  .u.data = {.category = "index", .key = "count", .value = "5"}},
		.line = "",
	},
	{
		.event = {EVENT_OF(DATA, "th01:worker", 1, 100 * US), .repo = 10,
			  .abs_ns = 14100 * US,
			  .u.data = {.category = "c", .key = "k", .value = "v 2"}},
		.line = "",
	},
	{
		.event = {EVENT_OF(TH_TIMER, "th01:worker", 1, T2_NO_TIME),
			  .u.timer = {.category = "test",
				      .name = "t2",
				      .intervals = 4,
				      .total_ns = 21210 * US,
				      .min_ns = 5121 * US,
				      .max_ns = 100000000 * (uint64_t)US}},
		.line = "th_timer test/t2 intervals:4 total:0.021210 min:0.005121 max:100.000000\n",
	},
	{
		.event = {EVENT_OF(TIMER, "main", 1, T2_NO_TIME),
			  .u.timer = {.category = "test",
				      .name = "t2",
				      .intervals = 4,
				      .total_ns = 21210 * US,
				      .min_ns = 5121 * US,
				      .max_ns = 100000000 * (uint64_t)US}},
		.line = "timer test/t2 intervals:4 total:0.021210 min:0.005121 max:100.000000\n",
	},
	{
		.event = {EVENT_OF(TH_COUNTER, "th01:worker", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.line = "th_counter test/c2 value:20\n",
	},
	{
		.event = {EVENT_OF(COUNTER, "main", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.line = "counter test/c2 value:20\n",
	},
	{
		.event = {EVENT_OF(PRINTF, "main", 2, T2_NO_TIME), .abs_ns = 8476 * US,
			  .u.printf.msg = "Generated it"},
		.line = "Generated it\n",
	},
};

#define NR_CASES (sizeof(cases) / sizeof(*cases))

static char memory[256 * 1024];

static size_t render(const struct t2_event *event, const struct t2_format_opts *opts)
{
	struct t2_buf out;

	t2_buf_init(&out, memory, sizeof(memory) - 1);
	t2_format_normal.render(event, opts, &out);
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
		char verbose[256];

		assert_renders(&cases[i].event, true, cases[i].line);
		snprintf(verbose, sizeof(verbose), "%s%s", *cases[i].line ? PREFIX : "",
			 cases[i].line);
		assert_renders(&cases[i].event, false, verbose);
	}
}

Test(format_normal, renders_every_kind_as_git_does)
{
	assert_renders_all();
}

Test(format_normal, has_a_case_for_every_kind)
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
		t2_format_normal.render(event, &opts, &out);
		cr_assert_eq(out.len, len, "counts %zu of %zu bytes with room for %zu", out.len,
			     len, cap);
		cr_assert(!cap || !memcmp(exact, memory, cap), "not a prefix with room for %zu",
			  cap);
		free(exact);
	}
}

Test(format_normal, every_size_gives_a_prefix_and_the_same_length)
{
	size_t i;

	for (i = 0; i < NR_CASES; i++) {
		assert_every_size(&cases[i].event, true);
		assert_every_size(&cases[i].event, false);
	}
}

Test(format_normal, the_locale_changes_nothing)
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
Test(format_normal, nothing_but_a_kind_does_not_crash)
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
	assert_renders(&event, false, PREFIX "\n");
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
	cr_assert_str_eq(t2_format_normal.env_var, "GIT_TRACE2");
	cr_assert_str_eq(t2_format_normal.brief_env_var, "GIT_TRACE2_BRIEF");
	cr_assert(t2_format_normal.has_local_time);
}
