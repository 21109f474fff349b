/* SPDX-License-Identifier: MIT */
/*
 * Destinations that work: descriptors, files and directories.
 */
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/target.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void redirect_five(void *arg)
{
	int fd = open(t2_run_path(arg, "five"), O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (fd < 0 || dup2(fd, 5) != 5 || close(fd) != 0)
		_exit(97);
}

Test(dst, descriptor_by_number)
{
	struct t2_run run;
	char *text;

	t2_run_open(&run);
	t2_target_launch(&run, "fork_exec", "5", redirect_five);
	t2_assert_exited(&run, 0);
	text = t2_run_read(&run, "five");
	t2_assert_stream(text, 2);
	free(text);
	t2_run_close(&run);
}

Test(dst, number_without_a_descriptor_costs_nothing)
{
	struct t2_run run;

	t2_run_open(&run);
	t2_target_launch(&run, "close_all_fds", "5", NULL);
	t2_assert_exited(&run, 0);
	cr_expect_str_eq(run.err, "");
	t2_run_close(&run);
}

Test(dst, number_that_becomes_something_else_is_not_written_to)
{
	struct t2_run run;
	struct t2_launch launch = {.preload = T2_SHIM,
				   .argv = (const char *const[]){"close_all_fds", "dup2", NULL},
				   .env = (const char *const[]){"GIT_TRACE2_EVENT=5", NULL},
				   .set_up = redirect_five,
				   .arg = &run};

	t2_run_open(&run);
	t2_run_launch(&run, &launch); /* the victim looks into its own file */
	t2_assert_exited(&run, 0);
	t2_run_close(&run);
}

static const char *const stderr_specs[] = {"1", "2", "true", "TRUE"};

ParameterizedTestParameters(dst, one_and_true_are_stderr)
{
	return t2_each(T2_LEN(stderr_specs));
}

ParameterizedTest(int *index, dst, one_and_true_are_stderr)
{
	struct t2_run run;

	t2_run_open(&run);
	t2_target_launch(&run, "exit_code", stderr_specs[*index], NULL);
	t2_assert_exited(&run, 0);
	t2_assert_stream(run.err, 1);
	cr_expect_str_eq(run.out, "");
	t2_run_close(&run);
}

/* The first NR_OFF say so; the others say nothing we know, and are complained about. */
#define NR_OFF 4
static const char *const off_specs[] = {
	"", "0", "false", "FALSE", "10", "yes", "no", "01", "relative/path", "~/x", "AF_UNIX:/x",
};

ParameterizedTestParameters(dst, other_words_switch_off)
{
	return t2_each(T2_LEN(off_specs));
}

static int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	int nr = 0;

	cr_assert_not_null(dir, "%s", path);
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr - 2;
}

ParameterizedTest(int *index, dst, other_words_switch_off)
{
	struct t2_run run;
	char *complaint = NULL;

	t2_run_open(&run);
	t2_target_launch(&run, "return_main", off_specs[*index], NULL);
	t2_assert_exited(&run, 0);
	if (*index >= NR_OFF)
		complaint = t2_format_text("warning: trace2: unknown value for 'GIT_TRACE2_EVENT': "
					   "'%s'\n",
					   off_specs[*index]);
	cr_expect_str_eq(run.err, complaint ? complaint : "", "'%s': stderr has %s",
			 off_specs[*index], run.err);
	free(complaint);
	cr_expect_eq(count_entries(t2_run_path(&run, "cwd")), 0);
	t2_run_close(&run);
}

Test(dst, file_is_appended_to_and_respects_the_umask)
{
	struct t2_run run;
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	t2_run_open(&run);
	t2_target_launch(&run, "return_main", t2_run_path(&run, "event"), NULL);
	t2_target_launch(&run, "fork_exec", t2_run_path(&run, "event"), NULL);
	t2_assert_stream(run.event, 3);
	cr_assert_eq(stat(t2_run_path(&run, "event"), &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0666 & ~mask, "mode %o", (unsigned)st.st_mode & 0777);
	t2_run_close(&run);
}

static char *read_session_file(struct t2_run *run, const char *component, const char *suffix)
{
	char *name = t2_format_text("dir/%s%s", component, suffix);
	char *text = t2_run_read(run, name);

	free(name);
	return text;
}

Test(dst, directory_has_a_file_for_each_session)
{
	struct t2_run run;
	struct t2_trace trace;
	const json_t *version;
	struct dirent *entry;
	char *text;
	char *name;
	DIR *dir;
	int nr = 0;

	t2_run_open(&run);
	cr_assert_eq(mkdir(t2_run_path(&run, "dir"), 0700), 0);
	t2_target_launch(&run, "fork_no_exec", t2_run_path(&run, "dir"), NULL);
	t2_assert_exited(&run, 0);
	dir = opendir(t2_run_path(&run, "dir"));
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		name = t2_format_text("dir/%s", entry->d_name);
		text = t2_run_read(&run, name);
		t2_trace_parse(&trace, text);
		cr_expect_eq(trace.nr_sessions, 1, "%s", text);
		version = t2_trace_line(&trace, 0, "version", 0);
		cr_expect_str_eq(strrchr(t2_line_text(version, "sid"), '/')
					 ? strrchr(t2_line_text(version, "sid"), '/') + 1
					 : t2_line_text(version, "sid"),
				 entry->d_name);
		t2_trace_free(&trace);
		free(text);
		free(name);
		nr++;
	}
	closedir(dir);
	cr_expect_eq(nr, 2);
	t2_run_close(&run);
}

