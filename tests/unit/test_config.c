/* SPDX-License-Identifier: MIT */
/* preload/config.c: what is read, what is hidden again, and what is kept. */
#include "preload/config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "/opt/t2/libt2shim.so"
#define NR_MAX 32

/* An environment as the kernel makes it: in memory that may be written. */
static char *envp[NR_MAX + 1];
static char *former[NR_MAX + 1];
static struct t2_config config;

static void read_entries(const char *const *entries)
{
	size_t nr;

	for (nr = 0; former[nr]; nr++)
		free(former[nr]);
	for (nr = 0; entries[nr]; nr++) {
		cr_assert_lt(nr, NR_MAX);
		envp[nr] = former[nr] = strdup(entries[nr]);
	}
	envp[nr] = former[nr] = NULL;
	memset(&config, 0, sizeof(config));
	t2_config_read(&config, envp);
}

#define READ(...) read_entries((const char *const[]){__VA_ARGS__, NULL})

static void assert_host_sees(const char *const *entries)
{
	size_t nr = 0;

	for (; entries[nr]; nr++) {
		cr_assert_not_null(envp[nr], "\"%s\" is missing", entries[nr]);
		cr_assert_str_eq(envp[nr], entries[nr]);
	}
	cr_assert_null(envp[nr], "\"%s\" is too much", envp[nr]);
}

#define HOST_SEES(...) assert_host_sees((const char *const[]){__VA_ARGS__, NULL})
#define HOST_SEES_NOTHING() assert_host_sees((const char *const[]){NULL})

static void assert_value(enum t2_setting setting, const char *expected)
{
	const char *value = t2_config_value(&config, setting);

	if (!expected) {
		cr_assert_null(value, "expected no %s, not \"%s\"", t2_setting_names[setting],
			       value);
	} else {
		cr_assert_not_null(value, "no %s", t2_setting_names[setting]);
		cr_assert_str_eq(value, expected);
	}
}

Test(config, settings_are_read_by_their_whole_name)
{
	READ("PATH=/bin", "GIT_TRACE2_EVENT=/tmp/e", "GIT_TRACE2=", "GIT_TRACE2X=1",
	     "GIT_TRACE2_PERF", "XGIT_TRACE2_PERF=1", "T2SHIM_SKIP=a,b=c");
	assert_value(T2_SETTING_EVENT, "/tmp/e");
	assert_value(T2_SETTING_NORMAL, "");
	assert_value(T2_SETTING_PERF, NULL);
	assert_value(T2_SETTING_SKIP, "a,b=c");
	cr_assert_str_eq(config.entries[T2_SETTING_EVENT], "GIT_TRACE2_EVENT=/tmp/e");
	cr_assert_null(config.entries[T2_SETTING_SIGNALS]);
}

Test(config, every_setting_is_read)
{
	char *entries[T2_SETTING_NR + 1] = {NULL};

	for (int i = 0; i < T2_SETTING_NR; i++)
		cr_assert_gt(asprintf(&entries[i], "%s=v%d", t2_setting_names[i], i), 0);
	read_entries((const char *const *)entries);
	for (int i = 0; i < T2_SETTING_NR; i++) {
		char value[16];

		snprintf(value, sizeof(value), "v%d", i);
		assert_value((enum t2_setting)i, value);
		free(entries[i]);
	}
}

Test(config, of_duplicates_the_first_one_counts_as_for_getenv)
{
	READ("GIT_TRACE2=1", "GIT_TRACE2=2", "GIT_TRACE2_PARENT_SID=a", "GIT_TRACE2_PARENT_SID=b");
	assert_value(T2_SETTING_NORMAL, "1");
	cr_assert_str_eq(config.parent_sid, "a");
}

Test(config, parents_are_read)
{
	READ("GIT_TRACE2_PARENT_SID=a/b", "GIT_TRACE2_PARENT_NAME=make/sh");
	cr_assert_str_eq(config.parent_sid, "a/b");
	cr_assert_str_eq(config.parent_name, "make/sh");
	READ("GIT_TRACE2_PARENT_SIDE=a/b");
	cr_assert_null(config.parent_sid);
	cr_assert_null(config.parent_name);
}

Test(config, private_copies_survive_the_environment)
{
	READ("GIT_TRACE2_EVENT=/tmp/e", "T2SHIM_SKIP=ls", "LD_PRELOAD=x.so " LIBRARY " y.so");
	for (size_t i = 0; envp[i]; i++)
		memset(envp[i], '#', strlen(envp[i]));
	assert_value(T2_SETTING_EVENT, "/tmp/e");
	assert_value(T2_SETTING_SKIP, "ls");
	cr_assert_str_eq(config.library, LIBRARY);
}

