/* SPDX-License-Identifier: MIT */
/*
 * Who is who: session ids, depth, names, and who is left to speak for himself.
 */
#include "preload/version.h"
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/sane.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOST_AT 25

Test(identity, parents_session_id_is_taken_verbatim)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"return_main", NULL},
		.targets = T2_TARGETS_ALL,
		.is_brief = true,
		.env = (const char *const[]){"GIT_TRACE2_PARENT_SID=repo-1/\"odd\"/x", NULL}};

	t2_tell_launch(&told, &launch);
	cr_expect_eq(strncmp(told.trace.sessions[told.root].sid, "repo-1/\"odd\"/x/2", 16), 0, "%s",
		     told.trace.sessions[told.root].sid);
	cr_expect_eq(strncmp(told.run.perf, "d3 | main ", 10), 0, "%s", told.run.perf);
	t2_told_close(&told);
}

Test(identity, depth_grows_with_the_tree)
{
	struct t2_told told;
	struct t2_launch launch = {.argv = (const char *const[]){"fork_nested", NULL},
				   .targets = T2_TARGETS_ALL,
				   .is_brief = true};

	t2_tell_launch(&told, &launch);
	cr_expect_not_null(strstr(told.run.perf, "d0 | main                     | start"));
	cr_expect_not_null(strstr(told.run.perf, "d1 | main                     | start"));
	cr_expect_not_null(strstr(told.run.perf, "d2 | main                     | start"));
	cr_expect_null(strstr(told.run.perf, "d3 |"));
	t2_told_close(&told);
}

Test(identity, host_part_is_inherited)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"return_main", NULL},
		.env = (const char *const[]){
			"GIT_TRACE2_PARENT_SID=20261120T170652.372883Z-H0badcafe-P00000007", NULL}};

	t2_tell_launch(&told, &launch);
	cr_expect_eq(
		strncmp(told.trace.sessions[told.root].component + HOST_AT - 1, "H0badcafe-P", 11),
		0, "%s", told.trace.sessions[told.root].component);
	t2_told_close(&told);
}

/* git and the shim must agree, or their sessions would not sort together. */
Test(identity, host_part_is_the_one_git_writes)
{
	struct t2_told told;
	struct t2_trace git;
	char *sid;
	struct t2_launch launch = {.argv = (const char *const[]){"/usr/bin/git", "version", NULL},
				   .targets = T2_TARGET_EVENT};
	struct t2_run run;

	t2_tell(&told, "return_main");
	t2_run_open(&run);
	t2_run_launch(&run, &launch);
	t2_trace_parse(&git, run.event);
	sid = strndup(told.trace.sessions[told.root].sid + HOST_AT - 1, 9);
	cr_expect_eq(strncmp(git.sessions[0].sid + HOST_AT - 1, sid, 9), 0, "%s against %s",
		     git.sessions[0].sid, told.trace.sessions[told.root].sid);
	free(sid);
	t2_trace_free(&git);
	t2_run_close(&run);
	t2_told_close(&told);
}

Test(identity, pid_is_in_the_session_id)
{
	struct t2_told told;
	const json_t *end;

	t2_tell(&told, "fork_exec");
	end = t2_trace_line(&told.trace, told.root, "child_exit", 0);
	cr_expect_eq(told.trace.sessions[1].pid, t2_line_number(end, "pid"));
	t2_told_close(&told);
}

Test(identity, names_make_a_hierarchy)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"fork_no_exec", "exit", NULL},
		.env = (const char *const[]){"GIT_TRACE2_PARENT_NAME=top/git", NULL}};
	const json_t *name;

	t2_tell_launch(&told, &launch);
	name = t2_trace_line(&told.trace, told.root, "cmd_name", 0);
	cr_expect_str_eq(t2_line_text(name, "name"), "fork_no_exec");
	cr_expect_str_eq(t2_line_text(name, "hierarchy"), "top/git/fork_no_exec");
	name = t2_trace_line(&told.trace, 1 - told.root, "cmd_name", 0);
	cr_expect_str_eq(t2_line_text(name, "hierarchy"), "top/git/fork_no_exec/fork_no_exec");
	t2_told_close(&told);
}

static int count_slashes(const char *text)
{
	int nr = 0;

	while ((text = strchr(text, '/')) != NULL) {
		text++;
		nr++;
	}
	return nr;
}

Test(identity, endless_descent_keeps_the_ends_of_the_session_id)
{
	struct t2_told told;
	struct t2_launch launch = {.argv = (const char *const[]){"return_main", NULL}};
	char *parent = strdup("GIT_TRACE2_PARENT_SID=first");
	char *longer;
	const char *entries[2] = {NULL, NULL};
	const char *sid;
	int i;

	for (i = 0; i < 300; i++) {
		longer = t2_format_text("%s/20261120T170652.%06dZ-H0badcafe-P00000007", parent, i);
		free(parent);
		parent = longer;
	}
	entries[0] = parent;
	launch.env = entries;
	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 0);
	sid = told.trace.sessions[told.root].sid;
	cr_expect_lt(strlen(sid), 4096 + 44 + 1, "%zu bytes", strlen(sid));
	cr_expect_leq(count_slashes(sid), 64, "%d components", count_slashes(sid) + 1);
	cr_expect_eq(strncmp(sid, "first/", 6), 0, "%.60s", sid);
	cr_expect_not_null(strstr(sid, "20261120T170652.000299Z-H0badcafe-P00000007/"));
	free(parent);
	t2_told_close(&told);
}

