/* SPDX-License-Identifier: MIT */
/* preload/env.c: what a child is handed, and that it sees only what its parent passed. */
#include "preload/env.h"
#include "preload/limits.h"
#include "preload/session.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <ftw.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
#define PARENTS "GIT_TRACE2_PARENT_SID,GIT_TRACE2_PARENT_NAME"

Test(env, a_complete_environment_gets_the_parent_s_ids)
{
	assert_hands_on(ENV("A=1", event, skip, preload),
			ENV("A=1", event, skip, preload, SID, NAME));
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

Test(env, only_what_is_missing_is_put_back)
{
	assert_hands_on(ENV("A=1", event, preload, "GIT_TRACE2_PARENT_SID=x"),
			ENV("A=1", event, preload, SID, skip,
			    MARKER("T2SHIM_SKIP,GIT_TRACE2_PARENT_NAME"), NAME));
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
			    MARKER("LD_PRELOAD+," PARENTS), SID, NAME));
	assert_hands_on(
		ENV(event, "LD_PRELOAD=", skip),
		ENV(event, "LD_PRELOAD=" LIBRARY, skip, MARKER("LD_PRELOAD+," PARENTS), SID, NAME));
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
			    MARKER("LD_PRELOAD+," PARENTS), SID, NAME));
	assert_hands_on(ENV("LD_PRELOAD=x.so", event, preload, skip),
			ENV("LD_PRELOAD=x.so", event, preload, skip, SID, NAME));
}

