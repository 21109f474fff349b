/* SPDX-License-Identifier: MIT */
/*
 * The very lines of programs that are one process: all three formats, brief,
 * scrubbed, against the files in tests/golden. scripts/golden.sh makes them anew
 * and shows what changed.
 */
#include "tests/support/assert.h"
#include "tests/support/scrub.h"
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ParameterizedTestParameters(golden, lines_are_those_we_keep)
{
	static int indices[1024];
	size_t nr = 0;
	size_t i;

	for (i = 0; i < t2_victim_nr; i++)
		if (t2_victims[i].traits & T2_VICTIM_GOLDEN)
			indices[nr++] = (int)i;
	return cr_make_param_array(int, indices, nr);
}

static char *read_golden(const char *path)
{
	char *text = calloc(1, 1 << 16);
	FILE *file = fopen(path, "r");

	if (file) {
		text[fread(text, 1, (1 << 16) - 1, file)] = '\0';
		fclose(file);
	}
	return text;
}

static void write_golden(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file, "%s", path);
	fputs(text, file);
	cr_assert_eq(fclose(file), 0);
}

/* Where two texts first differ: the line of each. */
static void report(const char *path, const char *got, const char *kept)
{
	const char *line = got;
	int number = 1;

	for (; *got && *got == *kept; got++, kept++)
		if (*got == '\n') {
			line = got + 1;
			number++;
		}
	if (!*got && !*kept)
		return;
	kept -= got - line;
	cr_expect_fail("%s:%d\n  got  %.*s\n  kept %.*s", path, number, (int)strcspn(line, "\n"),
		       line, (int)strcspn(kept, "\n"), kept);
}

static void check(const struct t2_victim *victim, const char *format, const char *text,
		  const struct t2_run *run)
{
	const char *build = t2_build_path("tests/victims");
	const struct t2_scrub_place places[] = {
		{run->dir, "<DIR>"}, {build, "<VICTIMS>"}, {NULL, NULL}};
	char *path = t2_format_text("tests/golden/%s.%s", victim->label, format);
	char *scrubbed = t2_scrub(text, places);
	char *kept;

	if (getenv("T2_GOLDEN_RECORD"))
		write_golden(path, scrubbed);
	kept = read_golden(path);
	report(path, scrubbed, kept);
	free(kept);
	free(scrubbed);
	free(path);
}

ParameterizedTest(int *index, golden, lines_are_those_we_keep)
{
	const struct t2_victim *victim = &t2_victims[*index];
	struct t2_launch launch = {.preload = T2_SHIM,
				   .targets = T2_TARGETS_ALL,
				   .is_brief = true,
				   .argv = victim->argv};
	struct t2_run run;

	t2_run_open(&run);
	t2_run_launch(&run, &launch);
	check(victim, "normal", run.normal, &run);
	check(victim, "perf", run.perf, &run);
	check(victim, "event", run.event, &run);
	t2_run_close(&run);
}