Test(identity, git_below_us_speaks_for_itself)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"/bin/sh", "-c", "git version; exit 3", NULL}};
	const json_t *version;
	int git;

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 3);
	cr_expect_eq(told.trace.nr_sessions, 2, "git has one session, its own");
	git = t2_trace_named(&told.trace, "version"); /* the name git gives itself */
	cr_expect_eq(told.trace.sessions[git].parent, told.root);
	version = t2_trace_line(&told.trace, git, "version", 0);
	cr_expect_str_neq(t2_line_text(version, "exe"), T2_VERSION);
	t2_told_close(&told);
}

Test(identity, we_below_git_below_us_are_one_tree)
{
	struct t2_told told;
	char *alias = t2_format_text("alias.x=!%s", t2_build_path("tests/victims/return_main"));
	struct t2_launch launch = {
		.argv = (const char *const[]){"/usr/bin/git", "-c", alias, "x", NULL}};
	int ours;

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 0);
	ours = t2_trace_named(&told.trace, "return_main");
	cr_expect(told.trace.sessions[ours].is_ours);
	cr_expect_not_null(
		strstr(told.trace.sessions[ours].sid, told.trace.sessions[told.root].sid));
	cr_expect_not_null(
		strstr(t2_line_text(t2_trace_line(&told.trace, ours, "cmd_name", 0), "hierarchy"),
		       "_run_shell_alias_/"));
	t2_told_close(&told);
	free(alias);
}

Test(identity, programs_can_be_named_as_native)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"fork_exec", NULL},
		.env = (const char *const[]){"T2SHIM_NATIVE=other,da*,sh", NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 0);
	cr_expect_eq(told.trace.nr_sessions, 1, "the shell stays silent");
	t2_assert_child(
		&told, told.root,
		&(struct t2_child){.id = 0, .class = "fork", .argv = "sh|-c|exit 3", .code = 3});
	t2_told_close(&told);
}

Test(identity, skipped_program_is_silent_and_its_children_are_not)
{
	struct t2_told told;
	char *command = t2_format_text("%s; exit 3", t2_build_path("tests/victims/return_main"));
	char *nested = t2_format_text("/usr/bin/env /bin/sh -c '%s'; exit 4", command);
	struct t2_launch launch = {.argv = (const char *const[]){"/bin/sh", "-c", nested, NULL},
				   .env = (const char *const[]){"T2SHIM_SKIP=e?v,nothing", NULL}};
	int ours;

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 4);
	ours = t2_trace_named(&told.trace, "return_main");
	cr_expect_eq(told.trace.nr_sessions, 3, "sh, not env, sh, return_main");
	cr_expect_eq(told.trace.sessions[told.trace.sessions[ours].parent].parent, told.root);
	t2_told_close(&told);
	free(nested);
	free(command);
}

static void enter_pid_namespace(void *unused)
{
	(void)unused;
	if (unshare(CLONE_NEWPID) != 0)
		_exit(77);
}

Test(identity, first_process_of_a_pid_namespace_is_recorded)
{
	struct t2_told told;
	struct t2_launch launch = {.argv = (const char *const[]){"fork_no_exec", "exit", NULL},
				   .set_up = enter_pid_namespace};

	if (geteuid() != 0)
		cr_skip_test("needs the right to make a namespace");
	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 0);
	cr_expect_eq(told.trace.nr_sessions, 2);
	cr_expect_eq(told.trace.sessions[1 - told.root].pid, 1);
	t2_told_close(&told);
}

/* The loader itself drops a preload there; what is left of the settings is ignored. */
Test(identity, program_with_privileges_is_not_recorded)
{
	struct t2_run run;
	char *copy;
	char *command;
	struct t2_launch launch = {.preload = T2_SHIM, .targets = T2_TARGET_EVENT};

	if (geteuid() != 0)
		cr_skip_test("needs the right to give a file away");
	t2_run_open(&run);
	copy = t2_format_text("%s/privileged", run.dir);
	command = t2_format_text("cp %s %s && chown 12345 %s && chmod 4755 %s && chmod 755 %s",
				 t2_build_path("tests/victims/return_main"), copy, copy, copy,
				 run.dir);
	cr_assert_eq(system(command), 0);
	launch.argv = (const char *const[]){copy, NULL};
	t2_run_launch(&run, &launch);
	t2_assert_exited(&run, 0);
	cr_expect_str_eq(run.event, "");
	cr_expect_null(strstr(run.err, "warning"));
	free(command);
	free(copy);
	t2_run_close(&run);
}

static const char *const secrets[] = {
	"--password=hunter2",
	"--token",
	"hunter2",
	"--api-key=hunter2",
	"DB_PASSWORD=hunter2",
	"https://user:hunter2@example.com/x",
};

Test(identity, secrets_are_not_told_but_arrive)
{
	struct t2_told told;
	struct t2_launch launch = {.argv = (const char *const[]){"return_main", secrets[0],
								 secrets[1], secrets[2], secrets[3],
								 secrets[4], secrets[5], NULL},
				   .targets = T2_TARGETS_ALL};

	t2_tell_launch(&told, &launch);
	cr_expect_null(strstr(told.run.event, "hunter2"), "%s", told.run.event);
	cr_expect_null(strstr(told.run.perf, "hunter2"));
	cr_expect_null(strstr(told.run.normal, "hunter2"));
	cr_expect_not_null(strstr(told.run.event, "https://user:<REDACTED>@example.com/x"));
	cr_expect_not_null(strstr(told.run.event, "--password=<REDACTED>"));
	cr_expect_not_null(strstr(told.run.out, "[--password=hunter2]\n[--token]\n[hunter2]\n"));
	t2_told_close(&told);
}
