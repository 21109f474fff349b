/* SPDX-License-Identifier: MIT */
/*
 * preload/env.c and config.c, the whole way: edited by the parent, read by the
 * shim in the child, whose program sees what the parent's program passed.
 */
#include "preload/env.h"
#include "preload/session.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "/opt/t2/libt2shim.so"
#define SID T2_PARENT_SID_VAR "=ours"
#define NAME T2_PARENT_NAME_VAR "=make"

static struct t2_config config;
static struct t2_env_gift gift = {.config = &config, .may_restore = true};

#define HOST_MAX 16

static uint64_t state = 20261120;

static unsigned below(unsigned end)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(state >> 33) % end;
}

static const char *const ordinary[] = {
	"A=1",
	"PATH=/bin:/usr/bin",
	"EMPTY=",
	"NOVALUE",
	"=odd",
	"",
	"G=1",
	"T=",
	"L",
	"LD_LIBRARY_PATH=/x",
	"LD_PRELOADED=" LIBRARY,
	"GIT_TRACE2_EVENTS=1",
	"GIT_TRACE2_PARENT_SID=host/s",
	"GIT_TRACE2_PARENT_NAME=host",
	"GIT_TRACE2_PARENT",
	"T2SHIM_STACKS=3",
	"T2SHIM_RESTORE=GIT_TRACE2",
};

static const char *const preloads[] = {
	"LD_PRELOAD=",
	"LD_PRELOAD=x.so",
	"LD_PRELOAD=x.so:y.so",
	"LD_PRELOAD=x.so: y.so ",
	"LD_PRELOAD=:",
	"LD_PRELOAD=" LIBRARY,
	"LD_PRELOAD=x.so:" LIBRARY ":y.so",
};

/* Settings for a parent: each with even chances. */
static void invent_config(struct t2_config *ret)
{
	char text[T2_SETTING_NR + 1][64];
	char *envp[T2_SETTING_NR + 2];
	size_t nr = 0;

	for (int i = 0; i < T2_SETTING_NR; i++) {
		if (i == T2_SETTING_PROPAGATE || below(2))
			continue;
		snprintf(text[nr], sizeof(text[nr]), "%.24s=own%u", t2_setting_names[i], below(9));
		envp[nr] = text[nr];
		nr++;
	}
	if (below(4)) {
		strcpy(text[nr], "LD_PRELOAD=" LIBRARY);
		envp[nr] = text[nr];
		nr++;
	}
	envp[nr] = NULL;
	memset(ret, 0, sizeof(*ret));
	t2_config_read(ret, envp);
}

/* What a host might pass: anything, in any order, some of it twice. */
static void invent_host(char host[HOST_MAX][64], char *envp[HOST_MAX + 1])
{
	unsigned nr = below(HOST_MAX + 1);
	bool has_preload = false;

	for (unsigned i = 0; i < nr; i++) {
		unsigned kind = below(8);

		if (kind < 4) {
			strcpy(host[i], ordinary[below(sizeof(ordinary) / sizeof(*ordinary))]);
		} else if (kind == 4 && !has_preload) {
			strcpy(host[i], preloads[below(sizeof(preloads) / sizeof(*preloads))]);
			has_preload = true;
		} else {
			snprintf(host[i], 64, "%.24s=host%u",
				 t2_setting_names[below(T2_SETTING_NR)], below(9));
		}
		envp[i] = host[i];
	}
	envp[nr] = NULL;
}

static bool is_called(const char *entry, const char *name)
{
	return t2_config_entry_value(entry, name);
}

static bool has_any(char *const *envp, const char *name)
{
	return t2_config_getenv(envp, name);
}

