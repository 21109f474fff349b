/* SPDX-License-Identifier: MIT */
/*
 * A shell is asked to do it: system, popen, wordexp.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/each.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

/* The first is how libc finds out whether there is a shell. */
static const struct t2_child systems[] = {
	{.id = 0, .class = "system", .use_shell = true, .argv = "exit 0", .code = 0},
	{.id = 1, .class = "system", .use_shell = true, .argv = "true", .code = 0},
	{.id = 2, .class = "system", .use_shell = true, .argv = "exit 3", .code = 3},
	{.id = 3,
	 .class = "system",
	 .use_shell = true,
	 .argv = "kill -KILL $$",
	 .code = 128 + SIGKILL},
	{.id = 4,
	 .class = "system",
	 .use_shell = true,
	 .argv = "exec 2>/dev/null; nonexistent-program",
	 .code = 127},
};

static const struct t2_child popens[] = {
	{.id = 0,
	 .class = "popen",
	 .use_shell = true,
	 .argv = "echo from below; exit 4",
	 .code = 4},
	{.id = 1,
	 .class = "popen",
	 .use_shell = true,
	 .argv = "read word; test \"$word\" = down",
	 .code = 0},
	{.id = 2, .class = "popen", .use_shell = true, .argv = "exit 5", .code = 5},
};

Test(shell, system_has_the_command_and_its_code)
{
	struct t2_told told;
	size_t i;

	t2_tell(&told, "system_calls");
	t2_assert_exited(&told.run, 0);
	for (i = 0; i < T2_LEN(systems); i++)
		t2_assert_traced_child(&told, told.root, &systems[i]);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "child_start"), T2_LEN(systems));
	cr_expect_eq(t2_trace_nr_below(&told.trace, told.root), T2_LEN(systems),
		     "each shell is a session");
	t2_told_close(&told);
}

Test(shell, popen_is_ended_by_pclose)
{
	struct t2_told told;
	size_t i;

	t2_tell(&told, "popen_pclose");
	t2_assert_exited(&told.run, 0);
	for (i = 0; i < T2_LEN(popens); i++)
		t2_assert_traced_child(&told, told.root, &popens[i]);
	cr_expect_eq(t2_trace_nr_below(&told.trace, told.root), 3);
	t2_told_close(&told);
}

Test(shell, popen_is_ended_by_fclose)
{
	struct t2_told told;

	t2_tell(&told, "popen_fclose");
	t2_assert_exited(&told.run, 0);
	t2_assert_child(
		&told, told.root,
		&(struct t2_child){
			.id = 0, .class = "popen", .use_shell = true, .argv = "exit 4", .code = 4});
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_told_close(&told);
}

Test(shell, wordexp_is_a_child_only_if_a_command_runs)
{
	struct t2_told told;
	const json_t *start;
	char *argv;

	t2_tell(&told, "wordexp_cmd");
	t2_assert_exited(&told.run, 0);
	t2_assert_kinds(&told, told.root, FIRST " child_start " END);
	start = t2_trace_line(&told.trace, told.root, "child_start", 0);
	argv = t2_line_list(start, "argv");
	cr_expect_str_eq(argv, "$(echo a b) c");
	cr_expect_str_eq(t2_line_text(start, "child_class"), "system");
	free(argv);
	t2_told_close(&told);
}
