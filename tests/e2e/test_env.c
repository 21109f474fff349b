/* SPDX-License-Identifier: MIT */
/*
 * The environment: what children need is there, and no program sees more than
 * it was passed.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/scrub.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Does @text have a line that is @line? */
static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (; text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
		if (strncmp(text, line, len) == 0 && (text[len] == '\n' || !text[len]))
			return true;
	return false;
}

Test(env, ordinary_child_sees_its_parents_session)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"/bin/sh", "-c", "/usr/bin/env; exit 3", NULL}};
	char *sid;

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 3);
	sid = t2_format_text("GIT_TRACE2_PARENT_SID=%s", told.trace.sessions[told.root].sid);
	cr_expect(has_line(told.run.out, sid), "no %s in\n%s", sid, told.run.out);
	free(sid);
	sid = t2_format_text("GIT_TRACE2_PARENT_NAME=%s", told.trace.sessions[told.root].name);
	cr_expect(has_line(told.run.out, sid), "no %s in\n%s", sid, told.run.out);
	cr_expect_null(strstr(told.run.out, "T2SHIM_RESTORED"));
	free(sid);
	t2_told_close(&told);
}

Test(env, running_program_keeps_its_own)
{
	struct t2_told told;

	t2_tell(&told, "print_env");
	cr_expect_null(strstr(told.run.out, "GIT_TRACE2_PARENT"));
	cr_expect_null(strstr(told.run.out, "T2SHIM"));
	t2_told_close(&told);
}

static const struct cleared {
	const char *label;
	const char *out;
	int nr_below;
} cleareds[] = {
	{"clean_env", "end of environment\n", 1}, {"exec_null_env", "", 1},
	{"exec_clean_env", "ONLY=1\n", 1},	  {"spawn_clean_env", "ONLY=1\n", 1},
	{"clearenv_fork", "ONLY=1\nONLY=1\n", 3}, {"auxv_behind_env", "", 2},
};

ParameterizedTestParameters(env, what_a_host_cleared_is_put_back_unseen)
{
	return t2_each(T2_LEN(cleareds));
}

ParameterizedTest(int *index, env, what_a_host_cleared_is_put_back_unseen)
{
	const struct cleared *cleared = &cleareds[*index];
	struct t2_told told;

	t2_tell(&told, cleared->label);
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, cleared->out, "%s prints\n%s", cleared->label, told.run.out);
	cr_expect_eq(t2_trace_nr_below(&told.trace, told.root), cleared->nr_below,
		     "%s: %d sessions below", cleared->label,
		     t2_trace_nr_below(&told.trace, told.root));
	t2_told_close(&told);
}

Test(env, putting_back_can_be_switched_off)
{
	struct t2_told told;
	struct t2_launch launch = {.argv = (const char *const[]){"clean_env", NULL},
				   .env = (const char *const[]){"T2SHIM_PROPAGATE=0", NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, "end of environment\n");
	cr_expect_eq(told.trace.nr_sessions, 1);
	t2_assert_child(
		&told, told.root,
		&(struct t2_child){.id = 0, .class = "fork", .argv = "clean_env|child", .code = 0});
	t2_told_close(&told);
}

/* What a shell and the programs it starts see, compared with a bare run. */
static const struct recipe {
	const char *command;
	int nr_sessions; /* the shell's own included */
} recipes[] = {
	{"/usr/bin/env -i /usr/bin/env; :", 3},
	{"/usr/bin/env -i A=1 B= /usr/bin/env; :", 3},
	{"/usr/bin/env -i A=1 /bin/sh -c '/usr/bin/env; :'; :", 4},
	{"/usr/bin/env -u LD_PRELOAD -u GIT_TRACE2_EVENT /usr/bin/env; :", 3},
	{"unset LD_PRELOAD GIT_TRACE2_EVENT; A=2 /usr/bin/env; :", 2},
	{"export LD_PRELOAD=; /usr/bin/env; :", 2},
	{"A='1 2' /usr/bin/env -i /bin/sh -c 'export LD_PRELOAD=; /usr/bin/env; :'; :", 4},
};

ParameterizedTestParameters(env, clearing_by_tools_looks_as_without_us)
{
	return t2_each(T2_LEN(recipes));
}

/* What @run printed, without the parent session that an ordinary child sees. */
static char *printed(const struct t2_run *run)
{
	const struct t2_scrub_place places[] = {{run->dir, "<DIR>"}, {NULL, NULL}};
	char *all = t2_scrub_places(run->out, places);
	char *kept = strdup("");
	char *line;
	char *rest = all;
	char *longer;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (!*line || strncmp(line, "GIT_TRACE2_PARENT_", 18) == 0)
			continue;
		longer = t2_format_text("%s%s\n", kept, line);
		free(kept);
		kept = longer;
	}
	free(all);
	return kept;
}