Test(env, a_shim_that_came_by_another_way_is_not_handed_on)
{
	config.library = NULL;
	assert_hands_on(ENV(event, skip), ENV(event, skip, SID, NAME));
	assert_hands_on(ENV(event), ENV(event, skip, MARKER("T2SHIM_SKIP," PARENTS), SID, NAME));
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

static int nr_free_blocks(void)
{
	struct t2_block blocks[T2_BLOCKS + 1];
	int nr = 0;

	while (!t2_pool_claim(&blocks[nr], 1, &blocks) && blocks[nr].index >= 0)
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
	for (int i = 0; i < NR_MANY; i++)
		cr_assert_eq(edited[i], text[i], "entry %d is \"%s\"", i, edited[i]);
	cr_assert_eq(edited[NR_MANY], config.entries[T2_SETTING_EVENT]);
	cr_assert_null(edited[NR_MANY + 6]);
	at = block.mem;
	t2_pool_release(&block);
	cr_assert_eq(msync(at, 1, MS_ASYNC), -1, "the vector is still mapped");
	cr_assert_eq(nr_free_blocks(), T2_BLOCKS);
}

Test(env, no_memory_is_left_claimed)
{
	for (int i = 0; i < 3 * T2_BLOCKS; i++) {
		t2_env_edit(&gift, ENV("A=1"), &block, &block);
		cr_assert_eq(block.index, 0, "in round %d", i);
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
			ENV(event, skip, expected, MARKER("LD_PRELOAD+," PARENTS), SID, NAME));
	free(expected);
	free(list);
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

/* --- the whole way: edited by the parent, read by the shim in the child ------- */

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
		snprintf(text[nr], sizeof(text[nr]), "%s=own%u", t2_setting_names[i], below(9));
		envp[nr] = text[nr];
		nr++;
	}
	if (below(4)) {
		strcpy(text[nr], preload);
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
			snprintf(host[i], 64, "%s=host%u", t2_setting_names[below(T2_SETTING_NR)],
				 below(9));
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

static void assert_child_has_settings(const struct t2_config *child, char *const *envp, int round)
{
	for (int i = 0; i < T2_SETTING_NR; i++) {
		enum t2_setting setting = (enum t2_setting)i;
		const char *hosts = t2_config_getenv(envp, t2_setting_names[i]);
		const char *expected = hosts ? hosts : t2_config_value(&config, setting);
		const char *value = t2_config_value(child, setting);

		cr_assert_eq(!value, !expected, "round %d: %s", round, t2_setting_names[i]);
		if (value)
			cr_assert_str_eq(value, expected, "round %d: %s is \"%s\", not \"%s\"",
					 round, t2_setting_names[i], expected, value);
	}
	if (config.library)
		cr_assert_not_null(child->library, "round %d: no library", round);
}

static void assert_round_trip(int round)
{
	char host[HOST_MAX][64];
	char *envp[HOST_MAX + 1], *copy[2 * HOST_MAX + T2_SETTING_NR + 8];
	char *allocated[2 * HOST_MAX + T2_SETTING_NR + 8];
	const char *expected[HOST_MAX + 2];
	bool restores, has_target;
	struct t2_config child = {0};
	size_t nr, i;

	invent_config(&config);
	invent_host(host, envp);
	gift.sid_entry = below(4) ? SID : NULL;
	gift.name_entry = below(4) ? NAME : NULL;

	restores = t2_env_needs_restoring(&config, envp);
	has_target = has_any(envp, "GIT_TRACE2") || has_any(envp, "GIT_TRACE2_PERF") ||
		     has_any(envp, "GIT_TRACE2_EVENT");
	nr = expect(envp, restores || has_target, !restores && has_target, expected);

	block = (struct t2_block){0};
	copy_as_exec(t2_env_edit(&gift, envp, &block, &block), copy);
	t2_pool_release(&block);
	memcpy(allocated, copy, sizeof(copy));
	t2_config_read(&child, copy);

	for (i = 0; i < nr; i++) {
		cr_assert_not_null(copy[i], "round %d: \"%s\" is missing", round, expected[i]);
		cr_assert_str_eq(copy[i], expected[i], "round %d: \"%s\" became \"%s\"", round,
				 expected[i], copy[i]);
	}
	cr_assert_null(copy[nr], "round %d: \"%s\" is too much", round, copy[nr]);
	assert_child_has_settings(&child, envp, round);
	for (i = 0; allocated[i]; i++)
		free(allocated[i]);
}

Test(env, a_child_sees_what_its_parent_passed_and_has_our_settings)
{
	for (int round = 0; round < 20000; round++)
		assert_round_trip(round);
	cr_assert_eq(nr_free_blocks(), T2_BLOCKS);
}

/* --- which programs can load us ------------------------------------------------ */

static char dir[] = "/tmp/t2-env-XXXXXX";

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* A program of nothing but headers. */
struct program {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr[2];
	char interpreter[64];
};

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#define OTHER_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_AARCH64
#define OTHER_MACHINE EM_X86_64
#endif

static struct program dynamic_program(const char *interpreter)
{
	struct program program = {
		.ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
			 .e_type = ET_DYN,
			 .e_machine = OWN_MACHINE,
			 .e_phoff = offsetof(struct program, phdr),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 2},
		.phdr = {{.p_type = PT_LOAD},
			 {.p_type = PT_INTERP, .p_offset = offsetof(struct program, interpreter)}},
	};

	snprintf(program.interpreter, sizeof(program.interpreter), "%s", interpreter);
	return program;
}

static bool can_load(const void *bytes, size_t len)
{
	char path[64];
	bool can;
	int fd, dirfd;

	strcpy(dir, "/tmp/t2-env-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/program", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	cr_assert_eq(write(fd, bytes, len), (ssize_t)len);
	close(fd);
	can = t2_env_can_load(AT_FDCWD, path, 0);
	dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_eq(t2_env_can_load(dirfd, "program", 0), can, "seen from its directory");
	close(dirfd);
	cr_assert_eq(nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	return can;
}

Test(env, a_dynamic_program_of_this_machine_can_load_us)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	cr_assert(can_load(&program, sizeof(program)));
	cr_assert(t2_env_can_load(AT_FDCWD, "/proc/self/exe", 0));
}

Test(env, a_static_program_cannot_load_us)
{
	struct program program = dynamic_program("");

	program.ehdr.e_phnum = 1;
	cr_assert_not(can_load(&program, sizeof(program)));
	program.ehdr.e_phnum = 0;
	cr_assert_not(can_load(&program, sizeof(program)));
}

Test(env, a_program_of_another_machine_cannot_load_us)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	program.ehdr.e_machine = OTHER_MACHINE;
	cr_assert_not(can_load(&program, sizeof(program)));
	program.ehdr.e_machine = OWN_MACHINE;
	program.ehdr.e_ident[EI_CLASS] = ELFCLASS32;
	cr_assert_not(can_load(&program, sizeof(program)));
}

Test(env, a_program_of_another_c_library_cannot_load_us)
{
	struct program program = dynamic_program("/lib/ld-musl-x86_64.so.1");

	cr_assert_not(can_load(&program, sizeof(program)));
}

Test(env, what_is_no_elf_file_can_load_us)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	cr_assert(can_load("#!/bin/sh\n", 10));
	cr_assert(can_load("", 0));
	cr_assert(can_load(&program, 20));
}

Test(env, what_cannot_be_read_could_load_us)
{
	cr_assert(t2_env_can_load(AT_FDCWD, "/nowhere/at/all", 0));
	cr_assert(t2_env_can_load(-1, "", AT_EMPTY_PATH));
	cr_assert(t2_env_can_load(AT_FDCWD, "/", 0));
}

Test(env, program_headers_far_away_are_left_to_the_loader)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	program.ehdr.e_phoff = 100000;
	cr_assert(can_load(&program, sizeof(program)));
	program.ehdr.e_phoff = offsetof(struct program, phdr);
	program.ehdr.e_phnum = 60;
	program.phdr[1].p_type = PT_NOTE;
	cr_assert(can_load(&program, sizeof(program)));
}

Test(env, looking_at_a_program_leaves_no_descriptor)
{
	int before = dup(0), after;

	close(before);
	t2_env_can_load(AT_FDCWD, "/proc/self/exe", 0);
	t2_env_can_load(AT_FDCWD, "/", 0);
	after = dup(0);
	close(after);
	cr_assert_eq(before, after);
}
