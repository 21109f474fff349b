/* SPDX-License-Identifier: MIT */
/*
 * The sentences tests are made of.
 */
#include "tests/support/assert.h"

#include "tests/support/sane.h"
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>

static void take(struct t2_told *told, bool has_strangers)
{
	t2_trace_parse(&told->trace, told->run.event);
	t2_assert_sane(&told->trace, has_strangers);
	told->root = t2_trace_root(&told->trace);
}

void t2_tell(struct t2_told *told, const char *label)
{
	const struct t2_victim *victim = t2_victim_find(label);

	t2_run_victim(&told->run, victim, T2_SHIM);
	take(told, victim->traits & T2_VICTIM_STRANGERS);
}

void t2_tell_launch(struct t2_told *told, const struct t2_launch *launch)
{
	struct t2_launch complete = *launch;

	complete.preload = T2_SHIM;
	complete.targets |= T2_TARGET_EVENT;
	t2_run_open(&told->run);
	t2_run_launch(&told->run, &complete);
	take(told, false);
}

void t2_told_close(struct t2_told *told)
{
	t2_trace_free(&told->trace);
	t2_run_close(&told->run);
}

void t2_assert_kinds(const struct t2_told *told, int session, const char *kinds)
{
	char *got = t2_trace_kinds(&told->trace, session);

	cr_expect_str_eq(got, kinds, "events of '%s'\n  expected %s\n  got      %s",
			 told->trace.sessions[session].name, kinds, got);
	free(got);
}

void t2_assert_exited(const struct t2_run *run, int code)
{
	cr_expect(WIFEXITED(run->status) && WEXITSTATUS(run->status) == code,
		  "expected exit code %d, got status %#x; stderr: %s", code, (unsigned)run->status,
		  run->err);
}

void t2_assert_killed(const struct t2_run *run, int signo)
{
	cr_expect(WIFSIGNALED(run->status) && WTERMSIG(run->status) == signo,
		  "expected death by signal %d, got status %#x; stderr: %s", signo,
		  (unsigned)run->status, run->err);
}

static void check_start(const json_t *start, const struct t2_child *child)
{
	char *argv = t2_line_list(start, "argv");

	cr_expect_str_eq(t2_line_text(start, "child_class"), child->class, "class of child %d: %s",
			 child->id, t2_line_text(start, "child_class"));
	cr_expect_str_eq(argv, child->argv, "argv of child %d\n  expected %s\n  got      %s",
			 child->id, child->argv, argv);
	cr_expect_eq(json_is_true(json_object_get(start, "use_shell")), child->use_shell,
		     "use_shell of child %d", child->id);
	free(argv);
}

int t2_assert_child(const struct t2_told *told, int session, const struct t2_child *child)
{
	const struct t2_trace *trace = &told->trace;
	const json_t *start =
		t2_trace_line_with(trace, session, "child_start", "child_id", child->id);
	const json_t *end = t2_trace_line_with(trace, session, "child_exit", "child_id", child->id);

	cr_assert_not_null(start, "child %d was not announced", child->id);
	check_start(start, child);
	if (child->code == T2_NO_EXIT) {
		cr_expect_null(end, "child %d has a child_exit", child->id);
		return -1;
	}
	cr_assert_not_null(end, "child %d has no child_exit", child->id);
	cr_expect_eq(t2_line_number(end, "code"), child->code, "code of child %d is %d", child->id,
		     (int)t2_line_number(end, "code"));
	t2_line_seconds(end, "t_rel");
	return (int)t2_line_number(end, "pid");
}

int t2_assert_traced_child(const struct t2_told *told, int session, const struct t2_child *child)
{
	return t2_trace_below(&told->trace, session, t2_assert_child(told, session, child));
}

void t2_assert_exit_told(const struct t2_told *told, int session, int code)
{
	const json_t *end = t2_trace_line(&told->trace, session, "exit", 0);

	cr_expect_eq(t2_line_number(end, "code"), code, "code of '%s' is %d",
		     told->trace.sessions[session].name, (int)t2_line_number(end, "code"));
}