ParameterizedTest(int *index, env, clearing_by_tools_looks_as_without_us)
{
	struct t2_told told;
	struct t2_run bare;
	struct t2_launch launch = {
		.argv = (const char *const[]){"/bin/sh", "-c", recipes[*index].command, NULL},
		.targets = T2_TARGET_EVENT};
	char *ours;
	char *theirs;

	t2_tell_launch(&told, &launch);
	t2_run_open(&bare);
	t2_run_launch(&bare, &launch);
	ours = printed(&told.run);
	theirs = printed(&bare);
	cr_expect_str_eq(ours, theirs, "%s:\n%sinstead of\n%s", recipes[*index].command, ours,
			 theirs);
	cr_expect_null(strstr(told.run.out, "T2SHIM"));
	cr_expect_eq(told.trace.nr_sessions, recipes[*index].nr_sessions, "%s: %d sessions",
		     recipes[*index].command, told.trace.nr_sessions);
	free(theirs);
	free(ours);
	t2_run_close(&bare);
	t2_told_close(&told);
}

/* Ways to bring the library in by which it has another name, or no lasting one; "@" is
 * a directory with both names. */
static const struct name {
	const char *env[3];
	const char *command;
	int nr_sessions;
} names[] = {
	{{"LD_PRELOAD=@/other.so"}, "/usr/bin/env -i A=1 /usr/bin/env; :", 3},
	{{"LD_PRELOAD=other.so", "LD_LIBRARY_PATH=@"}, "/usr/bin/env -i A=1 /usr/bin/env; :", 3},
	{{"LD_PRELOAD=libt2shim.so", "LD_LIBRARY_PATH=@"},
	 "/usr/bin/env -i A=1 /usr/bin/env; :",
	 3},
	{{"LD_PRELOAD=./other.so"}, "/usr/bin/env -i A=1 /usr/bin/env; :", 3},
	{{"LD_PRELOAD=./other.so"}, "/usr/bin/env -i -C / A=1 /usr/bin/env; :", 2},
	{{"LD_PRELOAD"},
	 "for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do\n"
	 "test -x $loader && exec $loader --preload $PWD/libt2shim.so"
	 " /usr/bin/env -i A=1 /usr/bin/env\n"
	 "done",
	 1},
};

ParameterizedTestParameters(env, whatever_we_are_called_nothing_of_ours_is_seen)
{
	return t2_each(T2_LEN(names));
}

static char *with_dir(const char *text, const char *dir)
{
	const char *at = strchr(text, '@');

	return at ? t2_format_text("%.*s%s%s", (int)(at - text), text, dir, at + 1) : strdup(text);
}

/* In the new process: where a relative path starts. */
static void enter(void *dir)
{
	if (chdir(dir))
		_exit(125);
}

