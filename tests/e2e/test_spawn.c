/* SPDX-License-Identifier: MIT */
/*
 * posix_spawn: the child is announced beforehand.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define SPAWN(nr, list, end)                                                                       \
	(&(struct t2_child){.id = nr, .class = "spawn", .argv = list, .code = end})

Test(spawn, child_is_told_with_its_start_and_its_end)
{
	struct t2_told told;
	int child;
	int i;

	t2_tell(&told, "spawn");
	t2_assert_exited(&told.run, 0);
	for (i = 0; i < 3; i++) { /* by path, by name, without an environment */
		child = t2_assert_traced_child(&told, told.root, SPAWN(i, "sh|-c|exit 3", 3));
		t2_assert_kinds(&told, child, LATER " " END);
	}
	cr_expect_eq(told.trace.nr_sessions, 4);
	t2_told_close(&told);
}

Test(spawn, child_that_could_not_start_has_no_pid_and_no_code)
{
	struct t2_told told;
	int i;

	t2_tell(&told, "spawn");
	for (i = 3; i < 5; i++)
		cr_expect_eq(t2_assert_child(&told, told.root, SPAWN(i, "sh|-c|exit 3", -1)), -1);
	t2_told_close(&told);
}

Test(spawn, each_version_keeps_its_own_behaviour)
{
	struct t2_told told;

	t2_tell(&told, "spawn_old");
	t2_assert_exited(&told.run, 0);
	cr_expect_eq(t2_assert_child(&told, told.root, SPAWN(0, "script", -1)), -1);
	cr_expect_eq(t2_assert_child(&told, told.root, SPAWN(1, "script", -1)), -1);
#if defined(__x86_64__)
	t2_assert_traced_child(&told, told.root, SPAWN(2, "script", 3));
	t2_assert_traced_child(&told, told.root, SPAWN(3, "script", 3));
#endif
	t2_told_close(&told);
}
