/* SPDX-License-Identifier: MIT */
/* preload/sentinel.c: how entries are counted, and what is left when there are too many. */
#include "preload/sentinel.h"
#include "tests/unit/dir.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char sentinel[64];

static void set_up(void)
{
	open_dir();
	snprintf(sentinel, sizeof(sentinel), "%s/" T2_SENTINEL_NAME, dir);
}

TestSuite(sentinel, .init = set_up, .fini = remove_dir);

static void make_files(int nr)
{
	char path[64];

	for (int i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%d", dir, i);
		close(open(path, O_WRONLY | O_CREAT, 0600));
	}
}

static int check(int max)
{
	return t2_sentinel_check(dir, max, &dir);
}

Test(sentinel, dot_and_dot_dot_count)
{
	cr_assert_eq(check(3), T2_SENTINEL_ROOM);
	make_files(1);
	cr_assert_eq(check(4), T2_SENTINEL_ROOM);
	cr_assert_neq(access(sentinel, F_OK), 0);
	cr_assert_eq(check(3), T2_SENTINEL_MADE);
	cr_assert_eq(access(sentinel, F_OK), 0);
}

Test(sentinel, once_made_it_is_found_whatever_the_limit)
{
	cr_assert_eq(check(1), T2_SENTINEL_MADE);
	cr_assert_eq(check(1), T2_SENTINEL_FOUND);
	cr_assert_eq(check(1000), T2_SENTINEL_FOUND);
	unlink(sentinel);
	cr_assert_eq(check(1000), T2_SENTINEL_ROOM);
}

/* More than one reading of the directory returns. */
Test(sentinel, thousands_of_entries_are_counted)
{
	make_files(3000);
	cr_assert_eq(check(3003), T2_SENTINEL_ROOM);
	cr_assert_eq(check(3002), T2_SENTINEL_MADE);
}

Test(sentinel, one_that_cannot_be_made_is_an_error)
{
	/* It is there for a maker, but not for who asks what it is. */
	cr_assert_eq(symlink("nowhere", sentinel), 0);
	cr_assert_eq(check(1), -EEXIST);
}

Test(sentinel, what_is_no_directory_has_no_limit)
{
	char path[64];

	make_files(1);
	snprintf(path, sizeof(path), "%s/0", dir);
	cr_assert_eq(t2_sentinel_check(path, 1, &dir), T2_SENTINEL_ROOM);
	snprintf(path, sizeof(path), "%s/none", dir);
	cr_assert_eq(t2_sentinel_check(path, 1, &dir), T2_SENTINEL_ROOM);
}

Test(sentinel, a_path_too_long_has_no_limit)
{
	static char path[5000];

	for (size_t i = 0; i < sizeof(path) - 1; i++)
		path[i] = '/';
	cr_assert_eq(t2_sentinel_check(path, 1, &dir), T2_SENTINEL_ROOM);
}

Test(sentinel, no_descriptor_is_left)
{
	int before = dup(0), after;

	close(before);
	check(3);
	check(1);
	check(1);
	after = dup(0);
	cr_assert_eq(after, before);
	close(after);
}
