/* SPDX-License-Identifier: MIT */
/*
 * vfork keeps its meaning, and its child announces itself.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VFORK(nr, list, end)                                                                       \
	(&(struct t2_child){.id = nr, .class = "vfork", .argv = list, .code = end})

static void check_vfork_exec(const char *label)
{
	struct t2_told told;
	int child;

	t2_tell(&told, label);
	t2_assert_exited(&told.run, 0);
	child = t2_assert_traced_child(&told, told.root, VFORK(0, "sh|-c|exit 3", 3));
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_assert_kinds(&told, child, LATER " " END);
	cr_expect_eq(told.trace.nr_sessions, 2);
	t2_told_close(&told);
}

Test(vfork, child_that_executes_announces_the_program_that_really_ran)
{
	check_vfork_exec("vfork_exec");
}

Test(vfork, alias_is_told_like_the_name)
{
	check_vfork_exec("vfork_exec_alias");
}

Test(vfork, child_that_exits_is_a_session)
{
	struct t2_told told;
	int child;

	t2_tell(&told, "vfork_exit");
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, "held\nhandler\n");
	child = t2_assert_traced_child(&told, told.root, VFORK(0, "vfork_exit", 8));
	t2_assert_kinds(&told, child, LATER " " END);
	t2_assert_exit_told(&told, child, 8);
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_assert_exit_told(&told, told.root, 0);
	t2_told_close(&told);
}

Test(vfork, nothing_of_ours_lies_on_the_shared_stack)
{
	struct t2_told told;
	int i;

	t2_tell(&told, "vfork_stack");
	t2_assert_exited(&told.run, 0);
	for (i = 0; i < 3; i++)
		t2_assert_traced_child(&told, told.root, VFORK(i, "sh|-c|exit 3", 3));
	t2_told_close(&told);
}

/*
 * The outer child vforks, so it is a session; its own exec then is one like any
 * other's, and the new image hangs below it.
 */
Test(vfork, nested_children_are_told_apart)
{
	struct t2_told told;
	int outer;
	int image;

	t2_tell(&told, "vfork_nested");
	t2_assert_exited(&told.run, 0);
	outer = t2_assert_traced_child(&told, told.root, VFORK(0, "vfork_nested", 3));
	t2_assert_traced_child(&told, outer, VFORK(0, "sh|-c|exit 4", 4));
	t2_assert_kinds(&told, outer, LATER " child_start child_exit exec");
	image = t2_trace_below(&told.trace, outer, told.trace.sessions[outer].pid);
	t2_assert_exit_told(&told, image, 3);
	cr_expect_eq(told.trace.nr_sessions, 4);
	t2_told_close(&told);
}

Test(vfork, threads_do_not_take_each_others_children)
{
	struct t2_told told;
	int code;
	int i;

	t2_tell(&told, "vfork_threads");
	t2_assert_exited(&told.run, 0);
	cr_assert_eq(t2_trace_count(&told.trace, told.root, "child_start"), 32);
	for (i = 0; i < 32; i++) {
		const json_t *start =
			t2_trace_line_with(&told.trace, told.root, "child_start", "child_id", i);
		char *argv = t2_line_list(start, "argv");

		cr_assert_eq(sscanf(argv, "sh|-c|exit %d", &code), 1, "%s", argv);
		t2_assert_exit_told(&told,
				    t2_assert_traced_child(&told, told.root, VFORK(i, argv, code)),
				    code);
		cr_expect_eq(strncmp(t2_line_text(start, "thread"), "th0", 3), 0);
		free(argv);
	}
	cr_expect_eq(told.trace.nr_sessions, 33);
	t2_told_close(&told);
}

Test(vfork, attempts_of_a_child_that_never_executes_are_told)
{
	struct t2_told told;
	int child;

	t2_tell(&told, "vfork_fail");
	t2_assert_exited(&told.run, 0);
	child = t2_assert_traced_child(&told, told.root, VFORK(0, "vfork_fail", 127));
	t2_assert_kinds(&told, child, LATER " exec exec_result exec exec_result " END);
	cr_expect_eq(t2_line_number(t2_trace_line(&told.trace, child, "exec_result", 0), "code"),
		     ENOENT);
	cr_expect_eq(t2_line_number(t2_trace_line(&told.trace, child, "exec_result", 1), "code"),
		     EACCES);
	t2_assert_exit_told(&told, child, 127);
	t2_told_close(&told);
}

Test(vfork, child_that_resets_and_closes_everything_is_told_once)
{
	struct t2_told told;

	t2_tell(&told, "vfork_busy");
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, "still on stdout\n");
	t2_assert_traced_child(&told, told.root, VFORK(0, "sh|-c|exit 3", 3));
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_told_close(&told);
}
