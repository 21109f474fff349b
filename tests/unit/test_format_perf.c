/* SPDX-License-Identifier: MIT */
/*
 * formatters/perf.c: one literal row for every kind, and the widths of its columns.
 */
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct t2_format t2_format_perf;

/* 2026-11-20T17:06:52.372950Z, and a bit that is cut off */
#define WALL_NS 1795194412372950999
#define US 1000 /* in nanoseconds */
#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EVENT_OF(id, thread_name, depth_of_regions, interval)                                      \
	.kind = T2_EVENT_##id, .nesting = depth_of_regions, .line = 50, .file = "common-main.c",   \
	.sid = "S", .thread = thread_name, .wall_ns = WALL_NS, .rel_ns = interval
#define EVENT(id) EVENT_OF(id, "main", 1, T2_NO_TIME)

#define PREFIX "17:06:52.372950 common-main.c:50             | "

static const struct {
	struct t2_event event;
	const char *line; /* the brief one; PREFIX goes before it */
} cases[] = {
	{
		.event = {EVENT(VERSION), .u.version = {.evt = "4", .exe = "1.0"}},
		.line = "d0 | main                     | version      |     "
			"|           |           |              | 1.0\n",
	},
	{
		.event = {EVENT(START), .abs_ns = 200 * US, .u.start.argv = ARGV("prog", "a b")},
		.line = "d0 | main                     | start        |     "
			"|  0.000200 |           |              | prog 'a b'\n",
	},
	{
		.event = {EVENT(EXIT), .abs_ns = 1234 * US, .u.exit.code = 3},
		.line = "d0 | main                     | exit         |     "
			"|  0.001234 |           |              | code:3\n",
	},
	{
		.event = {EVENT(ATEXIT), .abs_ns = 1240 * US, .u.exit.code = 3},
		.line = "d0 | main                     | atexit       |     "
			"|  0.001240 |           |              | code:3\n",
	},
	{
		.event = {EVENT(SIGNAL), .abs_ns = 1041 * US, .u.signal.signo = 13},
		.line = "d0 | main                     | signal       |     "
			"|  0.001041 |           |              | signo:13\n",
	},
	{
		.event = {EVENT(CMD_PATH), .u.cmd_path.path = "/usr/bin/my prog"},
		.line = "d0 | main                     | cmd_path     |     "
			"|           |           |              | /usr/bin/my prog\n",
	},
	{
		.event = {EVENT(CMD_ANCESTRY),
			  .u.cmd_ancestry.ancestry = ARGV("git", "my sh", "bash")},
		.line = "d0 | main                     | cmd_ancestry |     "
			"|           |           |              | ancestry:[git 'my sh' bash]\n",
	},
	{
		.event = {EVENT(CMD_NAME), .u.cmd_name = {.name = "sh", .hierarchy = "make/sh"}},
		.line = "d0 | main                     | cmd_name     |     "
			"|           |           |              | sh (make/sh)\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 500 * US,
			  .u.child_start = {.child_id = 0,
					    .child_class = "?",
					    .cd = "my dir",
					    .argv = ARGV("make", "-j2")}},
		.line = "d0 | main                     | child_start  |     "
			"|  0.000500 |           |              | [ch0] class:? cd:'my dir' "
			"argv:[make -j2]\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 423 * US,
			  .u.child_start = {.child_id = 1,
					    .child_class = "hook",
					    .hook_name = "pre-commit",
					    .use_shell = true,
					    .argv = ARGV(".git/hooks/pre-commit")}},
		.line = "d0 | main                     | child_start  |     "
			"|  0.000423 |           |              | [ch1] class:hook hook:pre-commit "
			"argv:[.git/hooks/pre-commit]\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 11000 * US,
			  .u.child_start = {.child_id = 2, .child_class = "?"}},
		.line = "d0 | main                     | child_start  |     "
			"|  0.011000 |           |              | [ch2] class:? argv:[]\n",
	},
	{
		.event = {EVENT_OF(CHILD_EXIT, "main", 1, 10000 * US), .abs_ns = 10500 * US,
			  .u.child_exit = {.child_id = 0,
					   .pid = 4711,
					   .code = 137,
					   .user_ns = T2_NO_TIME,
					   .sys_ns = T2_NO_TIME,
					   .max_rss_kb = T2_NO_NUMBER}},
		.line = "d0 | main                     | child_exit   |     "
			"|  0.010500 |  0.010000 |              | [ch0] pid:4711 code:137\n",
	},
	{
		.event = {EVENT_OF(CHILD_EXIT, "main", 1, 100 * US), .abs_ns = 11100 * US,
			  .u.child_exit = {.child_id = 1,
					   .pid = -1,
					   .code = -1,
					   .user_ns = 20 * US,
					   .sys_ns = 0,
					   .max_rss_kb = 1024}},
		.line = "d0 | main                     | child_exit   |     "
			"|  0.011100 |  0.000100 |              | [ch1] pid:-1 code:-1\n",
	},
	{
		.event = {EVENT_OF(CHILD_READY, "main", 1, 5449 * US), .abs_ns = 6195 * US,
			  .u.child_ready = {.child_id = 0, .pid = 283, .ready = "ready"}},
		.line = "d0 | main                     | child_ready  |     "
			"|  0.006195 |  0.005449 |              | [ch0] pid:283 ready:ready\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 496 * US,
			  .u.exec = {.exec_id = 0, .exe = "/bin/ls", .argv = ARGV("ls", "-l")}},
		.line = "d0 | main                     | exec         |     "
			"|  0.000496 |           |              | id:0 argv:[/bin/ls ls -l]\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 497 * US,
			  .u.exec = {.exec_id = 1, .argv = ARGV("ls")}},
		.line = "d0 | main                     | exec         |     "
			"|  0.000497 |           |              | id:1 argv:[ls]\n",
	},
	{
		.event = {EVENT(EXEC_RESULT), .abs_ns = 509 * US,
			  .u.exec_result = {.exec_id = 0, .code = 2}},
		.line = "d0 | main                     | exec_result  |     "
			"|  0.000509 |           |              | id:0 code:2 err:No such file or "
			"directory\n",
	},
	{
		.event = {EVENT_OF(THREAD_START, "th01:worker", 1, T2_NO_TIME),
			  .abs_ns = 12000 * US},
		.line = "d0 | th01:worker              | thread_start |     "
			"|  0.012000 |           |              | \n",
	},
	{
		.event = {EVENT_OF(THREAD_EXIT, "th01:worker", 1, 1000 * US), .abs_ns = 13000 * US},
		.line = "d0 | th01:worker              | thread_exit  |     "
			"|  0.013000 |  0.001000 |              | \n",
	},
	{
		.event = {EVENT(DEF_PARAM), .u.def_param = {.scope = "command",
							    .param = "demo.key",
							    .value = "two words"}},
		.line = "d0 | main                     | def_param    |     "
			"|           |           | scope:comman | demo.key:two words\n",
	},
	{
		.event = {EVENT(DEF_PARAM),
			  .u.def_param = {.scope = "local", .param = "demo.bare"}},
		.line = "d0 | main                     | def_param    |     "
			"|           |           | scope:local  | demo.bare\n",
	},
	{
		.event = {EVENT_OF(DATA_JSON, "main", 2, 41 * US), .repo = T2_NO_NUMBER,
			  .abs_ns = 1541 * US,
			  .u.data_json = {.category = "traverse_trees",
					  .key = "statistics",
					  .value = "{\"count\":1}"}},
		.line = "d0 | main                     | data_json    |     "
			"|  0.001541 |  0.000041 | traverse_tre | ..statistics:{\"count\":1}\n",
	},
	{
		.event = {EVENT(TOO_MANY_FILES)},
		.line = "",
	},
	{
		.event = {EVENT(ERROR), .u.error = {.msg = "no file 'x'", .fmt = "no file '%s'"}},
		.line = "d0 | main                     | error        |     |           |          "
			" |              | no file 'x'\n",
	},
	{
		.event = {EVENT(ERROR)},
		.line = "d0 | main                     | error        |     |           |          "
			" |              | \n",
	},
	{
		.event = {EVENT(CMD_MODE), .u.cmd_mode.name = "branch"},
		.line = "d0 | main                     | cmd_mode     |     |           |          "
			" |              | branch\n",
	},
	{
		.event = {EVENT(ALIAS), .u.alias = {.alias = "x", .argv = ARGV("log", "a b")}},
		.line = "d0 | main                     | alias        |     |           |          "
			" |              | alias:x argv:[log 'a b']\n",
	},
	{
		.event = {EVENT(DEF_REPO), .repo = 1, .u.def_repo.worktree = "/my repo"},
		.line = "d0 | main                     | def_repo     | r1  |           |          "
			" |              | worktree:'/my repo'\n",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = 1, .abs_ns = 14000 * US,
			  .u.region = {.category = "index", .label = "read", .msg = "path"}},
		.line = "d0 | main                     | region_enter | r1  |  0.014000 |          "
			" | index        | label:read path\n",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = T2_NO_NUMBER, .abs_ns = 14000 * US,
			  .u.region.msg = "thread-proc on main: ipc"},
		.line = "d0 | main                     | region_enter |     |  0.014000 |          "
			" |              |  thread-proc on main: ipc\n",
	},
	{
		.event = {EVENT_OF(REGION_LEAVE, "main", 2, 200 * US), .repo = 1,
			  .abs_ns = 14200 * US,
			  .u.region = {.category = "a_long_category", .label = "read"}},
		.line = "d0 | main                     | region_leave | r1  |  0.014200 |  "
			"0.000200 | a_long_categ | ..label:read\n",
	},
	{
		.event = {EVENT_OF(DATA, "main", 2, 100 * US), .repo = 0, .abs_ns = 14100 * US,
			  .u.data = {.category = "index", .key = "count", .value = "5"}},
		.line = "d0 | main                     | data         | r0  |  0.014100 |  "
			"0.000100 | index        | ..count:5\n",
	},
	{
		.event = {EVENT_OF(DATA, "th01:worker", 1, 100 * US), .repo = 10,
			  .abs_ns = 14100 * US,
			  .u.data = {.category = "c", .key = "k", .value = "v 2"}},
		.line = "d0 | th01:worker              | data         | r10  |  0.014100 |  "
			"0.000100 | c            | k:v 2\n",
	},
	{
		.event = {EVENT_OF(TH_TIMER, "th01:worker", 1, T2_NO_TIME),
			  .u.timer = {.category = "test",
				      .name = "t2",
				      .intervals = 4,
				      .total_ns = 21210 * US,
				      .min_ns = 5121 * US,
				      .max_ns = 100000000 * (uint64_t)US}},
		.line = "d0 | th01:worker              | th_timer     |     |           |          "
			" | test         | name:t2 intervals:4 total:0.021210 min:0.005121 "
			"max:100.000000\n",
	},
	{
		.event = {EVENT_OF(TIMER, "main", 1, T2_NO_TIME),
			  .u.timer = {.category = "test",
				      .name = "t2",
				      .intervals = 4,
				      .total_ns = 21210 * US,
				      .min_ns = 5121 * US,
				      .max_ns = 100000000 * (uint64_t)US}},
		.line = "d0 | main                     | timer        |     |           |          "
			" | test         | name:t2 intervals:4 total:0.021210 min:0.005121 "
			"max:100.000000\n",
	},
	{
		.event = {EVENT_OF(TH_COUNTER, "th01:worker", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.line = "d0 | th01:worker              | th_counter   |     |           |          "
			" | test         | name:c2 value:20\n",
	},
	{
		.event = {EVENT_OF(COUNTER, "main", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.line = "d0 | main                     | counter      |     |           |          "
			" | test         | name:c2 value:20\n",
	},
	{
		.event = {EVENT_OF(PRINTF, "main", 2, T2_NO_TIME), .abs_ns = 8476 * US,
			  .u.printf.msg = "Generated it"},
		.line = "d0 | main                     | printf       |     |  0.008476 |          "
			" |              | ..Generated it\n",
	},
	{
		.event = {EVENT(PRINTF)},
		.line = "d0 | main                     | printf       |     |  0.000000 |          "
			" |              | \n",
	},
};

#define NR_CASES (sizeof(cases) / sizeof(*cases))

static char memory[256 * 1024];

static size_t render(const struct t2_event *event, const struct t2_format_opts *opts)
{
	struct t2_buf out;

	t2_buf_init(&out, memory, sizeof(memory) - 1);
	t2_format_perf.render(event, opts, &out);
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

Test(format_perf, renders_every_kind_as_git_does)
{
	assert_renders_all();
}

Test(format_perf, has_a_case_for_every_kind)
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
		t2_format_perf.render(event, &opts, &out);
		cr_assert_eq(out.len, len, "counts %zu of %zu bytes with room for %zu", out.len,
			     len, cap);
		cr_assert(!cap || !memcmp(exact, memory, cap), "not a prefix with room for %zu",
			  cap);
		free(exact);
	}
}

Test(format_perf, every_size_gives_a_prefix_and_the_same_length)
{
	size_t i;

	for (i = 0; i < NR_CASES; i++) {
		assert_every_size(&cases[i].event, true);
		assert_every_size(&cases[i].event, false);
	}
}

Test(format_perf, the_locale_changes_nothing)
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
Test(format_perf, nothing_but_a_kind_does_not_crash)
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
	cr_assert_str_eq(t2_format_perf.env_var, "GIT_TRACE2_PERF");
	cr_assert_str_eq(t2_format_perf.brief_env_var, "GIT_TRACE2_PERF_BRIEF");
	cr_assert(t2_format_perf.has_local_time);
}
