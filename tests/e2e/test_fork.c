/* SPDX-License-Identifier: MIT */
/*
 * One process becomes two, by every way but vfork.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define FORK(nr, list, end)                                                                        \
	(&(struct t2_child){.id = nr, .class = "fork", .argv = list, .code = end})
#define CLONE(nr, list, end)                                                                       \
	(&(struct t2_child){.id = nr, .class = "clone", .argv = list, .code = end})

static void check_fork_exec(const char *label)
{
	struct t2_told told;
	int child;

	t2_tell(&told, label);
	t2_assert_exited(&told.run, 0);
	child = t2_assert_traced_child(&told, told.root, FORK(0, "sh|-c|exit 3", 3));
	cr_expect_eq(told.trace.nr_sessions, 2, "fork and exec are one level of depth");
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_assert_kinds(&told, child, LATER " " END);
	t2_assert_exit_told(&told, child, 3);
	t2_told_close(&told);
}

Test(fork, child_that_executes_announces_the_program_that_really_ran)
{
	check_fork_exec("fork_exec");
}

Test(fork, alias_is_told_like_the_name)
{
	check_fork_exec("fork_exec_alias");
}

static void check_fork_no_exec(const char *label, const char *argv)
{
	struct t2_told told;
	char *inherited;
	int child;

	t2_tell(&told, label);
	t2_assert_exited(&told.run, 0);
	child = t2_assert_traced_child(&told, told.root, FORK(0, argv, 7));
	cr_expect_eq(told.trace.nr_sessions, 2);
	t2_assert_exit_told(&told, child, 7);
	inherited = t2_line_list(t2_trace_line(&told.trace, child, "start", 0), "argv");
	cr_expect_str_eq(inherited, argv);
	cr_expect_str_eq(told.trace.sessions[child].name, "fork_no_exec");
	cr_expect_str_eq(t2_line_text(t2_trace_line(&told.trace, child, "start", 0), "thread"),
			 "main");
	free(inherited);
	t2_told_close(&told);
}

Test(fork, child_that_returns_is_a_session)
{
	check_fork_no_exec("fork_return", "fork_no_exec|return");
}

Test(fork, child_that_exits_is_a_session)
{
	check_fork_no_exec("fork_exit", "fork_no_exec|exit");
}

Test(fork, child_that_leaves_by_underscore_exit_is_a_session)
{
	check_fork_no_exec("fork_underscore_exit", "fork_no_exec|_exit");
}

Test(fork, session_of_a_child_begins_with_the_fork)
{
	struct t2_told told;
	const json_t *start;
	const json_t *version;
	int child;

	t2_tell(&told, "fork_return");
	child = t2_assert_traced_child(&told, told.root, FORK(0, "fork_no_exec|return", 7));
	start = t2_trace_line(&told.trace, told.root, "child_start", 0);
	version = t2_trace_line(&told.trace, child, "version", 0);
	cr_expect_str_eq(t2_line_text(version, "time"), t2_line_text(start, "time"),
			 "the child's first line has the time of the fork");
	t2_told_close(&told);
}

Test(fork, forking_child_is_a_session_and_its_child_hangs_below)
{
	struct t2_told told;
	int child;
	int grandchild;

	t2_tell(&told, "fork_nested");
	child = t2_assert_traced_child(&told, told.root, FORK(0, "fork_nested", 5));
	grandchild = t2_assert_traced_child(&told, child, FORK(0, "sh|-c|exit 4", 4));
	t2_assert_exit_told(&told, child, 5);
	t2_assert_exit_told(&told, grandchild, 4);
	cr_expect_eq(told.trace.nr_sessions, 3);
	t2_told_close(&told);
}

Test(fork, child_killed_before_it_spoke_is_announced_by_its_parent)
{
	struct t2_told told;

	t2_tell(&told, "fork_killed");
	t2_assert_exited(&told.run, 0);
	cr_expect_gt(t2_assert_child(&told, told.root, FORK(0, "fork_killed", 128 + SIGKILL)), 0);
	cr_expect_eq(told.trace.nr_sessions, 1);
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_told_close(&told);
}

/* One target would have been enough to lose it: each is told by whoever gets that far. */
/* Nobody can be told what they will run, so all are announced with what they inherit. */
Test(fork, without_address_space_children_still_end_as_they_began)
{
	static const int codes[] = {0, 3, 128 + SIGKILL};
	struct t2_told told;

	t2_tell(&told, "no_address_space");
	t2_assert_exited(&told.run, 0);
	for (int i = 0; i < 3; i++)
		cr_expect_gt(
			t2_assert_child(&told, told.root, FORK(i, "no_address_space", codes[i])),
			0);
	t2_assert_kinds(&told, told.root,
			FIRST " child_start child_start child_start child_exit child_exit "
			      "child_exit " END);
	t2_told_close(&told);
}

Test(fork, child_killed_while_it_announces_itself_is_announced_by_the_parent)
{
	struct t2_told told;

	t2_tell(&told, "fork_killed_speaking");
	t2_assert_exited(&told.run, 0);
	cr_expect_gt(
		t2_assert_child(&told, told.root, FORK(0, "fork_killed_speaking", 128 + SIGSYS)),
		0);
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	cr_expect_not_null(strstr(told.run.normal, "child_start[0] fork_killed_speaking"));
	cr_expect_not_null(strstr(told.run.perf, "| child_start "));
	t2_told_close(&told);
}

