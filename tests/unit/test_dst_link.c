/* SPDX-License-Identifier: MIT */
/* preload/dst_file.c: which symbolic links lead to a destination. */
#include "tests/unit/dst.h"

#include <errno.h>

TestSuite(dst_link, .init = open_dir, .fini = remove_dir, .timeout = 30);

#define STRANGER 12345

/* "@dir/shared", in which everybody may make files, with a link to "@dir/mine". */
static const char *make_link(uid_t owner, mode_t mode, uid_t dir_owner)
{
	if (geteuid())
		cr_skip_test("only root can make what others own");
	cr_assert_eq(mkdir(in_dir("shared"), 0700), 0);
	cr_assert_eq(chmod(in_dir("shared"), mode), 0);
	cr_assert_eq(symlink("../mine", in_dir("shared/link")), 0);
	cr_assert_eq(lchown(in_dir("shared/link"), owner, owner), 0);
	cr_assert_eq(chown(in_dir("shared"), dir_owner, dir_owner), 0);
	return in_dir("shared/link");
}

static void assert_is_followed(const char *path)
{
	begin(path);
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put("two\n"), 0);
	assert_file_holds(in_dir("mine"), "one\ntwo\n");
}

static void assert_is_refused(const char *path)
{
	begin(path);
	cr_assert_lt(put("one\n"), 0);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	cr_assert_eq(dst.fault, T2_DST_NOT_OPENED);
	assert_absent(in_dir("mine"));
}

Test(dst_link, in_an_ordinary_directory_is_followed)
{
	cr_assert_eq(symlink("mine", in_dir("link")), 0);
	assert_is_followed(in_dir("link"));
}

Test(dst_link, a_stranger_s_in_a_sticky_directory_is_refused)
{
	assert_is_refused(make_link(STRANGER, 01777, 0));
}

Test(dst_link, a_stranger_s_to_a_directory_is_refused)
{
	const char *path = make_link(STRANGER, 01777, 0);

	cr_assert_eq(mkdir(in_dir("mine"), 0700), 0);
	begin(path);
	cr_assert_lt(put("one\n"), 0);
	assert_absent(in_dir("mine/" LEAF));
}

Test(dst_link, a_stranger_s_is_not_even_counted_in)
{
	const char *path = make_link(STRANGER, 01777, 0);

	cr_assert_eq(mkdir(in_dir("mine"), 0700), 0);
	begin(path);
	dst.max_files = 1;
	open_file("mine/one");
	t2_dst_prepare(&dst, &dst);
	cr_assert_eq(dst.kind, T2_DST_FILE);
	assert_absent(in_dir("mine/git-trace2-discard"));
}

Test(dst_link, one_s_own_is_followed)
{
	assert_is_followed(make_link(0, 01777, STRANGER));
}

Test(dst_link, the_directory_owner_s_is_followed)
{
	assert_is_followed(make_link(STRANGER, 01777, STRANGER));
}

Test(dst_link, a_stranger_s_is_followed_where_only_its_owner_may_write)
{
	assert_is_followed(make_link(STRANGER, 01755, 0));
}

Test(dst_link, a_loop_goes_nowhere)
{
	cr_assert_eq(symlink("loop", in_dir("loop")), 0);
	begin(in_dir("loop"));
	cr_assert_eq(put("one\n"), -ELOOP);
}
