/* SPDX-License-Identifier: MIT */
/*
 * One image becomes another.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/each.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct call {
	const char *label;
	const char *out; /* which environment the new image had */
	const char *exe; /* the file that was asked for; NULL: it was a descriptor */
} calls[] = {
	{"execve", "passed\n", "/bin/sh"},   {"execv", "inherited\n", "/bin/sh"},
	{"execvp", "inherited\n", "sh"},     {"execvpe", "passed\n", "sh"},
	{"execl", "inherited\n", "/bin/sh"}, {"execlp", "inherited\n", "sh"},
	{"execle", "passed\n", "/bin/sh"},   {"fexecve", "passed\n", NULL},
	{"execveat", "passed\n", "/bin/sh"},
};

ParameterizedTestParameters(exec, every_name_is_told)
{
	return t2_each(T2_LEN(calls));
}

ParameterizedTest(int *index, exec, every_name_is_told)
{
	const struct call *call = &calls[*index];
	struct t2_told told;
	const json_t *exec;
	char *argv;
	int image;

	t2_tell(&told, call->label);
	t2_assert_exited(&told.run, 3);
	cr_expect_str_eq(told.run.out, call->out, "%s: %s", call->label, told.run.out);
	t2_assert_kinds(&told, told.root, FIRST " exec");
	exec = t2_trace_line(&told.trace, told.root, "exec", 0);
	argv = t2_line_list(exec, "argv");
	cr_expect_str_eq(argv, "sh|-c|echo $GREETING; exit 3", "%s", argv);
	if (call->exe)
		cr_expect_str_eq(t2_line_text(exec, "exe"), call->exe, "%s: exe %s", call->label,
				 t2_line_text(exec, "exe"));
	image = t2_trace_below(&told.trace, told.root, told.trace.sessions[told.root].pid);
	t2_assert_kinds(&told, image, LATER " " END);
	t2_assert_exit_told(&told, image, 3);
	free(argv);
	t2_told_close(&told);
}

Test(exec, thread_that_executes_is_named)
{
	struct t2_told told;
	int image;

	t2_tell(&told, "exec_in_thread");
	t2_assert_exited(&told.run, 3);
	t2_assert_kinds(&told, told.root, FIRST " thread_start exec");
	cr_expect_eq(
		strncmp(t2_line_text(t2_trace_line(&told.trace, told.root, "exec", 0), "thread"),
			"th01:", 5),
		0);
	image = t2_trace_below(&told.trace, told.root, told.trace.sessions[told.root].pid);
	t2_assert_exit_told(&told, image, 3);
	t2_told_close(&told);
}

Test(exec, empty_argv_is_one_empty_argument)
{
	struct t2_told told;
	int image;
	char *argv;

	t2_tell(&told, "exec_no_argv");
	t2_assert_exited(&told.run, 3);
	image = t2_trace_below(&told.trace, told.root, told.trace.sessions[told.root].pid);
	argv = t2_line_list(t2_trace_line(&told.trace, image, "start", 0), "argv");
	cr_expect_str_eq(argv, "");
	free(argv);
	t2_told_close(&told);
}

Test(exec, five_thousand_arguments_arrive_and_are_told)
{
	struct t2_told told;
	int image;

	t2_tell(&told, "execl_many");
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, "5000 j\n");
	image = t2_trace_below(&told.trace, told.root, told.trace.sessions[told.root].pid);
	cr_expect_eq(json_array_size(json_object_get(t2_trace_line(&told.trace, image, "start", 0),
						     "argv")),
		     5004);
	t2_told_close(&told);
}

Test(exec, failure_has_its_result_and_the_session_goes_on)
{
	static const int codes[] = {ENOENT, EACCES, ENOEXEC};
	struct t2_told told;
	int i;

	t2_tell(&told, "exec_fails");
	t2_assert_exited(&told.run, 4);
	t2_assert_kinds(&told, told.root,
			FIRST " exec exec_result exec exec_result exec exec_result " END);
	for (i = 0; i < 3; i++) {
		const json_t *result =
			t2_trace_line_with(&told.trace, told.root, "exec_result", "exec_id", i);

		cr_assert_not_null(result);
		cr_expect_eq(t2_line_number(result, "code"), codes[i]);
	}
	t2_assert_exit_told(&told, told.root, 4);
	t2_told_close(&told);
}

Test(exec, search_in_a_forked_child_is_told_by_its_success_only)
{
	struct t2_told told;

	t2_tell(&told, "exec_path_fork");
	t2_assert_exited(&told.run, 0);
	t2_assert_traced_child(
		&told, told.root,
		&(struct t2_child){.id = 0, .class = "fork", .argv = "sh|-c|exit 3", .code = 3});
	cr_expect_eq(t2_trace_count(&told.trace, -1, "exec"), 0);
	cr_expect_eq(told.trace.nr_sessions, 2);
	t2_told_close(&told);
}

Test(exec, search_in_a_session_is_told_attempt_by_attempt)
{
	struct t2_told told;

	t2_tell(&told, "exec_path_self");
	t2_assert_exited(&told.run, 3);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "exec"), 21);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "exec_result"), 20);
	cr_expect_null(t2_trace_line_with(&told.trace, told.root, "exec_result", "exec_id", 20));
	cr_expect_eq(t2_trace_nr_below(&told.trace, told.root), 1);
	t2_told_close(&told);
}

Test(exec, environment_of_the_greatest_size_is_not_made_too_big)
{
	struct t2_run runs[2];
	int i;
	struct t2_launch launch = {.argv = (const char *const[]){"exec_e2big", NULL},
				   .targets = T2_TARGET_EVENT};

	for (i = 0; i < 2; i++) {
		launch.preload = i ? T2_SHIM : T2_BARE;
		t2_run_open(&runs[i]);
		t2_run_launch(&runs[i], &launch);
		t2_assert_exited(&runs[i], 0);
	}
	cr_expect_str_eq(runs[1].out, runs[0].out, "room is %s instead of %s", runs[1].out,
			 runs[0].out);
	t2_run_close(&runs[0]);
	t2_run_close(&runs[1]);
}
