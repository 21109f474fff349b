/* SPDX-License-Identifier: MIT */
/*
 * With the shim or without it, the host behaves the same. Every victim runs bare,
 * with an empty preload and with the shim, and must say and be the same.
 */
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/sane.h"
#include "tests/support/scrub.h"
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NR_MODES 3

static const char *const mode_names[NR_MODES] = {"bare", "empty preload", "shim"};

ParameterizedTestParameters(transparency, every_victim_is_the_same)
{
	return t2_each(t2_victim_nr);
}

/* Files the program left; the core file is compared by its flag. */
static int count_files(const struct t2_run *run)
{
	DIR *dir = opendir(t2_run_path(run, "cwd"));
	struct dirent *entry;
	int nr = 0;

	cr_assert_not_null(dir);
	while ((entry = readdir(dir)) != NULL)
		nr += entry->d_name[0] != '.' && strncmp(entry->d_name, "core", 4) != 0;
	closedir(dir);
	return nr;
}

static void compare(const char *label, const char *mode, const struct t2_run *run,
		    const struct t2_run *bare)
{
	const struct t2_scrub_place places[] = {{run->dir, "<DIR>"}, {NULL, NULL}};
	const struct t2_scrub_place bare_places[] = {{bare->dir, "<DIR>"}, {NULL, NULL}};
	char *out = t2_scrub_places(run->out, places);
	char *err = t2_scrub_places(run->err, places);
	char *bare_out = t2_scrub_places(bare->out, bare_places);
	char *bare_err = t2_scrub_places(bare->err, bare_places);

	cr_expect_str_eq(out, bare_out, "%s, %s: stdout\n%s\ninstead of\n%s", label, mode, out,
			 bare_out);
	cr_expect_str_eq(err, bare_err, "%s, %s: stderr\n%s\ninstead of\n%s", label, mode, err,
			 bare_err);
	cr_expect_eq(run->status, bare->status, "%s, %s: status %#x instead of %#x", label, mode,
		     (unsigned)run->status, (unsigned)bare->status);
	cr_expect_eq(count_files(run), count_files(bare), "%s, %s: files", label, mode);
	free(bare_err);
	free(bare_out);
	free(err);
	free(out);
}

ParameterizedTest(int *index, transparency, every_victim_is_the_same)
{
	const struct t2_victim *victim = &t2_victims[*index];
	struct t2_run runs[NR_MODES];
	struct t2_trace trace;
	int mode;

	for (mode = 0; mode < NR_MODES; mode++)
		t2_run_victim(&runs[mode], victim, (enum t2_preload)mode);
	cr_expect(!WIFEXITED(runs[0].status) || WEXITSTATUS(runs[0].status) != 99,
		  "%s fails by itself: %s", victim->label, runs[0].err);
	cr_expect_str_eq(runs[0].event, "");
	for (mode = 1; mode < NR_MODES; mode++)
		compare(victim->label, mode_names[mode], &runs[mode], &runs[0]);
	t2_trace_parse(&trace, runs[T2_SHIM].event);
	cr_expect_gt(trace.nr_sessions, 0, "%s: nothing was told", victim->label);
	t2_assert_sane(&trace, victim->traits & T2_VICTIM_STRANGERS);
	t2_trace_free(&trace);
	for (mode = 0; mode < NR_MODES; mode++)
		t2_run_close(&runs[mode]);
}

/* Without a target the same must hold, and nothing be told. */
ParameterizedTestParameters(transparency, every_victim_is_the_same_without_a_target)
{
	return t2_each(t2_victim_nr);
}

ParameterizedTest(int *index, transparency, every_victim_is_the_same_without_a_target)
{
	const struct t2_victim *victim = &t2_victims[*index];
	struct t2_run runs[2];
	struct t2_launch launch = {.argv = victim->argv};
	int i;

	for (i = 0; i < 2; i++) {
		launch.preload = i ? T2_SHIM : T2_BARE;
		t2_run_open(&runs[i]);
		t2_run_launch(&runs[i], &launch);
	}
	compare(victim->label, "shim without a target", &runs[1], &runs[0]);
	t2_run_close(&runs[0]);
	t2_run_close(&runs[1]);
}
