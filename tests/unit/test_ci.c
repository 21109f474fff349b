/* SPDX-License-Identifier: MIT */
/*
 * command/ci.c, command/ci_page.c: what CI systems get to see of commands that mean no good.
 */
#include "command/analysis.h"
#include "command/ci.h"
#include "command/digest.h"
#include "tests/unit/model.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t len;

static FILE *begin(void)
{
	free(text);
	return open_memstream(&text, &len);
}

static void group(enum t2_ci ci, const char *title, bool has_failed)
{
	FILE *out = begin();

	t2_ci_open_group(ci, out, title);
	t2_ci_close_group(ci, out, has_failed);
	fclose(out);
}

Test(ci, is_known_by_name)
{
	enum t2_ci ci = T2_CI_NR;

	cr_expect(t2_ci_parse("gitlab", &ci) && ci == T2_CI_GITLAB);
	cr_expect(t2_ci_parse("none", &ci) && ci == T2_CI_NONE);
	cr_expect(t2_ci_parse("auto", &ci) && ci == T2_CI_AUTO);
	cr_expect_not(t2_ci_parse("GitLab", &ci));
	cr_expect_not(t2_ci_parse("", &ci));
}

Test(ci, is_known_by_the_environment)
{
	static const char *const variables[] = {"GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE",
						"JENKINS_URL"};

	for (int i = 0; i < 4; i++)
		unsetenv(variables[i]);
	cr_expect_eq(t2_ci_detect(), T2_CI_NONE);
	for (int i = 3; i >= 0; i--) {
		setenv(variables[i], "false", 1);
		cr_expect_neq((int)t2_ci_detect(), T2_CI_GITHUB + i);
		setenv(variables[i], "true", 1);
		cr_expect_eq((int)t2_ci_detect(), T2_CI_GITHUB + i);
	}
}

/* A title that could begin a command of the log, or a line of its own. */
Test(ci, titles_are_one_line)
{
	group(T2_CI_GITHUB, "a\n::set-output name=x::y\r\033[31m", false);
	cr_expect_str_eq(text, "::group::a\\n::set-output name=x::y\\r\\x1b[31m\n::endgroup::\n");
	group(T2_CI_BUILDKITE, "x\n^^^ +++", true);
	cr_expect_str_eq(text, "--- x\\n^^^ +++\n^^^ +++\n");
	group(T2_CI_BUILDKITE, "x", false);
	cr_expect_str_eq(text, "--- x\n");
	group(T2_CI_GITLAB, "x\nsection_end:1:y", false);
	cr_expect_eq(strncmp(text, "\033[0Ksection_start:", 18), 0);
	cr_expect_not_null(strstr(text, "\r\033[0Kx\\nsection_end:1:y\n\033[0Ksection_end:"));
	group(T2_CI_JENKINS, "x", true);
	cr_expect_str_eq(text, "");
}

/* --- a run that failed -------------------------------------------------------------------- */

#define HOSTILE "a|b`c@d<e>%:,\\n::x"

static const char trace_text[] =
	"{\"event\":\"version\",\"sid\":\"20260101T000000.000001Z-H1-P00000001\",\"thread\":"
	"\"main\",\"time\":\"2026-01-01T00:00:00Z\",\"evt\":\"4\",\"exe\":\"1\"}\n"
	"{\"event\":\"start\",\"sid\":\"20260101T000000.000001Z-H1-P00000001\",\"thread\":"
	"\"main\",\"time\":\"2026-01-01T00:00:00Z\",\"t_abs\":0.0,\"argv\":[\"" HOSTILE
	"\",\"```\\n# head\"]}\n"
	"{\"event\":\"def_param\",\"sid\":\"20260101T000000.000001Z-H1-P00000001\",\"thread\":"
	"\"main\",\"time\":\"2026-01-01T00:00:00Z\",\"param\":\"cwd\",\"value\":\"/x%0A|\\n\"}\n"
	"{\"event\":\"atexit\",\"sid\":\"20260101T000000.000001Z-H1-P00000001\",\"thread\":"
	"\"main\",\"time\":\"2026-01-01T00:00:02Z\",\"t_abs\":2.0,\"code\":3}\n";