Test(fork, child_that_outlives_its_parent_is_ready)
{
	struct t2_told told;
	const json_t *ready;

	t2_tell(&told, "fork_unreaped");
	t2_assert_exited(&told.run, 0);
	t2_assert_child(&told, told.root, FORK(0, "sh|-c|read nothing; exit 3", T2_NO_EXIT));
	ready = t2_trace_line(&told.trace, told.root, "child_ready", 0);
	cr_expect_eq(t2_line_number(ready, "child_id"), 0);
	cr_expect_str_eq(t2_line_text(ready, "ready"), "ready");
	t2_line_seconds(ready, "t_rel");
	t2_assert_exit_told(
		&told, t2_trace_below(&told.trace, told.root, (int)t2_line_number(ready, "pid")),
		3);
	t2_told_close(&told);
}

Test(fork, fork_without_handlers_is_told_alike)
{
	struct t2_told told;

	t2_tell(&told, "underscore_fork");
	t2_assert_exited(&told.run, 0);
	t2_assert_traced_child(&told, told.root, FORK(0, "sh|-c|exit 3", 3));
	t2_assert_exit_told(
		&told, t2_assert_traced_child(&told, told.root, FORK(1, "underscore_fork", 4)), 4);
	t2_told_close(&told);
}

Test(fork, children_of_threads_are_announced_under_the_thread)
{
	struct t2_told told;
	int nr_executed = 0;
	int nr;
	int i;

	t2_tell(&told, "threads_fork");
	t2_assert_exited(&told.run, 0);
	nr = t2_trace_count(&told.trace, told.root, "child_start");
	cr_assert_eq(nr, 24);
	for (i = 0; i < nr; i++) {
		const json_t *start =
			t2_trace_line_with(&told.trace, told.root, "child_start", "child_id", i);
		char *argv = t2_line_list(start, "argv");
		bool is_executed = strcmp(argv, "sh|-c|exit 3") == 0;

		cr_expect_eq(strncmp(t2_line_text(start, "thread"), "th0", 3), 0, "child of %s",
			     t2_line_text(start, "thread"));
		t2_assert_traced_child(
			&told, told.root,
			FORK(i, is_executed ? argv : "threads_fork", is_executed ? 3 : 2));
		nr_executed += is_executed;
		free(argv);
	}
	cr_expect_eq(nr_executed, 12);
	t2_told_close(&told);
}

Test(fork, clone_with_a_function_ends_with_it)
{
	struct t2_told told;

	t2_tell(&told, "clone_fork");
	t2_assert_exited(&told.run, 0);
	t2_assert_exit_told(&told,
			    t2_assert_traced_child(&told, told.root, CLONE(0, "clone_fork", 9)), 9);
	t2_told_close(&told);
}

Test(fork, clone_alias_is_told_like_the_name)
{
	struct t2_told told;

	t2_tell(&told, "clone_fork_alias");
	t2_assert_exited(&told.run, 0);
	t2_assert_traced_child(&told, told.root, CLONE(0, "clone_fork|__clone", 9));
	t2_assert_traced_child(&told, told.root, CLONE(1, "clone_fork|__clone", 9));
	t2_told_close(&told);
}

Test(fork, clone_that_executes_is_one_level)
{
	struct t2_told told;

	t2_tell(&told, "clone_fork_exec");
	t2_assert_exited(&told.run, 0);
	t2_assert_traced_child(&told, told.root, CLONE(0, "sh|-c|exit 9", 9));
	cr_expect_eq(told.trace.nr_sessions, 2);
	t2_told_close(&told);
}

Test(fork, clone_that_shares_memory_is_told_at_its_exec)
{
	struct t2_told told;
	int failed;

	t2_tell(&told, "clone_vm_vfork");
	t2_assert_exited(&told.run, 0);
	t2_assert_traced_child(&told, told.root, CLONE(0, "sh|-c|exit 3", 3));
	failed = t2_assert_traced_child(&told, told.root, CLONE(1, "clone_vm_vfork", 127));
	t2_assert_kinds(&told, failed, LATER " exec exec_result " END);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "exec"), 0);
	t2_told_close(&told);
}

Test(fork, a_clone_without_thread_local_storage_is_let_be)
{
	struct t2_told told;

	t2_tell(&told, "clone_settls");
	t2_assert_exited(&told.run, 0);
	t2_assert_child(&told, told.root, CLONE(0, "clone_settls", 7));
	t2_told_close(&told);
}

Test(fork, clone_that_runs_beside_us_disturbs_nobody)
{
	struct t2_told told;
	int i;

	t2_tell(&told, "clone_vm");
	t2_assert_exited(&told.run, 0);
	t2_assert_child(&told, told.root, CLONE(0, "clone_vm", 9));
	for (i = 0; i < 5; i++)
		t2_assert_traced_child(&told, told.root, FORK(i + 1, "clone_vm", i));
	t2_told_close(&told);
}

Test(fork, forkpty_is_told_like_fork)
{
	struct t2_told told;

	t2_tell(&told, "forkpty_child");
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, "exec\r\nno exec\r\n");
	t2_assert_traced_child(&told, told.root, FORK(0, "sh|-c|echo exec; exit 3", 3));
	t2_assert_exit_told(
		&told, t2_assert_traced_child(&told, told.root, FORK(1, "forkpty_child", 4)), 4);
	t2_told_close(&told);
}

Test(fork, calls_through_the_gate_are_told)
{
	struct t2_told told;

	t2_tell(&told, "syscall_gate");
	t2_assert_exited(&told.run, 6);
	t2_assert_traced_child(&told, told.root, FORK(0, "sh|-c|exit 3", 3));
	t2_assert_traced_child(&told, told.root, CLONE(1, "syscall_gate", 4));
#if defined(__x86_64__)
	t2_assert_traced_child(
		&told, told.root,
		&(struct t2_child){.id = 2, .class = "vfork", .argv = "syscall_gate", .code = 5});
#endif
	t2_told_close(&told);
}