/* What the child's program has to see of what the host passed. */
static size_t expect(char *const *envp, bool has_ids, bool adds_ids, const char **expected)
{
	size_t nr = 0;

	for (; envp[nr]; nr++) {
		expected[nr] = envp[nr];
		if (has_ids && gift.sid_entry && is_called(envp[nr], T2_PARENT_SID_VAR))
			expected[nr] = gift.sid_entry;
		if (has_ids && gift.name_entry && is_called(envp[nr], T2_PARENT_NAME_VAR))
			expected[nr] = gift.name_entry;
	}
	if (adds_ids && gift.sid_entry && !has_any(envp, T2_PARENT_SID_VAR))
		expected[nr++] = gift.sid_entry;
	if (adds_ids && gift.name_entry && !has_any(envp, T2_PARENT_NAME_VAR))
		expected[nr++] = gift.name_entry;
	return nr;
}

/* A copy of the vector, as exec makes it; ends with NULL. */
static void copy_as_exec(char *const *envp, char **ret_envp)
{
	while (*envp)
		*ret_envp++ = strdup(*envp++);
	*ret_envp = NULL;
}

/* Asserts only what fails: each assertion is a message to the test runner. */
static void assert_child_has_settings(const struct t2_config *child, char *const *envp, int round)
{
	for (int i = 0; i < T2_SETTING_NR; i++) {
		enum t2_setting setting = (enum t2_setting)i;
		const char *hosts = t2_config_getenv(envp, t2_setting_names[i]);
		const char *expected = hosts ? hosts : t2_config_value(&config, setting);
		const char *value = t2_config_value(child, setting);

		if (!value != !expected || (value && strcmp(value, expected)))
			cr_assert_fail("round %d: %s is \"%s\", not \"%s\"", round,
				       t2_setting_names[i], expected, value);
	}
	if (config.library && !child->library)
		cr_assert_fail("round %d: no library", round);
}

/* What stood behind @old_end can be reached from the NULL at @end, by pairs to ignore. */
static void assert_gap_is_filled(char *const *end, char *const *old_end, int round)
{
	for (; end < old_end; end += 2) {
		if (end[1] != (const char *)AT_IGNORE)
			cr_assert_fail("round %d: a gap behind the environment", round);
	}
	if (end != old_end)
		cr_assert_fail("round %d: the gap is odd", round);
}

static void assert_round_trip(int round)
{
	char host[HOST_MAX][64];
	char *envp[HOST_MAX + 1], *copy[2 * HOST_MAX + T2_SETTING_NR + 8];
	char *allocated[2 * HOST_MAX + T2_SETTING_NR + 8];
	const char *expected[HOST_MAX + 2];
	bool restores, has_target;
	struct t2_config child = {0};
	struct t2_block block = {0};
	size_t nr, i, nr_passed = 0;

	invent_config(&config);
	invent_host(host, envp);
	gift.sid_entry = below(4) ? SID : NULL;
	gift.name_entry = below(4) ? NAME : NULL;

	restores = t2_env_needs_restoring(&config, envp);
	has_target = has_any(envp, "GIT_TRACE2") || has_any(envp, "GIT_TRACE2_PERF") ||
		     has_any(envp, "GIT_TRACE2_EVENT");
	nr = expect(envp, restores || has_target, has_target, expected);

	copy_as_exec(t2_env_edit(&gift, envp, &block, &block), copy);
	t2_pool_release(&block);
	memcpy(allocated, copy, sizeof(copy));
	t2_config_read(&child, copy);

	for (i = 0; i < nr; i++) {
		if (!copy[i] || strcmp(copy[i], expected[i]))
			cr_assert_fail("round %d: \"%s\" became \"%s\"", round, expected[i],
				       copy[i]);
	}
	if (copy[nr])
		cr_assert_fail("round %d: \"%s\" is too much", round, copy[nr]);
	while (allocated[nr_passed])
		nr_passed++;
	assert_gap_is_filled(copy + nr, copy + nr_passed, round);
	assert_child_has_settings(&child, envp, round);
	for (i = 0; allocated[i]; i++)
		free(allocated[i]);
}

Test(env_trip, a_child_sees_what_its_parent_passed_and_has_our_settings)
{
	for (int round = 0; round < 20000; round++)
		assert_round_trip(round);
}