ParameterizedTest(int *index, env, whatever_we_are_called_nothing_of_ours_is_seen)
{
	const struct name *name = &names[*index];
	struct t2_told told;
	char dir[] = "/tmp/t2-names-XXXXXX";
	char *library[2];
	char *env[T2_LEN(name->env) + 1] = {NULL};
	struct t2_launch launch = {
		.argv = (const char *const[]){"/bin/sh", "-c", name->command, NULL},
		.env = (const char *const *)env,
		.set_up = enter,
		.arg = dir};

	cr_assert_not_null(mkdtemp(dir));
	library[0] = t2_format_text("%s/libt2shim.so", dir);
	library[1] = t2_format_text("%s/other.so", dir);
	for (int i = 0; i < 2; i++)
		cr_assert_eq(symlink(t2_build_path("libt2shim.so"), library[i]), 0);
	for (size_t i = 0; i < T2_LEN(name->env) && name->env[i]; i++)
		env[i] = with_dir(name->env[i], dir);
	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 0);
	cr_expect_str_eq(told.run.out, "A=1\n", "%s, %s:\n%s", name->env[0], name->command,
			 told.run.out);
	cr_expect_str_eq(told.run.err, "", "%s, %s:\n%s", name->env[0], name->command,
			 told.run.err);
	cr_expect_eq(told.trace.nr_sessions, name->nr_sessions, "%s, %s: %d sessions", name->env[0],
		     name->command, told.trace.nr_sessions);
	t2_told_close(&told);
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	for (int i = 0; i < 2; i++) {
		unlink(library[i]);
		free(library[i]);
	}
	rmdir(dir);
}

Test(env, tree_below_a_cleared_environment_is_whole)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){
			"/bin/sh", "-c",
			"/usr/bin/env -i /bin/sh -c '/bin/true; /bin/true; exit 4'; exit 5", NULL}};
	int cleared;

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 5);
	cleared = t2_trace_named(&told.trace, "env");
	cr_expect_eq(told.trace.sessions[cleared].parent, told.root);
	cr_assert_eq(t2_trace_nr_below(&told.trace, cleared), 1, "env executes the shell");
	cr_expect_eq(told.trace.nr_sessions, 5, "sh, env, sh, true, true; got %d",
		     told.trace.nr_sessions);
	t2_told_close(&told);
}

Test(env, other_preloads_stay_and_stay_in_front)
{
	struct t2_told told;
	char *both = t2_format_text("LD_PRELOAD=%s:%s", t2_build_path("tests/empty.so"),
				    t2_build_path("libt2shim.so"));
	struct t2_launch launch = {
		.argv = (const char *const[]){"/bin/sh", "-c", "/usr/bin/env; exit 3", NULL},
		.env = (const char *const[]){both, NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 3);
	cr_expect(has_line(told.run.out, both), "%s", told.run.out);
	cr_expect_eq(told.trace.nr_sessions, 2);
	t2_told_close(&told);
	free(both);
}

Test(env, preload_that_the_host_sets_is_what_its_child_sees)
{
	struct t2_told told;
	char *entry = t2_format_text("LD_PRELOAD=%s", t2_build_path("tests/empty.so"));
	char *command = t2_format_text("%s /usr/bin/env; exit 3", entry);
	struct t2_launch launch = {.argv = (const char *const[]){"/bin/sh", "-c", command, NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 3);
	cr_expect(has_line(told.run.out, entry), "%s", told.run.out);
	cr_expect_eq(told.trace.nr_sessions, 2, "env is recorded");
	t2_told_close(&told);
	free(command);
	free(entry);
}

Test(env, five_thousand_variables_pass_through)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){
			"/bin/sh", "-c",
			"i=0; while [ $i -lt 5000 ]; do export V$i=$i; i=$((i+1)); done; "
			"/usr/bin/env | grep -c ^V; exit 3",
			NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 3);
	cr_expect_str_eq(told.run.out, "5000\n");
	cr_expect_eq(t2_trace_count(&told.trace, -1, "start"), told.trace.nr_sessions);
	t2_told_close(&told);
}
