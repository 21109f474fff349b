/* SPDX-License-Identifier: MIT */
/* preload/dst_file.c: a file that stays open for several batches. */
#include "tests/unit/dst.h"

TestSuite(dst_hold, .init = open_dir, .fini = remove_dir, .timeout = 30);

/* Whoever opens the path from now on finds another file. */
static void move_away(const char *name, const char *to)
{
	char from[4096];

	snprintf(from, sizeof(from), "%s", in_dir(name));
	cr_assert_eq(rename(from, in_dir(to)), 0);
}

Test(dst_hold, file_is_opened_once_and_closed_at_the_end)
{
	int before = nr_open();

	begin(in_dir("file"));
	cr_assert(t2_dst_hold());
	cr_assert_eq(put("a\n"), 0);
	cr_expect_eq(nr_open(), before + 1);
	move_away("file", "old");
	cr_assert_eq(put("b\n"), 0);
	t2_dst_let_go();
	cr_expect_eq(nr_open(), before);
	cr_assert_eq(put("c\n"), 0);
	cr_expect_eq(nr_open(), before);
	assert_file_holds(in_dir("old"), "a\nb\n");
	assert_file_holds(in_dir("file"), "c\n");
}

Test(dst_hold, session_that_takes_over_the_destination_uses_the_same)
{
	struct t2_dst child;

	begin(in_dir("file"));
	cr_assert(t2_dst_hold());
	cr_assert_eq(put("parent\n"), 0);
	child = dst;
	t2_dst_renew(&child, true);
	move_away("file", "old");
	cr_assert_eq(put_as(&child, LEAF, "child\n", 6, 0), 0);
	t2_dst_let_go();
	assert_file_holds(in_dir("old"), "parent\nchild\n");
	assert_absent(in_dir("file"));
}

Test(dst_hold, another_file_is_opened_and_closed_meanwhile)
{
	int before = nr_open();
	struct t2_dst other;
	char *path = strdup(in_dir("other"));

	begin(in_dir("file"));
	t2_dst_init(&other, path);
	cr_assert(t2_dst_hold());
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(put("a\n"), 0);
		cr_assert_eq(put_as(&other, LEAF, "b\n", 2, 0), 0);
	}
	cr_expect_eq(nr_open(), before + 1);
	t2_dst_let_go();
	cr_expect_eq(nr_open(), before);
	assert_file_holds(in_dir("file"), "a\na\n");
	assert_file_holds(in_dir("other"), "b\nb\n");
	free(path);
}

Test(dst_hold, nothing_is_held_where_nothing_was_written)
{
	int before = nr_open();

	begin(in_dir("file"));
	cr_assert(t2_dst_hold());
	t2_dst_let_go();
	cr_expect_eq(nr_open(), before);
	assert_absent(in_dir("file"));
}

Test(dst_hold, who_comes_second_has_nothing_to_let_go)
{
	begin(in_dir("file"));
	cr_assert(t2_dst_hold());
	cr_assert_not(t2_dst_hold());
	cr_assert_eq(put("a\n"), 0);
	cr_assert_not(t2_dst_hold());
	t2_dst_let_go();
	cr_assert(t2_dst_hold());
	t2_dst_let_go();
}

Test(dst_hold, nothing_is_held_among_threads)
{
	atomic_store(&t2_dst_has_threads, true);
	cr_assert_not(t2_dst_hold());
}

Test(dst_hold, file_of_a_directory_is_closed_each_time)
{
	int before = nr_open();

	begin(in_dir(""));
	cr_assert(t2_dst_hold());
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(put("a\n"), 0);
		cr_expect_eq(nr_open(), before);
	}
	t2_dst_let_go();
	assert_file_holds(in_dir(LEAF), "a\na\n");
}

Test(dst_hold, target_that_fails_leaves_nothing_open)
{
	int before = nr_open();

	begin("/dev/full");
	cr_assert(t2_dst_hold());
	cr_assert_lt(put("a\n"), 0);
	cr_expect_eq(dst.kind, T2_DST_OFF);
	t2_dst_let_go();
	cr_expect_eq(nr_open(), before);
}
