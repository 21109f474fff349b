/* SPDX-License-Identifier: MIT */
/* preload/env.c: what a child is handed, and that it sees only what its parent passed. */
#include "preload/env.h"
#include "preload/limits.h"
#include "preload/session.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define LIBRARY "/opt/t2/libt2shim.so"
#define SID T2_PARENT_SID_VAR "=ours"
#define NAME T2_PARENT_NAME_VAR "=make"
#define ENV(...) ((char *const[]){__VA_ARGS__, NULL})

/* The settings of a parent that has a target, another setting and our library. */
static char event[] = "GIT_TRACE2_EVENT=/tmp/e";
static char skip[] = "T2SHIM_SKIP=ls";
static char preload[] = "LD_PRELOAD=" LIBRARY;
static struct t2_config config;
static struct t2_env_gift gift;
static struct t2_block block;

static void start(void)
{
	static char *envp[] = {event, skip, preload, NULL};

	t2_config_read(&config, envp);
	gift = (struct t2_env_gift){
		.config = &config, .sid_entry = SID, .name_entry = NAME, .may_restore = true};
}

TestSuite(env, .init = start);

static void assert_hands_on(char *const *envp, char *const *expected)
{
	char *const *edited = t2_env_edit(&gift, envp, &block, &block);
	size_t i = 0;

	for (; expected[i]; i++) {
		cr_assert_not_null(edited[i], "\"%s\" is missing", expected[i]);
		cr_assert_str_eq(edited[i], expected[i]);
	}
	cr_assert_null(edited[i], "\"%s\" is too much", edited[i]);
	t2_pool_release(&block);
}

/* Nothing to change: the host's own vector, and no memory. */
static void assert_leaves(char *const *envp)
{
	cr_assert_eq(t2_env_edit(&gift, envp, &block, &block), envp);
	cr_assert_null(block.mem);
}

#define MARKER(names) "T2SHIM_RESTORED=" names
/* What the child takes out is an even number of entries. */
#define MARKER_TWICE(names) MARKER(names), MARKER(names)
#define PARENTS "GIT_TRACE2_PARENT_SID,GIT_TRACE2_PARENT_NAME"

Test(env, a_complete_environment_gets_the_parent_s_ids)
{
	assert_hands_on(ENV("A=1", event, skip, preload),
			ENV("A=1", event, skip, preload, SID, NAME));
}

/* Only one that is going to load us is told; all else stays as it is. */
Test(env, a_confined_program_is_told_so_and_nothing_else)
{
	gift = (struct t2_env_gift){.config = &config, .confines = true};
	assert_hands_on(ENV("A=1", preload),
			ENV("A=1", preload, "T2SHIM_CONFINED=1", MARKER("T2SHIM_CONFINED")));
	config.propagates = false;
	assert_hands_on(ENV(preload), ENV(preload, "T2SHIM_CONFINED=1", MARKER("T2SHIM_CONFINED")));
	assert_leaves(ENV("A=1", event));
	assert_leaves(NULL);
}

Test(env, ids_of_the_host_are_replaced_in_their_places)
{
	assert_hands_on(ENV(event, "GIT_TRACE2_PARENT_NAME=x", skip, "GIT_TRACE2_PARENT_SID=x",
			    preload, "A=1"),
			ENV(event, NAME, skip, SID, preload, "A=1"));
	assert_hands_on(ENV("GIT_TRACE2_PARENT_SID=x", event, skip, preload,
			    "GIT_TRACE2_PARENT_SID=y", "GIT_TRACE2_PARENT_SID"),
			ENV(SID, event, skip, preload, SID, "GIT_TRACE2_PARENT_SID", NAME));
}

Test(env, an_id_that_is_not_given_stays_the_host_s)
{
	gift.sid_entry = NULL;
	assert_hands_on(ENV("GIT_TRACE2_PARENT_SID=x", event, skip, preload),
			ENV("GIT_TRACE2_PARENT_SID=x", event, skip, preload, NAME));
	gift.name_entry = NULL;
	assert_leaves(ENV("GIT_TRACE2_PARENT_SID=x", event, skip, preload));
}

