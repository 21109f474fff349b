/* SPDX-License-Identifier: MIT */
/* preload/exe.c: paths without links and dots, as realpath(3) has them or not at all. */
#include "preload/exe.h"
#include "preload/limits.h"
#include "tests/unit/dir.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 *   bin/tool   bin/link -> tool   a/link -> ../bin/link   a/b/up -> ../..
 *   folder -> bin   here -> .   loop -> loop   root -> /
 */
static void set_up(void)
{
	open_dir();
	cr_assert_eq(chdir(dir), 0);
	mkdir("bin", 0755);
	mkdir("a", 0755);
	mkdir("a/b", 0755);
	close(open("bin/tool", O_WRONLY | O_CREAT | O_CLOEXEC, 0755));
	cr_assert_eq(symlink("tool", "bin/link"), 0);
	cr_assert_eq(symlink("../bin/link", "a/link"), 0);
	cr_assert_eq(symlink("../..", "a/b/up"), 0);
	cr_assert_eq(symlink("bin", "folder"), 0);
	cr_assert_eq(symlink(".", "here"), 0);
	cr_assert_eq(symlink("loop", "loop"), 0);
	cr_assert_eq(symlink("/", "root"), 0);
}

static void tear_down(void)
{
	cr_assert_eq(chdir("/"), 0);
	remove_dir();
}

TestSuite(exe, .init = set_up, .fini = tear_down);

static char resolved[T2_PATH_BLOCK_SIZE];

static bool resolve(const char *below_dir)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/%s", dir, below_dir);
	return t2_exe_resolve(name, resolved, sizeof(resolved));
}

Test(exe, what_leads_to_a_program_is_followed)
{
	static const char *const names[] = {
		"bin/tool",	    "bin/link",	     "a/link",
		"a/b/up/bin/tool",  "folder/tool",   "folder/link",
		"here/folder/link", "a/../bin/tool", "a/./b/../b/up/folder/link",
		"/bin//tool",

	};
	char wanted[PATH_MAX];

	snprintf(wanted, sizeof(wanted), "%s/bin/tool", dir);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		cr_expect(resolve(names[i]), "%s", names[i]);
		cr_expect_str_eq(resolved, wanted, "%s is not %s", names[i], resolved);
	}
}

Test(exe, what_cannot_be_told_is_left_to_the_kernel)
{
	char name[PATH_MAX];

	cr_expect_not(t2_exe_resolve("bin/tool", resolved, sizeof(resolved)));
	cr_expect_not(t2_exe_resolve("", resolved, sizeof(resolved)));
	cr_expect_not(t2_exe_resolve("/", resolved, sizeof(resolved)));
	cr_expect_not(t2_exe_resolve("/proc/self/exe", resolved, sizeof(resolved)));
	cr_expect_not(t2_exe_resolve("/dev/fd/3", resolved, sizeof(resolved)));
	cr_expect_not(resolve("bin/nothing"));
	cr_expect_not(resolve("nothing/tool"));
	cr_expect_not(resolve("bin/tool/tool"));
	cr_expect_not(resolve("loop"));
	cr_expect_not(resolve("a/b/up/a/b/up/a/link")); /* more looks than we take */
	memset(name, 'x', sizeof(name) - 1);
	name[0] = '/';
	name[sizeof(name) - 1] = '\0';
	cr_expect_not(t2_exe_resolve(name, resolved, sizeof(resolved)));
}

Test(exe, a_path_longer_than_its_memory_is_refused)
{
	char name[64], small[64];

	snprintf(name, sizeof(name), "%s/bin/tool", dir);
	for (size_t size = 1; size <= strlen(name) + 1; size++) {
		memset(small, 'x', sizeof(small));
		cr_expect_eq(t2_exe_resolve(name, small, size), size > strlen(name), "%zu", size);
		cr_expect_eq(small[size], 'x', "more than %zu bytes were written", size);
	}
}

/* Whatever way there is, it is realpath's or none. */
Test(exe, random_ways_lead_where_realpath_does)
{
	static const char *const parts[] = {"bin",  "a",  "b", "up", "folder", "here", "link",
					    "tool", "..", ".", "",   "loop",   "root", dir};
	unsigned nr_told = 0;

	srand(1);
	for (int round = 0; round < 20000; round++) {
		char name[PATH_MAX] = "", wanted[PATH_MAX];
		int nr = 1 + rand() % 7;

		strcpy(name, dir);
		while (nr--) {
			strcat(name, "/");
			strcat(name, parts[(size_t)rand() % (sizeof(parts) / sizeof(*parts))]);
		}
		if (!t2_exe_resolve(name, resolved, sizeof(resolved)))
			continue;
		/* A file with more behind it is the kernel's to refuse. */
		if (!realpath(name, wanted))
			continue;
		cr_assert_str_eq(resolved, wanted, "%s is %s, not %s", name, wanted, resolved);
		nr_told++;
	}
	cr_assert_gt(nr_told, 1000);
}
