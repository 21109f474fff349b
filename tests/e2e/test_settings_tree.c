/* SPDX-License-Identifier: MIT */
/*
 * Settings in a tree of processes: read once, handed on unseen, complained about
 * once.
 */
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/outcome.h"
#include "tests/support/target.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIT "/usr/bin/git"

static struct t2_run run;

static void open_run(void)
{
	t2_run_open(&run);
}

static void close_run(void)
{
	t2_run_close(&run);
}

TestSuite(settings_tree, .init = open_run, .fini = close_run);

/* The user's configuration; "@" is the private directory. */
static void configure(const char *text)
{
	FILE *file = fopen(t2_run_path(&run, ".gitconfig"), "w");

	cr_assert_not_null(file);
	for (; *text; text++) {
		if (*text == '@')
			fputs(run.dir, file);
		else
			fputc(*text, file);
	}
	fclose(file);
}

#define TARGET "[trace2]\n\teventTarget = @/event\n"

/* Run @command in a shell under the shim, with more variables. */
static void shell(const char *command, const char *const *env)
{
	t2_run_launch(&run, &(struct t2_launch){
				    .preload = T2_SHIM,
				    .argv = (const char *const[]){"/bin/sh", "-c", command, NULL},
				    .env = env});
	t2_assert_exited(&run, 0);
}

#define SHELL(command, ...) shell(command, (const char *const[]){__VA_ARGS__, NULL})

static int count(const char *text, const char *part)
{
	int nr = 0;

	while ((text = strstr(text, part)) != NULL) {
		text += strlen(part);
		nr++;
	}
	return nr;
}

/* Of which some may have executed something else in the end. */
static void assert_sessions(int nr)
{
	struct t2_trace trace;

	t2_trace_parse(&trace, run.event);
	cr_expect_eq(trace.nr_sessions, nr, "%d sessions in\n%s", trace.nr_sessions, run.event);
	t2_trace_root(&trace);
	t2_trace_free(&trace);
}

Test(settings_tree, configuration_reaches_everybody_and_nobody_sees_it)
{
	configure(TARGET "\teventBrief = 1\n");
	SHELL("/usr/bin/env; /usr/bin/env -i /usr/bin/env; :", "HIDDEN=T2");
	assert_sessions(4);
	cr_expect_eq(count(run.event, "\"file\":"), 0, "brief everywhere: %s", run.event);
	cr_expect_eq(count(run.out, "T2SHIM"), 0, "%s", run.out);
	cr_expect_eq(count(run.out, "GIT_TRACE2_EVENT"), 0, "%s", run.out);
	cr_expect_eq(count(run.out, "GIT_TRACE2_PARENT_SID"), 1, "the first child's: %s", run.out);
	cr_expect_eq(count(run.out, "PATH="), 1, "%s", run.out);
}

Test(settings_tree, a_variable_further_down_goes_before_it)
{
	configure(TARGET);
	SHELL("GIT_TRACE2_EVENT=$HOME/a /bin/true; GIT_TRACE2_EVENT= /bin/true;"
	      "GIT_TRACE2_EVENT=0 /bin/true; :",
	      NULL);
	t2_assert_stream(run.event, 2);
	free(run.event);
	run.event = t2_run_read(&run, "a");
	t2_assert_stream(run.event, 1);
}

Test(settings_tree, only_the_first_process_reads_the_files)
{
	char *output = t2_format_text("%s/strace", run.dir);
	char *preload = t2_format_text("LD_PRELOAD=%s", t2_build_path("libt2shim.so"));
	char *text;

	configure(TARGET);
	t2_run_launch(&run, &(struct t2_launch){
				    .argv = (const char *const[]){
					    "/usr/bin/strace", "-f", "-o", output, "-E", preload,
					    "/bin/sh", "-c",
					    "/bin/true; /usr/bin/env -i /bin/true; :", NULL}});
	t2_assert_exited(&run, 0);
	text = t2_run_read(&run, "strace");
	/* A look whether it is worth it, and the reading. */
	cr_expect_eq(count(text, "/.gitconfig\""), 2, "%s", text);
	cr_expect_eq(count(text, "/git/config\""), 2);
	assert_sessions(4);
	free(text);
	free(preload);
	free(output);
}

Test(settings_tree, with_propagate_0_everybody_reads_for_himself)
{
	configure(TARGET);
	SHELL("/bin/true; /usr/bin/env -i /bin/true; :", "T2SHIM_PROPAGATE=0");
	assert_sessions(3);
}

Test(settings_tree, without_a_target_configuration_changes_nothing)
{
	configure("[trace2]\neventBrief = 1\nmaxFiles = 3\nperfTarget = 0\n");
	SHELL("/usr/bin/env; :", NULL);
	cr_expect_eq(count(run.out, "T2SHIM"), 0, "%s", run.out);
	cr_expect_eq(count(run.out, "GIT_TRACE2"), 0, "%s", run.out);
	cr_expect_str_eq(run.err, "");
}