Test(env, a_cleared_environment_gets_everything_back)
{
	char *const expected[] = {
		event,	     skip,
		preload,     (char *)MARKER("GIT_TRACE2_EVENT,T2SHIM_SKIP,LD_PRELOAD," PARENTS),
		(char *)SID, (char *)NAME,
		NULL,
	};

	assert_hands_on(ENV(NULL), expected);
	assert_hands_on(NULL, expected);
}

/* It could write a trace by itself, so it is to see its parent. */
Test(env, a_child_that_knows_of_a_target_sees_its_parent_s_ids)
{
	assert_hands_on(ENV("GIT_TRACE2=/host", preload),
			ENV("GIT_TRACE2=/host", preload, event, skip,
			    MARKER_TWICE("GIT_TRACE2_EVENT,T2SHIM_SKIP"), SID, NAME));
	assert_hands_on(ENV("A=1", preload),
			ENV("A=1", preload, event, skip,
			    MARKER_TWICE("GIT_TRACE2_EVENT,T2SHIM_SKIP," PARENTS), SID, NAME));
}

/* A target in git's configuration, to which these variables lead. */
Test(env, a_child_that_finds_git_s_configuration_knows_of_its_target)
{
	config.propagates = false;
	assert_leaves(ENV("HOME=/home/me"));
	config.defaults[T2_SETTING_PERF] = "/tmp/perf";
	assert_hands_on(ENV("HOME=/home/me"), ENV("HOME=/home/me", SID, NAME));
	assert_hands_on(ENV("XDG_CONFIG_HOME=/x"), ENV("XDG_CONFIG_HOME=/x", SID, NAME));
	assert_hands_on(ENV("GIT_CONFIG_GLOBAL=/x"), ENV("GIT_CONFIG_GLOBAL=/x", SID, NAME));
	assert_leaves(ENV("HOMES=/home/me"));
}

Test(env, only_what_is_missing_is_put_back)
{
	assert_hands_on(ENV("A=1", event, preload, "GIT_TRACE2_PARENT_SID=x"),
			ENV("A=1", event, preload, SID, skip, MARKER("T2SHIM_SKIP"), NAME));
}

Test(env, a_value_of_the_host_s_own_is_respected)
{
	assert_hands_on(ENV("GIT_TRACE2_EVENT=0", "T2SHIM_SKIP=", preload),
			ENV("GIT_TRACE2_EVENT=0", "T2SHIM_SKIP=", preload, SID, NAME));
}

Test(env, our_library_goes_behind_the_host_s_own)
{
	assert_hands_on(ENV(event, "LD_PRELOAD=x.so:y.so", skip),
			ENV(event, "LD_PRELOAD=x.so:y.so:" LIBRARY, skip,
			    MARKER_TWICE("LD_PRELOAD+"), SID, NAME));
	assert_hands_on(
		ENV(event, "LD_PRELOAD=", skip),
		ENV(event, "LD_PRELOAD=" LIBRARY, skip, MARKER_TWICE("LD_PRELOAD+"), SID, NAME));
}

Test(env, our_library_stays_where_the_host_has_it)
{
	assert_hands_on(ENV(event, skip, "LD_PRELOAD=" LIBRARY " x.so"),
			ENV(event, skip, "LD_PRELOAD=" LIBRARY " x.so", SID, NAME));
	assert_hands_on(ENV(event, skip, "LD_PRELOAD=x.so:/elsewhere/libt2shim.so"),
			ENV(event, skip, "LD_PRELOAD=x.so:/elsewhere/libt2shim.so", SID, NAME));
}

Test(env, of_several_lists_the_last_one_is_obeyed)
{
	assert_hands_on(ENV("LD_PRELOAD=" LIBRARY, event, "LD_PRELOAD=x.so", skip),
			ENV("LD_PRELOAD=" LIBRARY, event, "LD_PRELOAD=x.so:" LIBRARY, skip,
			    MARKER_TWICE("LD_PRELOAD+"), SID, NAME));
	assert_hands_on(ENV("LD_PRELOAD=x.so", event, preload, skip),
			ENV("LD_PRELOAD=x.so", event, preload, skip, SID, NAME));
}

Test(env, a_shim_that_came_by_another_way_is_not_handed_on)
{
	config.library = NULL;
	assert_hands_on(ENV(event, skip), ENV(event, skip, SID, NAME));
	assert_hands_on(ENV(event), ENV(event, skip, MARKER("T2SHIM_SKIP"), SID, NAME));
}