static struct t2_digest make_digest(void)
{
	struct t2_digest digest = {
		.command = strdup("make <all> @me"),
		.outcome = {.pid = 1, .status = 3 << 8, .wall_ns = 2000 * MS},
		.cpu_ns = 1000 * MS,
		.max_rss_kb = 2048,
		.nr_cpus = 2,
		.data = "t2|data",
		.data_kb = 1,
		.trace = model_text(trace_text, strlen(trace_text)),
		.root = 1,
		.nr_processes = 1,
		.nr_failed = 1,
		.causes = {1},
		.nr_causes = 1,
	};

	digest.analysis = t2_analyse(digest.trace, NULL);
	return digest;
}

Test(ci, annotations_are_one_line_each_that_says_what_failed)
{
	struct t2_digest digest = make_digest();
	FILE *out = begin();

	t2_ci_annotate(T2_CI_GITHUB, out, &digest);
	fclose(out);
	cr_expect_eq(strncmp(text, "::error title=", 14), 0, "%s", text);
	cr_expect_eq(strcspn(text, "\n"), len - 1, "more than one line: %s", text);
	cr_expect_not_null(strstr(text, "%25%3A%2C"), "not escaped: %s", text);
	cr_expect_not_null(strstr(text, "%0Ain /x%250A|\\n"), "%s", text);
	out = begin();
	t2_ci_annotate(T2_CI_GITLAB, out, &digest);
	digest.outcome.status = 0;
	t2_ci_annotate(T2_CI_GITHUB, out, &digest);
	fclose(out);
	cr_expect_str_eq(text, "");
	t2_digest_free(&digest);
}

static unsigned count(const char *what)
{
	unsigned nr = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		nr++;
	return nr;
}

Test(ci, of_the_page_nothing_is_what_a_command_made_it)
{
	struct t2_digest digest = make_digest();
	FILE *out = begin();
	const char *block;

	t2_ci_print_page(out, &digest);
	fclose(out);
	cr_expect_eq(strncmp(text, "### \u274c `make <all> @me` exit 3 ", 32), 0, "%s", text);
	cr_expect_eq(count("\n```"), 2, "a block that a command began or ended: %s", text);
	cr_expect_null(strstr(text, "\n# head"));
	block = strstr(text, "\n```text\n");
	cr_assert_not_null(block);
	/* In tables all of it is in code spans, and none of these ends a cell. */
	cr_expect_eq(count("<all"), 1, "a tag: %s", text);
	block = strstr(strstr(block, "\n```\n"), "<e");
	cr_assert_not_null(block);
	cr_expect_null(strstr(block + 1, "<e"), "a tag: %s", text);
	cr_expect_not_null(strstr(text, "| ``a\\|b`c@d<e>%:,\\n::x`` |\n"), "%s", text);
	cr_expect_not_null(strstr(text, "| Events | `t2\\|data`, "), "%s", text);
	t2_digest_free(&digest);
}

Test(ci, the_page_without_a_trace_is_what_is_known_from_outside)
{
	struct t2_digest digest = {.outcome = {.wall_ns = 1000 * MS}, .data = "x"};
	FILE *out = begin();

	t2_ci_print_page(out, &digest);
	fclose(out);
	cr_expect_eq(strncmp(text, "### \u2705 ", 8), 0, "%s", text);
	cr_expect_not_null(strstr(text, "not recorded"));
	cr_expect_null(strstr(text, "failed"));
}

Test(ci, the_short_form_fits_into_60_columns)
{
	struct t2_digest digest = {.outcome = {.wall_ns = 754000 * MS, .status = 2 << 8},
				   .command = "make -C somewhere/far/below all install check",
				   .cpu_ns = UINT64_C(4754000) * MS,
				   .nr_cpus = 64,
				   .max_rss_kb = 12345678,
				   .nr_processes = 1234567,
				   .data = "t2.data"};
	FILE *out = begin();
	unsigned widest = 0;

	t2_digest_print_short(out, &digest, 60);
	fclose(out);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		if (strcspn(line, "\n") > widest)
			widest = (unsigned)strcspn(line, "\n");
	}
	cr_expect_leq(widest, 60, "%s", text);
	cr_expect_not_null(strstr(text, "processes\n"), "%s", text);
	cr_expect_not_null(strstr(text, "set-user-ID?\n"), "%s", text);
	out = begin();
	t2_digest_print_short(out, &digest, 80);
	fclose(out);
	cr_expect_eq(count("\n"), 3, "%s", text);
}
