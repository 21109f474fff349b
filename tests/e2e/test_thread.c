/* SPDX-License-Identifier: MIT */
/*
 * Threads: told from inside, with one name each.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/each.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct family {
	const char *label;
	int nr_starts, nr_exits;
	const char *procedure; /* its symbol, where nothing else is called so */
} families[] = {
	{"threads_many", 1000, 1000, "add_one"},
	{"thrd_c11", 2, 2, "by_"}, /* by_return and by_exit */
	{"thread_cancel", 2, 2, "wait_for_it"},
	{"thread_pthread_exit", 1, 1, "begin"},
	{"threads_detached_at_exit", 3, 0, "stay"},
	{"last_thread_exits", 1, 1, "outlive"},
	{"thread_fails", 1, 1, "idle"},
	{"cancel_in_wait", 2, 2, ""}, /* wait_for and call_system */
};

ParameterizedTestParameters(thread, start_and_exit_are_told)
{
	return t2_each(T2_LEN(families));
}

/*
 * The base name is the procedure's symbol, or the module and an offset; the
 * executable is called exe there, because its own name could push the offset out
 * of the 24 bytes.
 */
static void check_name(const json_t *line, const struct family *family)
{
	const char *name = t2_line_text(line, "thread");
	const char *base = strchr(name, ':');

	cr_assert_not_null(base, "%s", name);
	base++;
	cr_expect(strncmp(base, family->procedure, strlen(family->procedure)) == 0 ||
			  strncmp(base, "exe+0x", 6) == 0,
		  "thread name '%s'", name);
}

ParameterizedTest(int *index, thread, start_and_exit_are_told)
{
	const struct family *family = &families[*index];
	struct t2_told told;
	int i;

	t2_tell(&told, family->label);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "thread_start"), family->nr_starts);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "thread_exit"), family->nr_exits);
	for (i = 0; i < t2_trace_count(&told.trace, told.root, "thread_start") && i < 10; i++)
		check_name(t2_trace_line(&told.trace, told.root, "thread_start", i), family);
	for (i = 0; i < t2_trace_count(&told.trace, told.root, "thread_exit") && i < 10; i++)
		cr_expect_geq(
			t2_line_seconds(t2_trace_line(&told.trace, told.root, "thread_exit", i),
					"t_rel"),
			0.0);
	t2_told_close(&told);
}

Test(thread, end_of_the_last_thread_is_the_end_of_the_process)
{
	struct t2_told told;

	t2_tell(&told, "last_thread_exits");
	t2_assert_exited(&told.run, 0);
	t2_assert_exit_told(&told, told.root, 0);
	t2_told_close(&told);
}