Test(env, with_propagate_0_nothing_is_put_back)
{
	config.propagates = false;
	assert_leaves(ENV("A=1"));
	assert_leaves(ENV(NULL));
	cr_assert_null(t2_env_edit(&gift, NULL, &block, &block));
	assert_hands_on(ENV(event), ENV(event, SID, NAME));
}

Test(env, for_a_program_that_cannot_load_us_nothing_is_put_back)
{
	gift.may_restore = false;
	assert_leaves(ENV("A=1", skip, "LD_PRELOAD=x.so"));
	assert_hands_on(ENV(skip, event), ENV(skip, event, SID, NAME));
}

Test(env, who_removed_the_targets_on_purpose_gets_no_ids)
{
	config.propagates = false;
	assert_leaves(ENV("A=1", "GIT_TRACE2_PARENT_SID=x", "GIT_TRACE2_EVENT_BRIEF=1", preload));
	assert_hands_on(ENV("GIT_TRACE2=1", "GIT_TRACE2_PARENT_SID=x"),
			ENV("GIT_TRACE2=1", SID, NAME));
	assert_hands_on(ENV("GIT_TRACE2_PERF="), ENV("GIT_TRACE2_PERF=", SID, NAME));
}

Test(env, entries_that_are_no_variables_stay)
{
	assert_hands_on(
		ENV("NOVALUE", "", "=", "=x", event, "GIT_TRACE2", skip, preload, "T", "L", "G"),
		ENV("NOVALUE", "", "=", "=x", event, "GIT_TRACE2", skip, preload, "T", "L", "G",
		    SID, NAME));
	/* And stand for no variable. */
	assert_hands_on(ENV("GIT_TRACE2_EVENT", skip, preload),
			ENV("GIT_TRACE2_EVENT", skip, preload, event,
			    MARKER("GIT_TRACE2_EVENT," PARENTS), SID, NAME));
}

Test(env, duplicates_of_the_host_stay)
{
	assert_hands_on(ENV("A=1", "A=1", event, "A=2", event, skip, preload),
			ENV("A=1", "A=1", event, "A=2", event, skip, preload, SID, NAME));
}

Test(env, names_that_only_begin_like_ours_are_not_ours)
{
	assert_hands_on(ENV("GIT_TRACE2_EVENTS=1", "LD_PRELOADS=" LIBRARY, event, skip, preload),
			ENV("GIT_TRACE2_EVENTS=1", "LD_PRELOADS=" LIBRARY, event, skip, preload,
			    SID, NAME));
}

Test(env, every_setting_there_is_fits_into_the_marker)
{
	char text[T2_SETTING_NR][64], *envp[T2_SETTING_NR + 2];
	char *const *edited;
	const char *marker;

	for (int i = 0; i < T2_SETTING_NR; i++) {
		snprintf(text[i], sizeof(text[i]), "%.24s=1", t2_setting_names[i]);
		envp[i] = text[i];
	}
	envp[T2_SETTING_NR] = preload;
	envp[T2_SETTING_NR + 1] = NULL;
	memset(&config, 0, sizeof(config));
	t2_config_read(&config, envp);
	edited = t2_env_edit(&gift, ENV("LD_PRELOAD=x.so"), &block, &block);
	marker = t2_config_getenv(edited, "T2SHIM_RESTORED");
	cr_assert_not_null(marker);
	for (int i = 0; i < T2_SETTING_NR; i++)
		cr_assert_not_null(strstr(marker, t2_setting_names[i]), "no %s in %s",
				   t2_setting_names[i], marker);
	cr_assert_not_null(strstr(marker, ",LD_PRELOAD+," PARENTS));
	t2_pool_release(&block);
}

static int nr_free_blocks(void)
{
	struct t2_block blocks[T2_BLOCKS + 1];
	int nr = 0;

	while (!t2_pool_claim(&blocks[nr], T2_BLOCK_SIZE, &blocks) && blocks[nr].index >= 0)
		nr++;
	for (int i = 0; i <= nr; i++)
		t2_pool_release(&blocks[i]);
	return nr;
}

#define NR_MANY 5000