static void skip_without_git(void)
{
	if (access(GIT, X_OK) != 0)
		cr_skip_test("no git");
}

Test(settings_tree, git_finds_its_parent_and_speaks_for_itself)
{
	struct t2_trace trace;
	int git;

	skip_without_git();
	configure(TARGET);
	SHELL(GIT " version; :", NULL);
	t2_trace_parse(&trace, run.event);
	cr_expect_eq(trace.nr_sessions, 2, "%s", run.event);
	git = t2_trace_named(&trace, "version");
	cr_expect_not(trace.sessions[git].is_ours);
	cr_expect_eq(trace.sessions[git].parent, t2_trace_root(&trace), "%s", run.event);
	t2_trace_free(&trace);
}

Test(settings_tree, git_that_cannot_find_the_configuration_is_spoken_for)
{
	struct t2_trace trace;

	skip_without_git();
	configure(TARGET);
	SHELL("/usr/bin/env -i " GIT " version; :", NULL);
	t2_trace_parse(&trace, run.event);
	cr_expect_eq(trace.nr_sessions, 3, "sh, env, git: %s", run.event);
	cr_expect(trace.sessions[t2_trace_named(&trace, "git")].is_ours);
	t2_trace_free(&trace);
}

Test(settings_tree, what_git_starts_is_told_as_well)
{
	struct t2_trace trace;
	struct t2_launch launch = {
		.preload = T2_SHIM,
		.argv = (const char *const[]){GIT, "-c", "alias.x=!/bin/sh -c '/bin/true; :'", "x",
					      NULL}};

	skip_without_git();
	configure(TARGET);
	t2_run_launch(&run, &launch);
	t2_assert_exited(&run, 0);
	t2_trace_parse(&trace, run.event);
	cr_expect(trace.sessions[t2_trace_named(&trace, "true")].is_ours, "%s", run.event);
	cr_expect_not(trace.sessions[t2_trace_root(&trace)].is_ours, "git is the first: %s",
		      run.event);
	t2_trace_free(&trace);
}

/* --- warnings ---------------------------------------------------------------- */

#define UNKNOWN "warning: trace2: unknown value for 'GIT_TRACE2': 'yes'\n"

Test(settings_tree, an_unknown_value_is_told_once)
{
	char *event = t2_format_text("GIT_TRACE2_EVENT=%s/event", run.dir);

	SHELL("/bin/true; /bin/sh -c '/bin/true; :'; :", "GIT_TRACE2=yes", event);
	cr_expect_str_eq(run.err, UNKNOWN);
	t2_assert_stream(run.event, 4);
	free(event);
}

Test(settings_tree, an_unknown_value_is_told_once_also_where_nothing_is_on)
{
	SHELL("/bin/true; /bin/sh -c '/bin/true; :'; :", "GIT_TRACE2=yes");
	cr_expect_str_eq(run.err, UNKNOWN);
}

Test(settings_tree, git_complains_for_itself)
{
	skip_without_git();
	t2_run_launch(&run,
		      &(struct t2_launch){.preload = T2_SHIM,
					  .argv = (const char *const[]){GIT, "version", NULL},
					  .env = (const char *const[]){"GIT_TRACE2=yes", NULL}});
	cr_expect_str_eq(run.err, UNKNOWN);
}

static void close_stderr(void *arg)
{
	(void)arg;
	close(2);
}

static void break_stderr(void *arg)
{
	int fds[2];

	(void)arg;
	if (pipe(fds) != 0 || dup2(fds[1], 2) != 2)
		_exit(97);
	close(fds[0]);
	close(fds[1]);
}

static void fill_stderr(void *arg)
{
	int fds[2];
	char page[4096] = "";

	(void)arg;
	if (pipe2(fds, O_NONBLOCK) != 0 || dup2(fds[1], 2) != 2)
		_exit(97);
	while (write(2, page, sizeof(page)) > 0)
		;
	fcntl(2, F_SETFL, 0); /* the reader stays, and reads nothing */
}

static void (*const stderrs[])(void *) = {close_stderr, break_stderr, fill_stderr};

ParameterizedTestParameters(settings_tree, a_warning_never_harms)
{
	return t2_each(T2_LEN(stderrs));
}

ParameterizedTest(int *index, settings_tree, a_warning_never_harms)
{
	struct t2_launch launch = {.preload = T2_SHIM,
				   .argv = (const char *const[]){"return_main", NULL},
				   .env = (const char *const[]){"GIT_TRACE2=/no/such",
								"GIT_TRACE2_EVENT=no",
								"GIT_TRACE2_DST_DEBUG=1", NULL},
				   .set_up = stderrs[*index],
				   .time_limit_s = 5};

	t2_run_launch(&run, &launch);
	t2_assert_exited(&run, 0);
}

/* --- the limit on files ------------------------------------------------------- */

