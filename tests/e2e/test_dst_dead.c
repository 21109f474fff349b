/* SPDX-License-Identifier: MIT */
/*
 * A destination that does not work costs lines and nothing else.
 */
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/target.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* What cannot take anything. */
static const char *const dead_specs[] = {
	"/dev/full",
	"af_unix:stream:/nonexistent/socket",
	"af_unix:/",
	"af_unix:",
	"af_unix:stream:relative",
	"/nonexistent/file",
	"/proc/version",
	"/dev/full/not-a-directory",
};

ParameterizedTestParameters(dst, dead_destination_costs_nothing)
{
	return t2_each(T2_LEN(dead_specs));
}

ParameterizedTest(int *index, dst, dead_destination_costs_nothing)
{
	struct t2_run run;

	t2_run_open(&run);
	t2_target_launch(&run, "fork_exec", dead_specs[*index], NULL);
	t2_assert_exited(&run, 0);
	cr_expect_str_eq(run.out, "");
	cr_expect_str_eq(run.err, "", "%s: stderr has %s", dead_specs[*index], run.err);
	t2_run_close(&run);
}

Test(dst, fifo_without_a_reader_does_not_block)
{
	struct t2_run run;

	t2_run_open(&run);
	cr_assert_eq(mkfifo(t2_run_path(&run, "fifo"), 0600), 0);
	t2_target_launch(&run, "fork_exec", t2_run_path(&run, "fifo"), NULL);
	t2_assert_exited(&run, 0);
	t2_run_close(&run);
}

Test(dst, reader_of_a_fifo_gets_the_lines)
{
	struct t2_run run;
	char text[65536] = "";
	int fd;

	t2_run_open(&run);
	cr_assert_eq(mkfifo(t2_run_path(&run, "fifo"), 0600), 0);
	fd = open(t2_run_path(&run, "fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	cr_assert_geq(fd, 0);
	t2_target_launch(&run, "fork_exec", t2_run_path(&run, "fifo"), NULL);
	t2_assert_exited(&run, 0);
	cr_expect_gt(read(fd, text, sizeof(text) - 1), 0);
	close(fd);
	t2_assert_stream(text, 2);
	t2_run_close(&run);
}

/* stderr is a pipe whose reader has gone: SIGPIPE must not hit the host. */
static void break_stderr(void *unused)
{
	int ends[2];

	(void)unused;
	if (pipe(ends) != 0 || dup2(ends[1], 2) != 2)
		_exit(97);
	close(ends[0]);
	close(ends[1]);
}

Test(dst, broken_pipe_does_not_kill_the_host)
{
	struct t2_run run;

	t2_run_open(&run);
	t2_target_launch(&run, "fork_exec", "1", break_stderr);
	t2_assert_exited(&run, 0);
	t2_run_close(&run);
}

static void limit_files(void *unused)
{
	struct rlimit small = {2000, 2000};

	(void)unused;
	setrlimit(RLIMIT_FSIZE, &small);
}

Test(dst, file_size_limit_does_not_kill_the_host)
{
	struct t2_run run;
	struct stat st;

	t2_run_open(&run);
	t2_target_launch(&run, "fork_exec", t2_run_path(&run, "event"), limit_files);
	t2_assert_exited(&run, 0);
	cr_assert_eq(stat(t2_run_path(&run, "event"), &st), 0);
	cr_expect_leq(st.st_size, 2000);
	t2_run_close(&run);
}

/* SIGXFSZ would come after the write then, when the host lets it through again. */
Test(dst, file_size_limit_does_not_kill_a_host_that_blocks_signals)
{
	struct t2_run run;
	struct t2_launch launch = {.preload = T2_SHIM,
				   .targets = T2_TARGET_EVENT,
				   .argv = (const char *const[]){"fork_exec", "blocked", NULL},
				   .set_up = limit_files};

	t2_run_open(&run);
	t2_run_launch(&run, &launch);
	t2_assert_exited(&run, 0);
	t2_run_close(&run);
}

Test(dst, file_size_limit_still_kills_a_host_that_crosses_it_itself)
{
	struct t2_run run;
	struct t2_launch launch = {.preload = T2_SHIM,
				   .targets = T2_TARGET_EVENT,
				   .argv = (const char *const[]){"/bin/dd", "if=/dev/zero",
								 "of=big", "bs=4096", "count=4",
								 NULL},
				   .set_up = limit_files};

	t2_run_open(&run);
	t2_run_launch(&run, &launch);
	t2_assert_killed(&run, SIGXFSZ);
	t2_run_close(&run);
}

/*
 * The reader of a pipe sleeps until the program has written more than fits, then
 * takes all there is and lets the program go on.
 */
struct late {
	const struct t2_run *run;
	int fifo;
};

static void *read_late(void *arg)
{
	const struct late *late = arg;
	const struct t2_run *run = late->run;
	int fifo = late->fifo;
	static char text[1 << 20];
	size_t len = 0;
	ssize_t nr;
	int fd;

	fd = open(t2_run_path(run, "ready"), O_RDONLY | O_CLOEXEC); /* until it is */
	close(fd);
	while ((nr = read(fifo, text + len, sizeof(text) - len - 1)) > 0)
		len += (size_t)nr;
	fd = open(t2_run_path(run, "go"), O_WRONLY | O_CLOEXEC);
	close(fd);
	fd = open(t2_run_path(run, "over"), O_RDONLY | O_CLOEXEC);
	close(fd);
	while ((nr = read(fifo, text + len, sizeof(text) - len - 1)) > 0)
		len += (size_t)nr;
	close(fifo);
	return text;
}

Test(dst, lost_lines_are_counted_and_told)
{
	static const char *const fifos[] = {"fifo", "ready", "go", "over"};
	static const char command[] = "i=0; while [ $i -lt 60 ]; do /bin/true; i=$((i+1)); done; "
				      ": >../ready; : <../go; /bin/true; : >../over; exit 3";
	struct t2_run run;
	struct t2_trace trace;
	struct t2_launch launch = {.preload = T2_SHIM,
				   .argv = (const char *const[]){"/bin/sh", "-c", command, NULL}};
	char *entry;
	void *text = NULL;
	pthread_t reader;
	struct late late;
	size_t i;
	int nr_told = 0;

	t2_run_open(&run);
	for (i = 0; i < T2_LEN(fifos); i++)
		cr_assert_eq(mkfifo(t2_run_path(&run, fifos[i]), 0600), 0);
	entry = t2_format_text("GIT_TRACE2_EVENT=%s/fifo", run.dir);
	launch.env = (const char *const[]){entry, NULL};
	late.run = &run;
	late.fifo = open(t2_run_path(&run, "fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	cr_assert_geq(late.fifo, 0);
	cr_assert_eq(pthread_create(&reader, NULL, read_late, &late), 0);
	t2_run_launch(&run, &launch);
	t2_assert_exited(&run, 3);
	cr_assert_eq(pthread_join(reader, &text), 0);
	t2_trace_parse(&trace, text);
	for (i = 0; i < trace.nr_lines; i++) {
		const json_t *key = json_object_get(trace.lines[i].json, "key");

		if (!key || strcmp(json_string_value(key), "lost") != 0)
			continue;
		key = json_object_get(json_object_get(trace.lines[i].json, "value"), "lines");
		cr_expect_gt(json_integer_value(key), 0);
		nr_told++;
	}
	cr_expect_geq(nr_told, 1, "%zu lines, none of which tells of a loss", trace.nr_lines);
	t2_trace_free(&trace);
	free(entry);
	t2_run_close(&run);
}