Test(dst, announcement_goes_into_the_parents_file)
{
	struct t2_run run;
	struct dirent *entry;
	char *text;
	char *name;
	DIR *dir;
	int nr = 0;

	t2_run_open(&run);
	cr_assert_eq(mkdir(t2_run_path(&run, "dir"), 0700), 0);
	t2_target_launch(&run, "vfork_exec", t2_run_path(&run, "dir"), NULL);
	t2_assert_exited(&run, 0);
	dir = opendir(t2_run_path(&run, "dir"));
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		name = t2_format_text("dir/%s", entry->d_name);
		text = t2_run_read(&run, name);
		t2_assert_stream(text, 1);
		nr++;
		free(text);
		free(name);
	}
	closedir(dir);
	cr_expect_eq(nr, 2);
	t2_run_close(&run);
}

Test(dst, three_targets_share_a_directory)
{
	struct t2_run run;
	struct t2_trace trace;
	char *entries[3];
	char *normal;
	char *perf;
	char *event = NULL;
	char *file;
	DIR *dir;
	struct dirent *entry;

	t2_run_open(&run);
	cr_assert_eq(mkdir(t2_run_path(&run, "dir"), 0700), 0);
	entries[0] = t2_format_text("GIT_TRACE2=%s/dir", run.dir);
	entries[1] = t2_format_text("GIT_TRACE2_PERF=%s/dir", run.dir);
	entries[2] = t2_format_text("GIT_TRACE2_EVENT=%s/dir", run.dir);
	t2_run_launch(&run, &(struct t2_launch){.preload = T2_SHIM,
						.argv = (const char *const[]){"return_main", NULL},
						.env = (const char *const[]){entries[0], entries[1],
									     entries[2], NULL}});
	t2_assert_exited(&run, 0);
	cr_assert_eq(count_entries(t2_run_path(&run, "dir")), 3);
	dir = opendir(t2_run_path(&run, "dir"));
	while ((entry = readdir(dir)) != NULL)
		if (strlen(entry->d_name) == 45 && strcmp(entry->d_name + 43, ".2") == 0)
			event = strndup(entry->d_name, 43);
	closedir(dir);
	cr_assert_not_null(event, "EVENT, the last target, has the suffix .2");
	normal = read_session_file(&run, event, "");
	perf = read_session_file(&run, event, ".1");
	file = read_session_file(&run, event, ".2");
	cr_expect_not_null(strstr(normal, " version "), "%s", normal);
	cr_expect_not_null(strstr(perf, "| version      |"), "%s", perf);
	t2_trace_parse(&trace, file);
	cr_expect_eq(t2_trace_count(&trace, 0, "atexit"), 1);
	t2_trace_free(&trace);
	t2_run_close(&run);
}

Test(dst, file_removed_while_running_is_made_again)
{
	struct t2_run run;
	struct t2_launch launch = {
		.preload = T2_SHIM,
		.targets = T2_TARGET_EVENT,
		.argv = (const char *const[]){"/bin/sh", "-c", "rm ../event; exit 3", NULL}};

	t2_run_open(&run);
	t2_run_launch(&run, &launch);
	t2_assert_exited(&run, 3);
	cr_expect_not_null(strstr(run.event, "\"event\":\"atexit\""));
	t2_run_close(&run);
}

/* Lines of PERF and of NORMAL count as those of EVENT, kind by kind. */
Test(dst, three_targets_tell_the_same)
{
	static const char *const kinds[] = {
		"version",     "start",	     "cmd_path", "cmd_name",	"def_param",
		"child_start", "child_exit", "exec",	 "exec_result", "thread_start",
		"thread_exit", "data_json",  "exit",	 "atexit"};
	struct t2_told told;
	struct t2_launch launch = {.argv = (const char *const[]){"threads_fork", NULL},
				   .targets = T2_TARGETS_ALL};
	size_t i;

	t2_tell_launch(&told, &launch);
	for (i = 0; i < T2_LEN(kinds); i++) {
		char *column = t2_format_text("| %-12s |", kinds[i]);
		const char *at = told.run.perf;
		int nr = 0;

		while ((at = strstr(at, column)) != NULL) {
			at++;
			nr++;
		}
		cr_expect_eq(nr, t2_trace_count(&told.trace, -1, kinds[i]), "%s: %d in PERF",
			     kinds[i], nr);
		free(column);
	}
	t2_told_close(&told);
}

Test(dst, target_of_the_global_configuration_counts)
{
	struct t2_run run;
	char *path;
	FILE *file;

	t2_run_open(&run);
	path = t2_format_text("%s/.gitconfig", run.dir);
	file = fopen(path, "w");
	cr_assert_not_null(file);
	fprintf(file, "[trace2]\n\teventTarget = %s\n", t2_run_path(&run, "event"));
	fclose(file);
	t2_run_launch(&run, &(struct t2_launch){.preload = T2_SHIM,
						.argv = (const char *const[]){"fork_exec", NULL}});
	t2_assert_exited(&run, 0);
	t2_assert_stream(run.event, 2);
	free(path);
	t2_run_close(&run);
}