Test(settings_tree, a_child_that_is_one_too_many_goes_into_the_sentinel)
{
	char *event = t2_format_text("GIT_TRACE2_EVENT=%s/dir", run.dir);
	char *text;

	cr_assert_eq(mkdir(t2_run_path(&run, "dir"), 0700), 0);
	SHELL("/bin/true; /bin/false; :", event, "GIT_TRACE2_MAX_FILES=3");
	text = t2_outcome(&run);
	cr_expect_str_eq(text, "dir/<sid>: EVENT long\n"
			       "dir/git-trace2-discard: EVENT long too_many_files\n");
	free(text);
	text = t2_run_read(&run, "dir/git-trace2-discard");
	t2_assert_stream(text, 1);
	cr_expect_not_null(strstr(text, "/bin/true"));
	free(text);
	free(event);
}

/* --- parameters --------------------------------------------------------------- */

Test(settings_tree, variables_are_told_by_each_and_configuration_by_the_first)
{
	struct t2_trace trace;
	int child;

	configure(TARGET "\tconfigParams = user.*\n\tenvVars = A\n[user]\n\tname = x\n");
	SHELL("A=2 /bin/true; :", "A=1");
	t2_trace_parse(&trace, run.event);
	child = t2_trace_named(&trace, "true");
	cr_assert_eq(t2_trace_count(&trace, t2_trace_root(&trace), "def_param"), 3);
	cr_assert_eq(t2_trace_count(&trace, child, "def_param"), 2);
	cr_expect_str_eq(t2_line_text(t2_trace_line(&trace, 0, "def_param", 1), "scope"), "global");
	cr_expect_str_eq(t2_line_text(t2_trace_line(&trace, 0, "def_param", 1), "param"),
			 "user.name");
	cr_expect_str_eq(t2_line_text(t2_trace_line(&trace, 0, "def_param", 2), "scope"),
			 "command");
	cr_expect_str_eq(t2_line_text(t2_trace_line(&trace, child, "def_param", 1), "value"), "2");
	t2_trace_free(&trace);
}

/* --- redaction ------------------------------------------------------------------ */

static const struct {
	const char *entry;
	bool is_redacted;
} redactions[] = {
	{"A=1", true},
	{"GIT_TRACE2_REDACT=1", true},
	{"GIT_TRACE2_REDACT=yes", true},
	{"GIT_TRACE2_REDACT=banana", true},
	{"GIT_TRACE2_REDACT=0", false},
	{"GIT_TRACE2_REDACT=False", false},
	{"GIT_TRACE2_REDACT=", false},
};

ParameterizedTestParameters(settings_tree, redaction_can_be_switched_off)
{
	return t2_each(T2_LEN(redactions));
}

ParameterizedTest(int *index, settings_tree, redaction_can_be_switched_off)
{
	struct t2_launch launch = {
		.preload = T2_SHIM,
		.targets = T2_TARGET_EVENT,
		.argv = (const char *const[]){"/bin/true", "https://u:hush@h/", NULL},
		.env = (const char *const[]){redactions[*index].entry, NULL}};

	t2_run_launch(&run, &launch);
	cr_expect_eq(!strstr(run.event, "hush"), redactions[*index].is_redacted, "%s: %s",
		     redactions[*index].entry, run.event);
}

/* --- nesting -------------------------------------------------------------------- */

/* The victim tells "inner" in a region within a region. */
static const struct {
	const char *entry, *config;
	bool has_inner;
} nestings[] = {
	{"A=1", "", false},
	{"GIT_TRACE2_EVENT_NESTING=2", "", false},
	{"GIT_TRACE2_EVENT_NESTING=3", "", true},
	{"GIT_TRACE2_EVENT_NESTING= 3x", "", true},
	{"GIT_TRACE2_EVENT_NESTING=0", "", false},
	{"GIT_TRACE2_EVENT_NESTING=-3", "", false},
	{"A=1", "eventNesting = 3", true},
	{"GIT_TRACE2_EVENT_NESTING=", "eventNesting = 3", true},
	{"GIT_TRACE2_EVENT_NESTING=2", "eventNesting = 3", false},
};

ParameterizedTestParameters(settings_tree, nesting_is_what_is_asked_for)
{
	return t2_each(T2_LEN(nestings));
}

ParameterizedTest(int *index, settings_tree, nesting_is_what_is_asked_for)
{
	struct t2_launch launch = {.preload = T2_SHIM,
				   .targets = T2_TARGET_EVENT,
				   .argv = (const char *const[]){"api_main", NULL},
				   .env = (const char *const[]){nestings[*index].entry, NULL}};
	char *config = t2_format_text("[trace2]\n%s\n", nestings[*index].config);

	configure(config);
	t2_run_launch(&run, &launch);
	cr_expect_eq(!!strstr(run.event, "\"inner\""), nestings[*index].has_inner, "%s, %s: %s",
		     nestings[*index].entry, config, run.event);
	free(config);
}
