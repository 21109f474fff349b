/* SPDX-License-Identifier: MIT */
#include "tests/unit/format_cases.h"

const struct t2_format_case t2_format_cases[] = {
	{
		.event = {EVENT(VERSION), .u.version = {.evt = "4", .exe = "1.0"}},
		.normal = "version 1.0\n",
		.perf = "d0 | main                     | version      |     "
			"|           |           |              | 1.0\n",
		.head = HEAD("version", "main"),
		.brief_time = TIME,
		.body = ",\"evt\":\"4\",\"exe\":\"1.0\"}\n",
	},
	{
		.event = {EVENT(START), .abs_ns = 200 * US, .u.start.argv = ARGV("prog", "a b")},
		.normal = "start prog 'a b'\n",
		.perf = "d0 | main                     | start        |     "
			"|  0.000200 |           |              | prog 'a b'\n",
		.head = HEAD("start", "main"),
		.body = ",\"t_abs\":0.000200,\"argv\":[\"prog\",\"a b\"]}\n",
	},
	{
		.event = {EVENT(EXIT), .abs_ns = 1234 * US, .u.exit.code = 3},
		.normal = "exit elapsed:0.001234 code:3\n",
		.perf = "d0 | main                     | exit         |     "
			"|  0.001234 |           |              | code:3\n",
		.head = HEAD("exit", "main"),
		.body = ",\"t_abs\":0.001234,\"code\":3}\n",
	},
	{
		.event = {EVENT(ATEXIT), .abs_ns = 1240 * US, .u.exit.code = 3},
		.normal = "atexit elapsed:0.001240 code:3\n",
		.perf = "d0 | main                     | atexit       |     "
			"|  0.001240 |           |              | code:3\n",
		.head = HEAD("atexit", "main"),
		.brief_time = TIME,
		.body = ",\"t_abs\":0.001240,\"code\":3}\n",
	},
	{
		.event = {EVENT(SIGNAL), .abs_ns = 1041 * US, .u.signal.signo = 13},
		.normal = "signal elapsed:0.001041 code:13\n",
		.perf = "d0 | main                     | signal       |     "
			"|  0.001041 |           |              | signo:13\n",
		.head = HEAD("signal", "main"),
		.body = ",\"t_abs\":0.001041,\"signo\":13}\n",
	},
	{
		.event = {EVENT(CMD_PATH), .u.cmd_path.path = "/usr/bin/my prog"},
		.normal = "cmd_path /usr/bin/my prog\n",
		.perf = "d0 | main                     | cmd_path     |     "
			"|           |           |              | /usr/bin/my prog\n",
		.head = HEAD("cmd_path", "main"),
		.body = ",\"path\":\"/usr/bin/my prog\"}\n",
	},
	{
		.event = {EVENT(CMD_ANCESTRY),
			  .u.cmd_ancestry.ancestry = ARGV("git", "my sh", "bash")},
		.normal = "cmd_ancestry git <- my sh <- bash\n",
		.perf = "d0 | main                     | cmd_ancestry |     "
			"|           |           |              | ancestry:[git 'my sh' bash]\n",
		.head = HEAD("cmd_ancestry", "main"),
		.body = ",\"ancestry\":[\"git\",\"my sh\",\"bash\"]}\n",
	},
	{
		.event = {EVENT(CMD_NAME), .u.cmd_name = {.name = "sh", .hierarchy = "make/sh"}},
		.normal = "cmd_name sh (make/sh)\n",
		.perf = "d0 | main                     | cmd_name     |     "
			"|           |           |              | sh (make/sh)\n",
		.head = HEAD("cmd_name", "main"),
		.body = ",\"name\":\"sh\",\"hierarchy\":\"make/sh\"}\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 500 * US,
			  .u.child_start = {.child_id = 0,
					    .child_class = "?",
					    .cd = "my dir",
					    .argv = ARGV("make", "-j2")}},
		.normal = "child_start[0] cd 'my dir'; make -j2\n",
		.perf = "d0 | main                     | child_start  |     "
			"|  0.000500 |           |              | [ch0] class:? cd:'my dir' "
			"argv:[make -j2]\n",
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
		.normal = "child_start[1] .git/hooks/pre-commit\n",
		.perf = "d0 | main                     | child_start  |     "
			"|  0.000423 |           |              | [ch1] class:hook hook:pre-commit "
			"argv:[.git/hooks/pre-commit]\n",
		.head = HEAD("child_start", "main"),
		.body = ",\"child_id\":1,\"child_class\":\"hook\""
			",\"hook_name\":\"pre-commit\",\"use_shell\":true"
			",\"argv\":[\".git/hooks/pre-commit\"]}\n",
	},
	{
		.event = {EVENT(CHILD_START), .abs_ns = 11000 * US,
			  .u.child_start = {.child_id = 2, .child_class = "?"}},
		.normal = "child_start[2] \n",
		.perf = "d0 | main                     | child_start  |     "
			"|  0.011000 |           |              | [ch2] class:? argv:[]\n",
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
		.normal = "child_exit[0] pid:4711 code:137 elapsed:0.010000\n",
		.perf = "d0 | main                     | child_exit   |     "
			"|  0.010500 |  0.010000 |              | [ch0] pid:4711 code:137\n",
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
		.normal = "child_exit[1] pid:-1 code:-1 elapsed:0.000100\n",
		.perf = "d0 | main                     | child_exit   |     "
			"|  0.011100 |  0.000100 |              | [ch1] pid:-1 code:-1\n",
		.head = HEAD("child_exit", "main"),
		.body = ",\"child_id\":1,\"pid\":-1,\"code\":-1,\"t_rel\":0.000100"
			",\"t_user\":0.000020,\"t_sys\":0.000000,\"max_rss_kb\":1024}\n",
	},
	{
		.event = {EVENT_OF(CHILD_READY, "main", 1, 5449 * US), .abs_ns = 6195 * US,
			  .u.child_ready = {.child_id = 0, .pid = 283, .ready = "ready"}},
		.normal = "child_ready[0] pid:283 ready:ready elapsed:0.005449\n",
		.perf = "d0 | main                     | child_ready  |     "
			"|  0.006195 |  0.005449 |              | [ch0] pid:283 ready:ready\n",
		.head = HEAD("child_ready", "main"),
		.body = ",\"child_id\":0,\"pid\":283,\"ready\":\"ready\""
			",\"t_rel\":0.005449}\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 496 * US,
			  .u.exec = {.exec_id = 0, .exe = "/bin/ls", .argv = ARGV("ls", "-l")}},
		.normal = "exec[0] /bin/ls ls -l\n",
		.perf = "d0 | main                     | exec         |     "
			"|  0.000496 |           |              | id:0 argv:[/bin/ls ls -l]\n",
		.head = HEAD("exec", "main"),
		.body = ",\"exec_id\":0,\"exe\":\"/bin/ls\""
			",\"argv\":[\"ls\",\"-l\"]}\n",
	},
	{
		.event = {EVENT(EXEC), .abs_ns = 497 * US,
			  .u.exec = {.exec_id = 1, .argv = ARGV("ls")}},
		.normal = "exec[1] ls\n",
		.perf = "d0 | main                     | exec         |     "
			"|  0.000497 |           |              | id:1 argv:[ls]\n",
		.head = HEAD("exec", "main"),
		.body = ",\"exec_id\":1,\"argv\":[\"ls\"]}\n",
	},
	{
		.event = {EVENT(EXEC_RESULT), .abs_ns = 509 * US,
			  .u.exec_result = {.exec_id = 0, .code = 2}},
		.normal = "exec_result[0] code:2 err:No such file or directory\n",
		.perf = "d0 | main                     | exec_result  |     "
			"|  0.000509 |           |              | id:0 code:2 err:No such file or "
			"directory\n",
		.head = HEAD("exec_result", "main"),
		.body = ",\"exec_id\":0,\"code\":2}\n",
	},
	{
		.event = {EVENT_OF(THREAD_START, "th01:worker", 1, T2_NO_TIME),
			  .abs_ns = 12000 * US},
		.normal = "",
		.perf = "d0 | th01:worker              | thread_start |     "
			"|  0.012000 |           |              | \n",
		.head = HEAD("thread_start", "th01:worker"),
		.body = "}\n",
	},
	{
		.event = {EVENT_OF(THREAD_EXIT, "th01:worker", 1, 1000 * US), .abs_ns = 13000 * US},
		.normal = "",
		.perf = "d0 | th01:worker              | thread_exit  |     "
			"|  0.013000 |  0.001000 |              | \n",
		.head = HEAD("thread_exit", "th01:worker"),
		.body = ",\"t_rel\":0.001000}\n",
	},
	{
		.event = {EVENT(DEF_PARAM), .u.def_param = {.scope = "command",
							    .param = "demo.key",
							    .value = "two words"}},
		.normal = "def_param scope:command demo.key=two words\n",
		.perf = "d0 | main                     | def_param    |     "
			"|           |           | scope:comman | demo.key:two words\n",
		.head = HEAD("def_param", "main"),
		.body = ",\"scope\":\"command\",\"param\":\"demo.key\""
			",\"value\":\"two words\"}\n",
	},
	{
		.event = {EVENT(DEF_PARAM),
			  .u.def_param = {.scope = "local", .param = "demo.bare"}},
		.normal = "def_param scope:local demo.bare\n",
		.perf = "d0 | main                     | def_param    |     "
			"|           |           | scope:local  | demo.bare\n",
		.head = HEAD("def_param", "main"),
		.body = ",\"scope\":\"local\",\"param\":\"demo.bare\"}\n",
	},
	{
		.event = {EVENT_OF(DATA_JSON, "main", 2, 41 * US), .repo = T2_NO_NUMBER,
			  .abs_ns = 1541 * US,
			  .u.data_json = {.category = "traverse_trees",
					  .key = "statistics",
					  .value = "{\"count\":1}"}},
		.normal = "",
		.perf = "d0 | main                     | data_json    |     "
			"|  0.001541 |  0.000041 | traverse_tre | ..statistics:{\"count\":1}\n",
		.head = HEAD("data_json", "main"),
		.body = ",\"t_abs\":0.001541,\"t_rel\":0.000041,\"nesting\":2"
			",\"category\":\"traverse_trees\",\"key\":\"statistics\""
			",\"value\":{\"count\":1}}\n",
	},
	{
		.event = {EVENT(TOO_MANY_FILES)},
		.normal = "",
		.perf = "",
		.head = HEAD("too_many_files", "main"),
		.body = "}\n",
	},
	{
		.event = {EVENT(ERROR), .u.error = {.msg = "no file 'x'", .fmt = "no file '%s'"}},
		.normal = "error no file 'x'\n",
		.perf = "d0 | main                     | error        |     |           |          "
			" |              | no file 'x'\n",
		.head = HEAD("error", "main"),
		.body = ",\"msg\":\"no file 'x'\",\"fmt\":\"no file '%s'\"}\n",
	},
	{
		.event = {EVENT(ERROR)},
		.normal = "error\n",
		.perf = "d0 | main                     | error        |     |           |          "
			" |              | \n",
		.head = HEAD("error", "main"),
		.body = "}\n",
	},
	{
		.event = {EVENT(CMD_MODE), .u.cmd_mode.name = "branch"},
		.normal = "cmd_mode branch\n",
		.perf = "d0 | main                     | cmd_mode     |     |           |          "
			" |              | branch\n",
		.head = HEAD("cmd_mode", "main"),
		.body = ",\"name\":\"branch\"}\n",
	},
	{
		.event = {EVENT(ALIAS), .u.alias = {.alias = "x", .argv = ARGV("log", "a b")}},
		.normal = "alias x -> log 'a b'\n",
		.perf = "d0 | main                     | alias        |     |           |          "
			" |              | alias:x argv:[log 'a b']\n",
		.head = HEAD("alias", "main"),
		.body = ",\"alias\":\"x\",\"argv\":[\"log\",\"a b\"]}\n",
	},
	{
		.event = {EVENT(DEF_REPO), .repo = 1, .u.def_repo.worktree = "/my repo"},
		.normal = "worktree '/my repo'\n",
		.perf = "d0 | main                     | def_repo     | r1  |           |          "
			" |              | worktree:'/my repo'\n",
		.head = HEAD("def_repo", "main"),
		.body = ",\"repo\":1,\"worktree\":\"/my repo\"}\n",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = 1, .abs_ns = 14000 * US,
			  .u.region = {.category = "index", .label = "read", .msg = "path"}},
		.normal = "",
		.perf = "d0 | main                     | region_enter | r1  |  0.014000 |          "
			" | index        | label:read path\n",
		.head = HEAD("region_enter", "main"),
		.body = ",\"repo\":1,\"nesting\":1,\"category\":\"index\",\"label\":\"read\","
			"\"msg\":\"path\"}\n",
	},
	{
		.event = {EVENT(REGION_ENTER), .repo = T2_NO_NUMBER, .abs_ns = 14000 * US,
			  .u.region.msg = "thread-proc on main: ipc"},
		.normal = "",
		.perf = "d0 | main                     | region_enter |     |  0.014000 |          "
			" |              |  thread-proc on main: ipc\n",
		.head = HEAD("region_enter", "main"),
		.body = ",\"nesting\":1,\"msg\":\"thread-proc on main: ipc\"}\n",
	},
	{
		.event = {EVENT_OF(REGION_LEAVE, "main", 2, 200 * US), .repo = 1,
			  .abs_ns = 14200 * US,
			  .u.region = {.category = "a_long_category", .label = "read"}},
		.normal = "",
		.perf = "d0 | main                     | region_leave | r1  |  0.014200 |  "
			"0.000200 | a_long_categ | ..label:read\n",
		.head = HEAD("region_leave", "main"),
		.body = ",\"repo\":1,\"t_rel\":0.000200,\"nesting\":2,\"category\":\"a_long_"
			"category\",\"label\":\"read\"}\n",
	},
	{
		.event = {EVENT_OF(DATA, "main", 2, 100 * US), .repo = 0, .abs_ns = 14100 * US,
			  .u.data = {.category = "index", .key = "count", .value = "5"}},
		.normal = "",
		.perf = "d0 | main                     | data         | r0  |  0.014100 |  "
			"0.000100 | index        | ..count:5\n",
		.head = HEAD("data", "main"),
		.body = ",\"repo\":0,\"t_abs\":0.014100,\"t_rel\":0.000100,\"nesting\":2,"
			"\"category\":\"index\",\"key\":\"count\",\"value\":\"5\"}\n",
	},
	{
		.event = {EVENT_OF(DATA, "th01:worker", 1, 100 * US), .repo = 10,
			  .abs_ns = 14100 * US,
			  .u.data = {.category = "c", .key = "k", .value = "v 2"}},
		.normal = "",
		.perf = "d0 | th01:worker              | data         | r10  |  0.014100 |  "
			"0.000100 | c            | k:v 2\n",
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
		.normal =
			"th_timer test/t2 intervals:4 total:0.021210 min:0.005121 max:100.000000\n",
		.perf = "d0 | th01:worker              | th_timer     |     |           |          "
			" | test         | name:t2 intervals:4 total:0.021210 min:0.005121 "
			"max:100.000000\n",
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
		.normal = "timer test/t2 intervals:4 total:0.021210 min:0.005121 max:100.000000\n",
		.perf = "d0 | main                     | timer        |     |           |          "
			" | test         | name:t2 intervals:4 total:0.021210 min:0.005121 "
			"max:100.000000\n",
		.head = HEAD("timer", "main"),
		.body = ",\"category\":\"test\",\"name\":\"t2\",\"intervals\":4,\"t_total\":0."
			"021210,\"t_min\":0.005121,\"t_max\":100.000000}\n",
	},
	{
		.event = {EVENT_OF(TH_COUNTER, "th01:worker", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.normal = "th_counter test/c2 value:20\n",
		.perf = "d0 | th01:worker              | th_counter   |     |           |          "
			" | test         | name:c2 value:20\n",
		.head = HEAD("th_counter", "th01:worker"),
		.body = ",\"category\":\"test\",\"name\":\"c2\",\"count\":20}\n",
	},
	{
		.event = {EVENT_OF(COUNTER, "main", 1, T2_NO_TIME),
			  .u.counter = {.category = "test", .name = "c2", .count = 20}},
		.normal = "counter test/c2 value:20\n",
		.perf = "d0 | main                     | counter      |     |           |          "
			" | test         | name:c2 value:20\n",
		.head = HEAD("counter", "main"),
		.body = ",\"category\":\"test\",\"name\":\"c2\",\"count\":20}\n",
	},
	{
		.event = {EVENT_OF(PRINTF, "main", 2, T2_NO_TIME), .abs_ns = 8476 * US,
			  .u.printf.msg = "Generated it"},
		.normal = "Generated it\n",
		.perf = "d0 | main                     | printf       |     |  0.008476 |          "
			" |              | ..Generated it\n",
		.head = HEAD("printf", "main"),
		.body = ",\"t_abs\":0.008476,\"msg\":\"Generated it\"}\n",
	},
	{
		.event = {EVENT(PRINTF)},
		.perf = "d0 | main                     | printf       |     |  0.000000 |          "
			" |              | \n",
		.head = HEAD("printf", "main"),
		.body = ",\"t_abs\":0.000000}\n",
	},
};

const size_t t2_format_case_nr = sizeof(t2_format_cases) / sizeof(*t2_format_cases);
