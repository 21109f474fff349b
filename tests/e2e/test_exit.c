/* SPDX-License-Identifier: MIT */
/*
 * Every way out of a program.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct way {
	const char *label;
	int code;
	const char *kinds; /* of the root; NULL: not fixed */
} ways[] = {
	{"return_main", 0, FIRST " " END},
	{"exit_code", 7, FIRST " " END},
	{"exit_code_masked", 300 & 0xff, FIRST " " END},
	{"exit_in_atexit", 42, FIRST " " END},
	{"underscore_exit", 3, FIRST " " END},
	{"underscore_Exit", 4, FIRST " " END},
	{"quick_exit", 5, FIRST " " END},
	{"quick_exit_old", 6, FIRST " " END},
	{"quick_exit_child", 5, FIRST " child_start child_exit " END},
	{"errx", 5, FIRST " " END},
	{"err", 6, FIRST " " END},
	{"error", 7, FIRST " " END},
	{"error_at_line", 8, FIRST " " END},
	{"last_thread_exits", 0, FIRST " thread_start thread_exit " END},
	{"threads_detached_at_exit", 5, FIRST " thread_start thread_start thread_start " END},
	{"syscall_gate", 6, NULL},
};

ParameterizedTestParameters(exit, code_is_told_once_and_last)
{
	return t2_each(T2_LEN(ways));
}

ParameterizedTest(int *index, exit, code_is_told_once_and_last)
{
	const struct way *way = &ways[*index];
	struct t2_told told;

	t2_tell(&told, way->label);
	t2_assert_exited(&told.run, way->code);
	t2_assert_exit_told(&told, told.root, way->code);
	if (way->kinds)
		t2_assert_kinds(&told, told.root, way->kinds);
	t2_told_close(&told);
}

/* Every leaf of the usage is a whole number with its unit in the name. */
static int count_numbers(const json_t *value)
{
	const char *key;
	const json_t *member;
	int nr = 0;

	json_object_foreach((json_t *)value, key, member)
	{
		if (json_is_object(member)) {
			nr += count_numbers(member);
			continue;
		}
		cr_expect(json_is_integer(member), "%s is no whole number", key);
		cr_expect_geq(json_integer_value(member), 0, "%s", key);
		nr++;
	}
	return nr;
}

Test(exit, usage_of_the_process_and_its_children_is_told)
{
	struct t2_told told;
	const json_t *line;

	t2_tell(&told, "fork_exec");
	line = t2_trace_line(&told.trace, told.root, "data_json", 0);
	cr_expect_str_eq(t2_line_text(line, "category"), "process");
	cr_expect_str_eq(t2_line_text(line, "key"), "rusage");
	cr_expect_eq(t2_line_number(line, "nesting"), 1);
	/* times, size, faults, block I/O, context switches; for self and for children */
	cr_expect_geq(count_numbers(json_object_get(line, "value")), 12);
	t2_told_close(&told);
}

Test(exit, daemon_tells_the_end_of_the_first_process_and_of_the_daemon)
{
	struct t2_told told;
	int daemon;

	t2_tell(&told, "daemonize");
	t2_assert_exited(&told.run, 0);
	t2_assert_exit_told(&told, told.root, 0);
	cr_assert_eq(t2_trace_nr_below(&told.trace, told.root), 1);
	t2_assert_child(&told, told.root,
			&(struct t2_child){
				.id = 0, .class = "fork", .argv = "daemonize", .code = T2_NO_EXIT});
	daemon = told.root == 0 ? 1 : 0;
	t2_assert_exit_told(&told, daemon, 3);
	t2_told_close(&told);
}

/* The child was nobody's; what comes behind it is told as ever. */
Test(exit, call_that_comes_before_our_constructor_is_passed_through)
{
	struct t2_told told;

	t2_tell(&told, "preinit_forks");
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, "main\n");
	t2_assert_exit_told(&told, told.root, 0);
	t2_told_close(&told);
}

Test(exit, what_stdio_holds_is_not_written_because_of_us)
{
	struct t2_told told;

	t2_tell(&told, "underscore_exit");
	cr_expect_str_eq(told.run.out, "");
	t2_told_close(&told);
}

/*
 * The slower of two threads finds no handler left and ends the process, perhaps
 * while the faster one is telling it: then the event is lost, which may happen.
 */
Test(exit, two_threads_do_not_tell_it_twice)
{
	struct t2_told told;

	t2_tell(&told, "exit_two_threads");
	t2_assert_exited(&told.run, 11);
	if (t2_trace_count(&told.trace, told.root, "exit") > 0)
		t2_assert_exit_told(&told, told.root, 11);
	t2_told_close(&told);
}