Test(env, five_thousand_variables_keep_their_pointers_and_order)
{
	static char text[NR_MANY][16];
	static char *envp[NR_MANY + 1];
	char *const *edited;
	void *at;

	for (int i = 0; i < NR_MANY; i++) {
		snprintf(text[i], sizeof(text[i]), "%c%d=%d", "GTLX"[i % 4], i, i);
		envp[i] = text[i];
	}
	edited = t2_env_edit(&gift, envp, &block, &block);
	cr_assert_neq(edited, envp);
	for (int i = 0; i < NR_MANY; i++) {
		if (edited[i] != text[i])
			cr_assert_fail("entry %d is \"%s\"", i, edited[i]);
	}
	cr_assert_eq(edited[NR_MANY], config.entries[T2_SETTING_EVENT]);
	cr_assert_null(edited[NR_MANY + 6]);
	at = block.mem;
	t2_pool_release(&block);
	cr_assert_eq(msync(at, 1, MS_ASYNC), -1, "the vector is still mapped");
	cr_assert_eq(nr_free_blocks(), T2_BLOCKS);
}

Test(env, no_memory_is_left_claimed)
{
	int index = 0;

	for (int i = 0; i < 3 * T2_BLOCKS; i++) {
		t2_env_edit(&gift, ENV("A=1"), &block, &block);
		index = i ? index : block.index;
		cr_assert_eq(block.index, index, "in round %d", i);
		t2_pool_release(&block);
		assert_leaves((config.propagates = false, ENV("A=1")));
		config.propagates = true;
	}
	cr_assert_eq(nr_free_blocks(), T2_BLOCKS);
}

Test(env, without_memory_the_host_s_vector_is_used)
{
	char *const *envp = ENV("A=1");
	struct rlimit limit, none;
	char *const *edited;

	while (!t2_pool_claim(&block, 1, &block) && block.index >= 0)
		;
	getrlimit(RLIMIT_AS, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &none);
	edited = t2_env_edit(&gift, envp, &block, &block);
	setrlimit(RLIMIT_AS, &limit);
	cr_assert_eq(edited, envp);
}

Test(env, a_long_list_of_the_host_is_kept_whole)
{
	char *list = calloc(1, 100020), *expected;

	strcpy(list, "LD_PRELOAD=");
	memset(list + 11, 'x', 100000);
	cr_assert_gt(asprintf(&expected, "%s:" LIBRARY, list), 0);
	assert_hands_on(ENV(event, skip, list),
			ENV(event, skip, expected, MARKER_TWICE("LD_PRELOAD+"), SID, NAME));
	free(expected);
	free(list);
}

Test(env, tells_whether_a_child_can_find_the_library)
{
	config.library = "/proc/self/exe";
	cr_assert(t2_env_has_library(&config));
	config.library = "/proc/self/exe/libt2shim.so";
	cr_assert_not(t2_env_has_library(&config));
	config.library = "/usr/$LIB/libt2shim.so";
	cr_assert(t2_env_has_library(&config));
	config.library = "../../proc/self/exe";
	cr_assert_eq(chdir("/dev/shm"), 0);
	cr_assert(t2_env_has_library(&config));
	cr_assert_eq(chdir("/"), 0);
	cr_assert(t2_env_has_library(&config), "above / there is /");
	cr_assert_eq(chdir("/proc/self/task"), 0);
	cr_assert_not(t2_env_has_library(&config));
}

Test(env, nobody_is_reached_who_does_not_load_us)
{
	/* The test program is not called as anything in /etc/ld.so.preload. */
	config.library = NULL;
	cr_assert_not(t2_env_has_library(&config));
}

Test(env, tells_whether_something_is_missing)
{
	cr_assert(t2_env_needs_restoring(&config, NULL));
	cr_assert(t2_env_needs_restoring(&config, ENV("A=1")));
	cr_assert(t2_env_needs_restoring(&config, ENV(event, skip)));
	cr_assert(t2_env_needs_restoring(&config, ENV(event, preload)));
	cr_assert(t2_env_needs_restoring(&config, ENV(event, skip, preload, "LD_PRELOAD=x.so")));
	cr_assert_not(t2_env_needs_restoring(&config, ENV(event, skip, preload)));
	cr_assert_not(t2_env_needs_restoring(&config, ENV("GIT_TRACE2_EVENT=", skip, preload)));
	config.propagates = false;
	cr_assert_not(t2_env_needs_restoring(&config, NULL));
}