Test(config, a_value_too_long_to_copy_is_used_where_it_is)
{
	char *entry = calloc(1, 2 * T2_SETTINGS_SIZE);

	strcpy(entry, "T2SHIM_SKIP=");
	memset(entry + strlen(entry), 'x', T2_SETTINGS_SIZE);
	READ("GIT_TRACE2=1", entry, "GIT_TRACE2_PERF=2");
	cr_assert_eq(config.entries[T2_SETTING_SKIP], envp[1]);
	assert_value(T2_SETTING_SKIP, entry + strlen("T2SHIM_SKIP="));
	memset(envp[0], '#', 5);
	memset(envp[2], '#', 5);
	assert_value(T2_SETTING_NORMAL, "1");
	assert_value(T2_SETTING_PERF, "2");
	free(entry);
}

Test(config, every_length_of_a_value_is_kept_whole)
{
	char *entry = calloc(1, 2 * T2_SETTINGS_SIZE);

	for (size_t len = T2_SETTINGS_SIZE - 40; len < T2_SETTINGS_SIZE + 8; len++) {
		strcpy(entry, "GIT_TRACE2=");
		memset(entry + 11, 'x', len);
		entry[11 + len] = '\0';
		READ(entry, "GIT_TRACE2_PERF=/p", "LD_PRELOAD=" LIBRARY);
		assert_value(T2_SETTING_NORMAL, entry + 11);
		assert_value(T2_SETTING_PERF, "/p");
		cr_assert_leq(config.text_len, sizeof(config.text));
	}
	free(entry);
}

static const struct {
	const char *list;
	int at; /* -1: not there */
	size_t len;
} lists[] = {
	{"libt2shim.so", 0, 12},
	{LIBRARY, 0, 20},
	{"./libt2shim.so", 0, 14},
	{"/libt2shim.so", 0, 13},
	{"a.so:" LIBRARY, 5, 20},
	{"a.so " LIBRARY, 5, 20},
	{LIBRARY ":b.so", 0, 20},
	{LIBRARY " b.so", 0, 20},
	{"a.so:: " LIBRARY " :b.so", 7, 20},
	{"$LIB/libt2shim.so", 0, 17},
	{"libt2shim.so:/x/libt2shim.so", 0, 12},
	{"", -1, 0},
	{" : ", -1, 0},
	{"notlibt2shim.so", -1, 0},
	{"/x/notlibt2shim.so", -1, 0},
	{"libt2shim.so.1", -1, 0},
	{"libt2shim.s", -1, 0},
	{"/libt2shim.so/x.so", -1, 0},
	{"libt2shim.so/", -1, 0},
	{"LIBT2SHIM.SO", -1, 0},
	{"libt2shim,so", -1, 0},
	{"a.so\tlibt2shim.so", -1, 0},
};

Test(config, our_library_is_found_by_its_base_name)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		size_t len = 4711;
		const char *found = t2_config_find_library(lists[i].list, T2_LIBRARY_NAME, &len);

		if (lists[i].at < 0) {
			cr_assert_null(found, "found \"%s\" in \"%s\"", found, lists[i].list);
			cr_assert_eq(len, 4711, "a failure set the length");
		} else {
			cr_assert_eq(found, lists[i].list + lists[i].at, "\"%s\" in \"%s\"", found,
				     lists[i].list);
			cr_assert_eq(len, lists[i].len, "%zu bytes of \"%s\"", len, lists[i].list);
		}
	}
}

Test(config, the_library_is_the_one_component_of_the_list)
{
	READ("LD_PRELOAD=a.so:" LIBRARY ":b.so");
	cr_assert_str_eq(config.library, LIBRARY);
	READ("LD_PRELOAD=a.so");
	cr_assert_null(config.library);
	READ("LD_LIBRARY_PATH=" LIBRARY);
	cr_assert_null(config.library);
}

static const struct {
	const char *entry;
	bool propagates;
} propagations[] = {
	{"A=", true},
	{"T2SHIM_PROPAGATE=1", true},
	{"T2SHIM_PROPAGATE=yes", true},
	{"T2SHIM_PROPAGATE=", true},
	{"T2SHIM_PROPAGATE=what?", true},
	{"T2SHIM_PROPAGATE=0", false},
	{"T2SHIM_PROPAGATE=false", false},
	{"T2SHIM_PROPAGATE=Off", false},
	{"T2SHIM_PROPAGATE=0x0", false},
};

Test(config, propagates_unless_told_not_to)
{
	for (size_t i = 0; i < sizeof(propagations) / sizeof(*propagations); i++) {
		READ(propagations[i].entry);
		cr_assert_eq(config.propagates, propagations[i].propagates, "with \"%s\"",
			     propagations[i].entry);
	}
}

