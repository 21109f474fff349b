/* SPDX-License-Identifier: MIT */
/*
 * A directory of a test's own, for .init and .fini of its suite.
 */
#ifndef T2_TESTS_UNIT_DIR_H
#define T2_TESTS_UNIT_DIR_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIR_TEMPLATE "/tmp/t2-unit-XXXXXX"

static char dir[] = DIR_TEMPLATE;

static inline void open_dir(void)
{
	strcpy(dir, DIR_TEMPLATE);
	cr_assert_not_null(mkdtemp(dir));
}

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static inline void remove_dir(void)
{
	cr_assert_eq(nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* "@dir/@name", good for a few calls. */
static inline const char *in_dir(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

#endif
