/* SPDX-License-Identifier: MIT */
/*
 * Running a program as a test sees it: in a private directory, with an
 * environment built from nothing, within a time limit, and with a preload that
 * is in its environment only. The runner itself never has one.
 */
#ifndef T2_SUPPORT_RUN_H
#define T2_SUPPORT_RUN_H

#include <stdbool.h>
#include <stddef.h>

struct t2_victim;

enum t2_preload {
	T2_BARE,
	T2_EMPTY, /* an object without any code */
	T2_SHIM,
};

enum t2_target {
	T2_TARGET_NORMAL = 1,
	T2_TARGET_PERF = 2,
	T2_TARGET_EVENT = 4,
};

#define T2_TARGETS_ALL (T2_TARGET_NORMAL | T2_TARGET_PERF | T2_TARGET_EVENT)

struct t2_launch {
	enum t2_preload preload;
	unsigned targets;	   /* files of their own in the private directory */
	bool is_brief;		   /* all of them */
	const char *const *argv;   /* argv[0] without a slash is a victim */
	const char *const *env;	   /* NAME=value, or NAME to remove it; after the defaults */
	void (*set_up)(void *arg); /* in the new process, before it executes */
	void *arg;
	int time_limit_s; /* 0: a sensible one */
};

struct t2_run {
	char dir[64]; /* private; the program starts in its directory cwd */
	int status;   /* as wait gives it */
	bool is_timed_out;
	char *out, *err;
	char *normal, *perf, *event; /* "" if nothing was written */
};

/* Make the private directory. */
void t2_run_open(struct t2_run *run);

/*
 * Start a program as @launch says, and return when it and everything below it
 * is gone; the streams and files of @run are then filled. May be called more
 * than once: targets are appended to, streams begin anew.
 */
void t2_run_launch(struct t2_run *run, const struct t2_launch *launch);

/* Open, and launch @victim under @preload with all targets. */
void t2_run_victim(struct t2_run *run, const struct t2_victim *victim, enum t2_preload preload);

/* Remove the private directory and forget everything. */
void t2_run_close(struct t2_run *run);

/* "<dir>/<name>", in a static place that lasts for eight calls. */
const char *t2_run_path(const struct t2_run *run, const char *name);

/* What the file @name in the private directory holds, "" if there is none; free it. */
char *t2_run_read(const struct t2_run *run, const char *name);

/* The absolute path of what the build put into @name. */
const char *t2_build_path(const char *name);

/* printf into a new string; free it. */
char *t2_format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
