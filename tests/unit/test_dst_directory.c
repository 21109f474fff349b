/* SPDX-License-Identifier: MIT */
/* preload/dst.c: directories, a file per session in them, and how many they may hold. */
#include "tests/unit/dst.h"

#include <errno.h>

TestSuite(dst_directory, .init = open_dir, .fini = remove_dir, .timeout = 30);

Test(dst_directory, a_directory_gets_a_file_per_session)
{
	begin(dir);
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put("two\n"), 0);
	assert_file_holds(in_dir(LEAF), "one\ntwo\n");
	assert_absent(in_dir(LEAF ".1"));
}

Test(dst_directory, a_directory_may_be_named_by_a_link_or_with_a_slash)
{
	mkdir(in_dir("real"), 0755);
	cr_assert_eq(symlink("real", in_dir("link")), 0);
	begin(in_dir("link"));
	cr_assert_eq(put("one\n"), 0);
	begin(in_dir("real/"));
	cr_assert_eq(put("two\n"), 0);
	assert_file_holds(in_dir("real/" LEAF), "one\n");
	assert_file_holds(in_dir("real/" LEAF ".1"), "two\n");
}

Test(dst_directory, ten_files_of_a_name_and_no_more)
{
	struct t2_dst many[11];
	char name[128];

	for (int i = 0; i < 11; i++) {
		char line[3] = {(char)('a' + i), '\n'};

		t2_dst_init(&many[i], dir);
		cr_assert_eq(put_as(&many[i], LEAF, line, 2, 0), i < 10 ? 0 : -EEXIST, "file %d",
			     i);
	}
	cr_assert_eq(many[10].kind, T2_DST_OFF);
	for (int i = 0; i < 10; i++) {
		char expected[] = {(char)('a' + i), '\n', (char)('A' + i), '\n', '\0'};
		char line[3] = {(char)('A' + i), '\n'};

		cr_assert_eq(put_as(&many[i], LEAF, line, 2, 0), 0);
		snprintf(name, sizeof(name), i ? LEAF ".%d" : LEAF, i);
		assert_file_holds(in_dir(name), expected);
	}
	assert_absent(in_dir(LEAF ".10"));
}

Test(dst_directory, what_another_left_in_a_directory_is_not_touched)
{
	FILE *file = fopen(in_dir(LEAF), "we");

	fclose(file);
	cr_assert_eq(symlink("nowhere", in_dir(LEAF ".1")), 0);
	mkdir(in_dir(LEAF ".2"), 0755);
	begin(dir);
	cr_assert_eq(put("one\n"), 0);
	assert_file_holds(in_dir(LEAF), "");
	assert_absent(in_dir("nowhere"));
	assert_file_holds(in_dir(LEAF ".3"), "one\n");
}

Test(dst_directory, a_file_that_vanished_from_a_directory_is_not_made_again)
{
	begin(dir);
	put("one\n");
	unlink(in_dir(LEAF));
	cr_assert_eq(put("two\n"), -ENOENT);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	assert_absent(in_dir(LEAF));
}

Test(dst_directory, another_session_gets_another_file)
{
	begin(dir);
	put("one\n");
	dst.nr_lost = 3;
	t2_dst_renew(&dst, true);
	cr_assert_eq(put_as(&dst, "other", "two\n", 4, 0), 0);
	assert_file_holds(in_dir(LEAF), "one\n");
	assert_file_holds(in_dir("other"), "two\n");
	cr_assert_eq(dst.nr_lost, 0, "another session's losses");
}

/* The system's limit is PATH_MAX. */
Test(dst_directory, a_directory_far_down_is_a_directory)
{
	static char path[1024];

	snprintf(path, sizeof(path), "%s", dir);
	while (strlen(path) < 700) {
		strcat(path, "/a_directory_with_a_rather_long_name");
		cr_assert_eq(mkdir(path, 0755), 0);
	}
	begin(path);
	cr_assert_eq(put("one\n"), 0, "a directory of %zu bytes", strlen(path));
	strcat(path, "/" LEAF);
	assert_file_holds(path, "one\n");
}

/* --- the limit on the number of files --------------------------------------------- */

#define SENTINEL "git-trace2-discard"

static void make_files(int nr)
{
	char name[32];

	for (int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "file%d", i);
		close(open(in_dir(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	}
}

static int prepare_and_put(int max_files, const char *text)
{
	begin(dir);
	dst.max_files = max_files;
	t2_dst_prepare(&dst, &dst);
	return put(text);
}

/* As readdir() counts: "." and ".." are two of them. */
Test(dst_directory, below_the_limit_there_is_a_file_per_session)
{
	make_files(3);
	cr_assert_eq(prepare_and_put(6, "one\n"), 0);
	assert_file_holds(in_dir(LEAF), "one\n");
	assert_absent(in_dir(SENTINEL));
}

Test(dst_directory, at_the_limit_the_session_s_file_is_the_sentinel)
{
	make_files(3);
	cr_assert_eq(prepare_and_put(5, "one\n"), 0);
	assert_file_holds(in_dir(SENTINEL), "one\n");
	assert_absent(in_dir(LEAF));
	cr_assert_eq(put("two\n"), 0);
	assert_file_holds(in_dir(SENTINEL), "one\ntwo\n");
}

Test(dst_directory, with_a_sentinel_in_it_it_is_off)
{
	make_files(3);
	close(open(in_dir(SENTINEL), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	cr_assert_eq(prepare_and_put(5, "one\n"), 0);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	cr_assert_eq(dst.fault, T2_DST_OVERLOADED);
	assert_file_holds(in_dir(SENTINEL), "");
	assert_absent(in_dir(LEAF));
}

Test(dst_directory, without_a_limit_nothing_is_counted)
{
	make_files(20);
	cr_assert_eq(prepare_and_put(0, "one\n"), 0);
	assert_file_holds(in_dir(LEAF), "one\n");
	assert_absent(in_dir(SENTINEL));
}

Test(dst_directory, a_file_has_no_limit)
{
	make_files(20);
	begin(in_dir("trace"));
	dst.max_files = 1;
	t2_dst_prepare(&dst, &dst);
	cr_assert_eq(put("one\n"), 0);
	assert_file_holds(in_dir("trace"), "one\n");
}