Test(config, an_environment_without_a_marker_is_left_alone)
{
	READ("A=1", "GIT_TRACE2=1", "LD_PRELOAD=" LIBRARY ":x", "GIT_TRACE2_PARENT_SID=a", "B");
	HOST_SEES("A=1", "GIT_TRACE2=1", "LD_PRELOAD=" LIBRARY ":x", "GIT_TRACE2_PARENT_SID=a",
		  "B");
	for (size_t i = 0; envp[i]; i++)
		cr_assert_eq(envp[i], former[i], "entry %zu was moved", i);
	cr_assert_not(config.was_restored);
}

Test(config, no_environment_is_fine)
{
	memset(&config, 0, sizeof(config));
	t2_config_read(&config, NULL);
	cr_assert(config.propagates);
	cr_assert_null(config.library);
	READ(NULL);
	HOST_SEES_NOTHING();
}

Test(config, what_was_put_back_is_read_and_hidden)
{
	READ("A=1", "GIT_TRACE2=/n", "B=2", "T2SHIM_SKIP=ls", "LD_PRELOAD=" LIBRARY,
	     "T2SHIM_RESTORED=GIT_TRACE2,T2SHIM_SKIP,LD_PRELOAD", "C=3");
	HOST_SEES("A=1", "B=2", "C=3");
	assert_value(T2_SETTING_NORMAL, "/n");
	assert_value(T2_SETTING_SKIP, "ls");
	cr_assert_str_eq(config.library, LIBRARY);
	cr_assert_eq(envp[0], former[0]);
	cr_assert_eq(envp[1], former[2]);
	cr_assert_eq(envp[2], former[6]);
}

Test(config, the_marker_may_stand_anywhere)
{
	READ("T2SHIM_RESTORED=GIT_TRACE2", "A=1", "GIT_TRACE2=/n");
	HOST_SEES("A=1");
	READ("GIT_TRACE2=/n", "T2SHIM_RESTORED=GIT_TRACE2");
	HOST_SEES_NOTHING();
}

Test(config, every_setting_can_be_hidden)
{
	for (int i = 0; i < T2_SETTING_NR; i++) {
		char entry[64], marker[64];

		snprintf(entry, sizeof(entry), "%.24s=v", t2_setting_names[i]);
		snprintf(marker, sizeof(marker), "T2SHIM_RESTORED=%.24s", t2_setting_names[i]);
		READ("A=1", entry, "B=2", marker);
		HOST_SEES("A=1", "B=2");
		assert_value((enum t2_setting)i, "v");
	}
}

Test(config, only_what_is_named_is_hidden)
{
	READ("GIT_TRACE2=1", "GIT_TRACE2_EVENT=2", "GIT_TRACE2_EVENT_BRIEF=3",
	     "GIT_TRACE2_EVENTS=4", "T2SHIM_RESTORED=GIT_TRACE2_EVENT", "T2SHIM_RESTOREDX=5");
	HOST_SEES("GIT_TRACE2=1", "GIT_TRACE2_EVENT_BRIEF=3", "GIT_TRACE2_EVENTS=4",
		  "T2SHIM_RESTOREDX=5");
}

Test(config, an_empty_marker_hides_itself)
{
	READ("A=1", "GIT_TRACE2=1", "T2SHIM_RESTORED=");
	HOST_SEES("A=1", "GIT_TRACE2=1");
	cr_assert_not(config.was_restored);
}

Test(config, parents_that_were_added_are_hidden)
{
	READ("GIT_TRACE2_PARENT_SID=a/b", "A=1", "GIT_TRACE2_PARENT_NAME=make",
	     "T2SHIM_RESTORED=GIT_TRACE2_PARENT_SID,GIT_TRACE2_PARENT_NAME");
	HOST_SEES("A=1");
	cr_assert_str_eq(config.parent_sid, "a/b");
	cr_assert_str_eq(config.parent_name, "make");
}

Test(config, our_entry_is_cut_off_a_list_of_the_host)
{
	READ("A=1", "LD_PRELOAD=x.so:" LIBRARY, "T2SHIM_RESTORED=LD_PRELOAD+", "B=2");
	HOST_SEES("A=1", "LD_PRELOAD=x.so", "B=2");
	cr_assert_str_eq(config.library, LIBRARY);
	cr_assert_eq(envp[1], former[1]);
}

/* "LD_PRELOAD+": the host had the variable, whatever was in it. */
static const char *const host_lists[] = {
	"", "x.so", "x.so:y.so", "x.so y.so", "x.so:", ":", ":x.so", " x.so ", "a::b",
};

