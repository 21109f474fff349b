/* SPDX-License-Identifier: MIT */
/*
 * command/record.c: where the shim is, and the environment that loads it.
 */
#include "command/record.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(record, the_shim_is_an_entry_of_the_list_by_its_base_name)
{
	cr_expect(t2_preload_has_shim("/x/libt2shim.so"));
	cr_expect(t2_preload_has_shim("libt2shim.so"));
	cr_expect(t2_preload_has_shim("/a/libx.so:/b/libt2shim.so:/c/liby.so"));
	cr_expect(t2_preload_has_shim("liba.so /b/libt2shim.so"));
	cr_expect(t2_preload_has_shim("::/b/libt2shim.so"));
	cr_expect_not(t2_preload_has_shim(NULL));
	cr_expect_not(t2_preload_has_shim(""));
	cr_expect_not(t2_preload_has_shim("/x/notlibt2shim.so"));
	cr_expect_not(t2_preload_has_shim("/libt2shim.so/liba.so"));
	cr_expect_not(t2_preload_has_shim("/x/libt2shim.so.1"));
	cr_expect_not(t2_preload_has_shim("so"));
}

static void expect_preload(const char *list, const char *wanted)
{
	char *got = t2_preload_with(list, "/x/libt2shim.so");

	cr_expect_str_eq(got, wanted);
	free(got);
}

Test(record, the_shim_is_the_last_of_what_is_preloaded)
{
	expect_preload(NULL, "/x/libt2shim.so");
	expect_preload("", "/x/libt2shim.so");
	expect_preload("/a.so b.so", "/a.so b.so:/x/libt2shim.so");
}

/* --- places ------------------------------------------------------------------------- */

static char base[] = "/tmp/t2record.XXXXXX";

static void begin(void)
{
	cr_assert_not_null(mkdtemp(base));
	cr_assert_eq(chdir(base), 0);
}

static void end(void)
{
	char command[64];

	cr_assert_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf %s", base);
	cr_assert_eq(system(command), 0);
}

static void make_file(const char *directory, const char *name)
{
	char path[128];
	FILE *file;

	mkdir(directory, 0777);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	cr_assert_not_null(file);
	fclose(file);
}

static void expect_near(const char *place)
{
	char directory[128], wanted[128];
	char *found;

	snprintf(directory, sizeof(directory), "%s/bin/", base);
	found = t2_shim_near(directory);
	if (!place) {
		cr_expect_null(found, "%s", found);
		return;
	}
	snprintf(wanted, sizeof(wanted), "%s/%s/libt2shim.so", base, place);
	cr_assert_not_null(found, "not %s", wanted);
	cr_expect_str_eq(found, wanted);
	free(found);
}

TestSuite(record_places, .init = begin, .fini = end);

Test(record_places, the_shim_beside_t2_is_nearer_than_the_one_that_is_installed)
{
	mkdir("bin", 0777);
	mkdir("lib", 0777);
	expect_near(NULL);
	make_file("lib", "libt2shim.so");
	expect_near("lib");
	make_file("lib/t2shim", "libt2shim.so");
	expect_near("lib/t2shim");
	make_file("bin", "libt2shim.so");
	expect_near("bin");
}

static struct t2_record open_record(const char *name)
{
	struct t2_record record;

	make_file("bin", "libt2shim.so");
	setenv("T2_SHIM", "bin/libt2shim.so", 1);
	cr_assert(t2_record_open(&record, name));
	return record;
}

Test(record_places, the_environment_says_where_and_how)
{
	char path[128], shim[128];
	struct t2_record record;

	setenv("LD_PRELOAD", "/other.so", 1);
	setenv("GIT_TRACE2_EVENT_BRIEF", "1", 1);
	record = open_record("t2.data");
	snprintf(path, sizeof(path), "%s/t2.data", base);
	snprintf(shim, sizeof(shim), "/other.so:%s/bin/libt2shim.so", base);
	cr_expect_str_eq(getenv("GIT_TRACE2_EVENT"), path);
	cr_expect_str_eq(getenv("GIT_TRACE2_EVENT_BRIEF"), "0");
	cr_expect_str_eq(getenv("LD_PRELOAD"), shim);
	cr_expect_str_eq(record.path, path);
	cr_expect(record.is_readable && !record.is_nested && !record.is_joined);
	t2_record_close(&record);
	unsetenv("LD_PRELOAD");
}

Test(record_places, a_run_within_a_run_is_nested_and_in_the_same_file_joined)
{
	struct t2_record outer = open_record("t2.data"), inner, other;

	cr_assert(t2_record_open(&inner, "t2.data"));
	cr_expect(inner.is_nested && inner.is_joined && !inner.old);
	cr_assert(t2_record_open(&other, "other.data"));
	cr_expect(other.is_nested && !other.is_joined);
	cr_expect_null(strstr(strstr(getenv("LD_PRELOAD"), "libt2shim.so") + 1, "libt2shim.so"),
		       "loaded twice: %s", getenv("LD_PRELOAD"));
	unsetenv("LD_PRELOAD");
	t2_record_close(&other);
	t2_record_close(&inner);
	t2_record_close(&outer);
}

Test(record_places, what_was_there_is_kept_and_comes_back_if_nothing_was_run)
{
	struct t2_record record;

	make_file(".", "t2.data");
	cr_assert_eq(truncate("t2.data", 7), 0);
	record = open_record("t2.data");
	unsetenv("LD_PRELOAD");
	cr_expect_eq(access("t2.data.old", F_OK), 0);
	t2_record_undo(&record);
	t2_record_close(&record);
	cr_expect_neq(access("t2.data.old", F_OK), 0);
	cr_expect_eq(truncate("t2.data", 7), 0);
}
