/* SPDX-License-Identifier: MIT */
/*
 * command/lint*.c: for each rule streams that keep it and streams that break it.
 */
#include "command/lint.h"
#include "command/source.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* One line of a session; @second is also its t_abs where there is one. */
#define LINE(sid, event, second, more)                                                             \
	"{\"event\":\"" event "\",\"sid\":\"" sid "\",\"thread\":\"main\","                        \
	"\"time\":\"2026-01-01T00:00:0" #second ".000000Z\"" more "}\n"

#define VERSION(sid) LINE(sid, "version", 0, ",\"evt\":\"4\",\"exe\":\"1\"")
#define START(sid) LINE(sid, "start", 0, ",\"t_abs\":0.0,\"argv\":[\"x\"]")
#define ATEXIT(sid) LINE(sid, "atexit", 9, ",\"t_abs\":9.0,\"code\":0")
#define SESSION(middle) VERSION("a") START("a") middle ATEXIT("a")

#define CHILD_START(second, id)                                                                    \
	LINE("a", "child_start", second,                                                           \
	     ",\"child_id\":" #id                                                                  \
	     ",\"child_class\":\"fork\",\"use_shell\":false,\"argv\":[\"y\"]")
#define CHILD_EXIT(second, id, code)                                                               \
	LINE("a", "child_exit", second, ",\"child_id\":" #id ",\"pid\":7,\"code\":" #code)
#define CHILD_READY(second, id)                                                                    \
	LINE("a", "child_ready", second, ",\"child_id\":" #id ",\"pid\":7,\"ready\":\"ready\"")
#define EXEC LINE("a", "exec", 1, ",\"exec_id\":0,\"argv\":[\"y\"]")
#define EXEC_RESULT LINE("a", "exec_result", 1, ",\"exec_id\":0,\"code\":2")
#define ENTER(nesting) LINE("a", "region_enter", 1, ",\"nesting\":" #nesting)
#define LEAVE(nesting) LINE("a", "region_leave", 1, ",\"t_rel\":0.1,\"nesting\":" #nesting)
#define THREAD(event) LINE("a", event, 1, ",\"t_rel\":0.1")
#define KILLED "a/20260101T000000.000002Z-H00000001-P00000007"

#define NOTHING T2_LINT_NR
#define FINE NOTHING, false, 0

static const struct {
	const char *text;
	enum t2_lint_code code; /* of the only problem, or NOTHING */
	bool is_error;
	uint64_t line;
} streams[] = {
	{"", FINE},
	{SESSION(""), FINE},

	{SESSION("{\"event\":\"exit\",\n"), T2_LINT_BROKEN, true, 3},
	{SESSION("[]\n"), T2_LINT_BROKEN, true, 3},
	{SESSION("no\n"), T2_LINT_BROKEN, true, 3},
	{SESSION("") "{\"event\":\"da", T2_LINT_CUT, false, 4},
	{VERSION("a") START("a") "{\"event\":\"atexit\",\"sid\":\"a\",\"thread\":\"main\","
				 "\"time\":\"2026-01-01T00:00:01Z\",\"code\":0}",
	 T2_LINT_CUT, false, 3},

	{SESSION(LINE("a", "cmd_name", 1, ",\"name\":\"x\",\"hierarchy\":\"x\"")), FINE},
	{SESSION(LINE("a", "cmd_name", 1, ",\"name\":\"x\"")), T2_LINT_KEY, true, 3},
	{SESSION("{\"event\":\"cmd_mode\",\"thread\":\"main\",\"name\":\"x\"}\n"), T2_LINT_KEY,
	 true, 3},
	{SESSION(LINE("a", "error", 1, ",\"msg\":\"x\"")), T2_LINT_KEY, true, 3},

	{SESSION(LINE("a", "printf", 1, ",\"t_abs\":1.0,\"msg\":\"lost lines: 3\"")), T2_LINT_LOST,
	 true, 3},
	{SESSION(LINE("a", "printf", 1, ",\"t_abs\":1.0,\"msg\":\"lost 3\"")), FINE},

	{SESSION(VERSION("a")), T2_LINT_REPEATED, true, 3},
	{SESSION(START("a")), T2_LINT_REPEATED, true, 3},
	{VERSION("a") START("a") ATEXIT("a") VERSION("b") START("b") ATEXIT("b"), FINE},
	{SESSION(CHILD_START(1, 0) CHILD_EXIT(2, 0, 0) CHILD_START(3, 1) CHILD_EXIT(4, 1, 0)),
	 FINE},
	{SESSION(CHILD_START(1, 0) CHILD_START(2, 0) CHILD_EXIT(3, 0, 0)), T2_LINT_REPEATED, true,
	 4},
	{SESSION(CHILD_START(1, 0) CHILD_EXIT(2, 0, 0) CHILD_EXIT(3, 0, 0)), T2_LINT_REPEATED, true,
	 5},
	{SESSION(EXEC EXEC_RESULT), FINE},
	{SESSION(EXEC EXEC_RESULT EXEC EXEC_RESULT), T2_LINT_REPEATED, true, 5},
	{SESSION(THREAD("thread_start") THREAD("thread_exit")), FINE},
	{SESSION(THREAD("thread_start") THREAD("thread_start")), T2_LINT_REPEATED, true, 4},

	{SESSION(CHILD_EXIT(2, 0, 0)), T2_LINT_UNMATCHED, true, 3},
	{SESSION(EXEC_RESULT), T2_LINT_UNMATCHED, true, 3},
	{SESSION(THREAD("thread_exit")), T2_LINT_UNMATCHED, true, 3},
	{SESSION(ENTER(1) ENTER(2) LEAVE(2) LEAVE(1)), FINE},
	{SESSION(LEAVE(1)), T2_LINT_UNMATCHED, true, 3},

	{SESSION(ENTER(2) LEAVE(2)), T2_LINT_ORDER, false, 3},
	{LINE("a", "cmd_mode", 0, ",\"name\":\"x\"") SESSION(""), T2_LINT_ORDER, true, 2},
	{LINE("a", "error", 0, ",\"msg\":\"x\",\"fmt\":\"x\"") SESSION(""), FINE},
	{SESSION("") LINE("a", "cmd_mode", 9, ",\"name\":\"x\""), T2_LINT_ORDER, false, 4},
	{SESSION("") CHILD_START(1, 0) CHILD_READY(9, 0), FINE},
	{CHILD_READY(9, 0) CHILD_START(1, 0) SESSION(""), FINE},

	{SESSION(LINE("a", "news", 1, "")), T2_LINT_EVENT, false, 3},
	{LINE("a", "version", 0, ",\"evt\":\"9\",\"exe\":\"1\"") START("a") ATEXIT("a"),
	 T2_LINT_EVENT, false, 1},
	{LINE("a", "version", 0, ",\"evt\":\"1\",\"exe\":\"1\"") START("a") ATEXIT("a"), FINE},

	{SESSION("{\"event\":\"cmd_mode\",\"sid\":\"a\",\"thread\":\"main\",\"name\":\"x\"}\n"),
	 T2_LINT_BRIEF, false, 3},
	{SESSION(LINE("a", "cmd_mode", 1, ",\"name\":\"\xff\"")), T2_LINT_UTF8, false, 3},
	{SESSION(LINE("a", "cmd_mode", 1, ",\"name\":\"\xc3\xa4\"")), FINE},

	{VERSION("a") START("a") LINE("a", "atexit", 9, ",\"t_abs\":8.6,\"code\":0"), FINE},
	{VERSION("a") START("a") LINE("a", "atexit", 9, ",\"t_abs\":8.4,\"code\":0"), T2_LINT_CLOCK,
	 false, 3},

	{LINE("a", "cmd_mode", 0, ",\"name\":\"x\""), T2_LINT_NO_BEGINNING, false, 1},
	{VERSION("a") ATEXIT("a"), T2_LINT_NO_BEGINNING, false, 1},
	{CHILD_START(1, 0), FINE},

	{VERSION("a") START("a"), T2_LINT_NO_END, false, 1},
	{VERSION("a") START("a") LINE("a", "signal", 9, ",\"t_abs\":9.0,\"signo\":15"), FINE},
	{VERSION("a") START("a") EXEC, FINE},
	{VERSION("a") START("a") EXEC EXEC_RESULT, T2_LINT_NO_END, false, 1},
	{SESSION(CHILD_START(1, 0)), T2_LINT_NO_END, false, 3},
	{SESSION(CHILD_START(1, 0) VERSION(KILLED) START(KILLED) CHILD_EXIT(2, 0, 137)), FINE},
	{SESSION(CHILD_START(1, 0) VERSION(KILLED) START(KILLED) CHILD_EXIT(2, 0, 3)),
	 T2_LINT_NO_END, false, 4},
};

struct found {
	unsigned nr;
	enum t2_lint_code code;
	bool is_error;
	uint64_t line;
	char text[512];
};

static void take_problem(void *arg, const struct t2_problem *problem)
{
	struct found *found = arg;

	found->nr++;
	found->code = problem->code;
	found->is_error = problem->is_error;
	found->line = problem->line;
	snprintf(found->text, sizeof(found->text), "%s:%llu: %s [%s]", problem->file,
		 (unsigned long long)problem->line, problem->message, t2_lint_name(problem->code));
}

static struct found check(const char *text)
{
	struct found found = {.code = NOTHING};
	struct t2_lint *lint = t2_lint_new(take_problem, &found);
	struct t2_line line = {.file = "stream"};

	while (*text) {
		const char *end = strchrnul(text, '\n');

		line.text = text;
		line.len = (size_t)(end - text);
		line.number++;
		line.has_no_end = !*end;
		cr_assert(t2_lint_line(lint, &line));
		text = *end ? end + 1 : end;
	}
	t2_lint_finish(lint);
	t2_lint_free(lint);
	return found;
}

Test(lint, tells_what_breaks_a_rule_from_what_keeps_it)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
		struct found found = check(streams[i].text);

		if (streams[i].code == NOTHING) {
			cr_expect_eq(found.nr, 0, "%s in:\n%s", found.text, streams[i].text);
			continue;
		}
		cr_expect(found.nr == 1 && found.code == streams[i].code &&
				  found.is_error == streams[i].is_error &&
				  found.line == streams[i].line,
			  "%u problems, the last %s, not one of line %llu [%s] in:\n%s", found.nr,
			  found.text, (unsigned long long)streams[i].line,
			  t2_lint_name(streams[i].code), streams[i].text);
	}
}