Test(config, the_host_s_list_comes_back_as_it_was)
{
	for (size_t i = 0; i < sizeof(host_lists) / sizeof(*host_lists); i++) {
		char given[128], expected[64];

		snprintf(expected, sizeof(expected), "LD_PRELOAD=%s", host_lists[i]);
		snprintf(given, sizeof(given), "%s%s" LIBRARY, expected, *host_lists[i] ? ":" : "");
		READ(given, "T2SHIM_RESTORED=GIT_TRACE2,LD_PRELOAD+");
		HOST_SEES(expected);
		cr_assert_str_eq(config.library, LIBRARY);
	}
}

/* The loader obeys the last one, so it is the one that was appended to. */
Test(config, of_several_lists_only_the_last_one_is_cut)
{
	READ("LD_PRELOAD=x.so:y.so", "LD_PRELOAD=z.so:" LIBRARY, "T2SHIM_RESTORED=LD_PRELOAD+");
	HOST_SEES("LD_PRELOAD=x.so:y.so", "LD_PRELOAD=z.so");
}

/* Not variables, so they cannot have been put back: the host's, passed on purpose. */
Test(config, an_entry_without_a_value_is_never_hidden)
{
	READ("GIT_TRACE2", "LD_PRELOAD", "GIT_TRACE2=/n", "LD_PRELOAD=" LIBRARY,
	     "T2SHIM_RESTORED=GIT_TRACE2,LD_PRELOAD");
	HOST_SEES("GIT_TRACE2", "LD_PRELOAD");
}

static const struct {
	const char *names;
	bool was_restored;
} restorations[] = {
	{"GIT_TRACE2", true},
	{"GIT_TRACE2_PERF", true},
	{"GIT_TRACE2_EVENT", true},
	{"T2SHIM_SKIP,GIT_TRACE2_EVENT,LD_PRELOAD", true},
	{"GIT_TRACE2_BRIEF,GIT_TRACE2_EVENT_BRIEF", false},
	{"LD_PRELOAD,T2SHIM_SKIP", false},
	{"GIT_TRACE2_PARENT_SID,GIT_TRACE2_PARENT_NAME", true},
	{"GIT_TRACE2_PARENT_NAME", false},
	{"", false},
};

Test(config, a_program_without_its_targets_does_not_know_of_them)
{
	for (size_t i = 0; i < sizeof(restorations) / sizeof(*restorations); i++) {
		char marker[128];

		snprintf(marker, sizeof(marker), "T2SHIM_RESTORED=%s", restorations[i].names);
		READ("GIT_TRACE2=1", "GIT_TRACE2_PERF=1", "GIT_TRACE2_EVENT=1", marker);
		cr_assert_eq(config.was_restored, restorations[i].was_restored, "with \"%s\"",
			     marker);
	}
}

Test(config, a_setting_can_be_set)
{
	READ("GIT_TRACE2=1", "T2SHIM_SKIP=ls");
	t2_config_set(&config, T2_SETTING_SKIP, "cc,as");
	t2_config_set(&config, T2_SETTING_PINS, "2:1:2");
	assert_value(T2_SETTING_NORMAL, "1");
	assert_value(T2_SETTING_SKIP, "cc,as");
	assert_value(T2_SETTING_PINS, "2:1:2");
	cr_assert_str_eq(config.entries[T2_SETTING_PINS], "T2SHIM_PINS=2:1:2");
}

Test(config, a_setting_too_long_to_keep_is_not_set)
{
	char *value = calloc(1, T2_SETTINGS_SIZE + 1);

	READ("GIT_TRACE2=1", "T2SHIM_SKIP=ls");
	memset(value, 'x', T2_SETTINGS_SIZE);
	t2_config_set(&config, T2_SETTING_SKIP, value);
	assert_value(T2_SETTING_SKIP, "ls");
	t2_config_set(&config, T2_SETTING_PERF, "/p");
	assert_value(T2_SETTING_PERF, "/p");
	assert_value(T2_SETTING_NORMAL, "1");
	free(value);
}

Test(config, variables_are_found_by_their_whole_name)
{
	char *vector[] = {(char *)"AB=1", (char *)"A", (char *)"A=2", (char *)"A=3", NULL};

	cr_assert_str_eq(t2_config_getenv(vector, "A"), "2");
	cr_assert_str_eq(t2_config_getenv(vector, "AB"), "1");
	cr_assert_null(t2_config_getenv(vector, "B"));
	cr_assert_null(t2_config_getenv(NULL, "A"));
	cr_assert_str_eq(t2_config_entry_value("A=b=c", "A"), "b=c");
	cr_assert_str_eq(t2_config_entry_value("A=", "A"), "");
	cr_assert_null(t2_config_entry_value("A", "A"));
	cr_assert_null(t2_config_entry_value("", "A"));
	cr_assert_null(t2_config_entry_value("AB=1", "A"));
}
