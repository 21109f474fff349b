/* SPDX-License-Identifier: MIT */
/*
 * Launching a program and collecting all it leaves.
 *
 * We become the reaper of orphans, so that a daemon below the program is waited
 * for like everything else. What the new process does between fork and exec is
 * limited to system calls: a test may have threads.
 */
#include "tests/support/run.h"

#include "tests/support/launch.h"
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *t2_format_text(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	cr_assert_geq(vasprintf(&text, format, args), 0);
	va_end(args);
	return text;
}

const char *t2_build_path(const char *name)
{
	static char paths[8][512];
	static unsigned next;
	char *path = paths[next++ % 8];
	const char *build = getenv("T2_BUILD");
	char here[256] = "";

	build = build && *build ? build : "build";
	if (build[0] != '/')
		cr_assert_not_null(getcwd(here, sizeof(here)));
	snprintf(path, sizeof(paths[0]), "%s%s%s/%s", here, *here ? "/" : "", build, name);
	return path;
}

const char *t2_run_path(const struct t2_run *run, const char *name)
{
	static char paths[8][256];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", run->dir, name);
	return path;
}

char *t2_run_read(const struct t2_run *run, const char *name)
{
	int fd = open(t2_run_path(run, name), O_RDONLY | O_CLOEXEC);
	size_t cap = 1 << 16;
	size_t len = 0;
	char *text = malloc(cap + 1);
	ssize_t nr = 0;

	while (fd >= 0 && (nr = read(fd, text + len, cap - len)) > 0) {
		len += (size_t)nr;
		if (len == cap)
			text = realloc(text, (cap *= 2) + 1);
	}
	if (fd >= 0)
		close(fd);
	text[len] = '\0';
	return text;
}

void t2_run_open(struct t2_run *run)
{
	*run = (struct t2_run){.dir = "/tmp/t2-e2e-XXXXXX"};
	cr_assert_not_null(mkdtemp(run->dir), "no private directory: %s", strerror(errno));
	cr_assert_eq(mkdir(t2_run_path(run, "cwd"), 0700), 0);
}

static void forget(struct t2_run *run)
{
	char **texts[] = {&run->out, &run->err, &run->normal, &run->perf, &run->event};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		free(*texts[i]);
		*texts[i] = NULL;
	}
}

void t2_run_launch(struct t2_run *run, const struct t2_launch *launch)
{
	forget(run);
	t2_launch(run, launch);
	run->out = t2_run_read(run, "stdout");
	run->err = t2_run_read(run, "stderr");
	run->normal = t2_run_read(run, "normal");
	run->perf = t2_run_read(run, "perf");
	run->event = t2_run_read(run, "event");
	cr_assert(!run->is_timed_out, "%s: not done in time; see %s", launch->argv[0], run->dir);
}

void t2_run_victim(struct t2_run *run, const struct t2_victim *victim, enum t2_preload preload)
{
	struct t2_launch launch = {
		.preload = preload, .targets = T2_TARGETS_ALL, .argv = victim->argv};

	t2_run_open(run);
	t2_run_launch(run, &launch);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *level)
{
	(void)st;
	(void)type;
	(void)level;
	return remove(path);
}

void t2_run_close(struct t2_run *run)
{
	forget(run);
	nftw(run->dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