Test(lint, every_rule_has_a_name_and_a_stream_that_breaks_it)
{
	for (int code = 0; code < T2_LINT_NR; code++) {
		bool is_broken = false;

		for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++)
			is_broken = is_broken || (int)streams[i].code == code;
		cr_expect(is_broken, "%s", t2_lint_name((enum t2_lint_code)code));
		cr_expect_gt(strlen(t2_lint_rule((enum t2_lint_code)code)), 10);
		for (int other = 0; other < code; other++)
			cr_expect_str_neq(t2_lint_name((enum t2_lint_code)code),
					  t2_lint_name((enum t2_lint_code)other));
	}
}

Test(lint, counts_what_it_has_read)
{
	struct found found = {0};
	struct t2_lint *lint = t2_lint_new(take_problem, &found);
	const char text[] = LINE("a", "printf", 1, ",\"t_abs\":1.0,\"msg\":\"lost lines: 3\"");
	struct t2_line line = {.file = "x", .text = text, .len = strlen(text) - 1, .number = 1};
	struct t2_lint_stats stats;

	cr_assert(t2_lint_line(lint, &line));
	line.text = "x";
	line.len = 1;
	cr_assert(t2_lint_line(lint, &line));
	t2_lint_finish(lint);
	t2_lint_get_stats(lint, &stats);
	cr_expect(stats.nr_lines == 2 && stats.nr_events == 1 && stats.nr_sessions == 1);
	cr_expect(stats.nr_lost == 3 && stats.nr_errors == 2 && stats.nr_warnings == 1);
	t2_lint_free(lint);
}
