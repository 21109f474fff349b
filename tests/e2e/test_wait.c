/* SPDX-License-Identifier: MIT */
/*
 * A child's end is told at the reap, once, with what the wait knew.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define FORK(nr, list, end)                                                                        \
	(&(struct t2_child){.id = nr, .class = "fork", .argv = list, .code = end})

Test(wait, every_name_tells_every_child_once)
{
	struct t2_told told;
	int i;

	t2_tell(&told, "wait_all");
	t2_assert_exited(&told.run, 0);
	for (i = 0; i < 10; i++)
		t2_assert_traced_child(&told, told.root, FORK(i, "wait_all", i + 1));
	t2_assert_child(&told, told.root, FORK(10, "wait_all", 128 + SIGKILL));
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "child_exit"), 11,
		     "a peek, a stop and a continue are no ends");
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "child_ready"), 0);
	t2_told_close(&told);
}

Test(wait, end_of_a_child_has_what_it_used)
{
	struct t2_told told;
	const json_t *end;

	t2_tell(&told, "fork_exec");
	end = t2_trace_line(&told.trace, told.root, "child_exit", 0);
	cr_expect_geq(t2_line_seconds(end, "t_user"), 0.0);
	cr_expect_geq(t2_line_seconds(end, "t_sys"), 0.0);
	cr_expect_gt(t2_line_number(end, "max_rss_kb"), 0);
	t2_told_close(&told);
}

Test(wait, every_name_knows_what_the_child_used)
{
	struct t2_told told;
	int i;

	t2_tell(&told, "wait_all");
	for (i = 0; i < 11; i++) {
		const json_t *end =
			t2_trace_line_with(&told.trace, told.root, "child_exit", "child_id", i);

		cr_assert_not_null(end);
		cr_expect_not_null(json_object_get(end, "max_rss_kb"), "child %d", i);
		cr_expect_not_null(json_object_get(end, "t_user"), "child %d", i);
	}
	t2_told_close(&told);
}

Test(wait, reaping_in_a_signal_handler_is_told)
{
	struct t2_told told;
	bool seen[5] = {false};
	int i;

	t2_tell(&told, "wait_sigchld_handler");
	t2_assert_exited(&told.run, 0);
	cr_assert_eq(t2_trace_count(&told.trace, told.root, "child_exit"), 5);
	for (i = 0; i < 5; i++) {
		const json_t *end = t2_trace_line(&told.trace, told.root, "child_exit", i);
		json_int_t code = t2_line_number(end, "code");

		cr_assert(code >= 0 && code < 5);
		cr_expect(!seen[code], "code %d twice", (int)code);
		seen[code] = true;
	}
	t2_told_close(&told);
}

Test(wait, nobody_invents_the_end_of_a_child_that_nobody_reaped)
{
	struct t2_told told;

	t2_tell(&told, "sigchld_ignored");
	t2_assert_exited(&told.run, 0);
	t2_assert_child(&told, told.root, FORK(0, "sh|-c|exit 3", T2_NO_EXIT));
	t2_told_close(&told);
}

Test(wait, status_that_cannot_be_written_is_the_kernels_affair)
{
	struct t2_told told;

	t2_tell(&told, "wait_bad_pointer");
	t2_assert_exited(&told.run, 0);
	t2_told_close(&told);
}

Test(wait, wait_that_is_jumped_out_of_is_no_end)
{
	struct t2_told told;

	t2_tell(&told, "siglongjmp_out");
	t2_assert_exited(&told.run, 0);
	t2_assert_traced_child(&told, told.root, FORK(0, "siglongjmp_out", 3));
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "child_exit"), 1);
	t2_told_close(&told);
}
