/* SPDX-License-Identifier: MIT */
/*
 * What really happened: processes, and in each process the images that ran in
 * it one after the other. The first image of a forked process is a copy of its
 * parent's; each successful exec brings the next one.
 */
#ifndef T2_ORACLE_HISTORY_H
#define T2_ORACLE_HISTORY_H

#include "trace.h"
#include "vec.h"

#include <stdbool.h>
#include <stdint.h>

struct t2_session;
struct t2_told;

enum t2_birth {
	T2_BIRTH_ROOT,
	T2_BIRTH_FORK,
	T2_BIRTH_VFORK,
	T2_BIRTH_SPAWN, /* as posix_spawn(), system(), popen() do it */
	T2_BIRTH_CLONE, /* any other way */
};

/* What the shim does in an image. */
enum t2_role {
	T2_ROLE_OUTSIDE, /* not there */
	T2_ROLE_NATIVE,	 /* there, but the program speaks for itself */
	T2_ROLE_TRACED,
};

/* Does an image have a session? */
enum t2_need {
	T2_NEED_NONE,
	T2_NEED_MAY,
	T2_NEED_MUST,
};

enum t2_end {
	T2_END_UNKNOWN,
	T2_END_EXEC,
	T2_END_EXIT,
	T2_END_KILLED,
};

struct t2_image {
	struct t2_process *process;
	struct t2_image *previous;    /* in the same process */
	const struct t2_record *exec; /* NULL: made by fork */
	const char *cwd;	      /* when it was executed */
	struct t2_vec argv;	      /* as the program received it */
	bool has_argv;
	bool is_unread;		       /* the file is gone: argv may have an interpreter in front */
	struct t2_vec attempts;	       /* struct t2_record: every exec made here */
	bool has_probed;	       /* it looked whether it may execute something */
	const struct t2_record *dying; /* the exec during which it was killed, or NULL */
	struct t2_vec children;	       /* struct t2_process: created here */
	struct t2_vec reaped;	       /* struct t2_process: reaped here, in this order */
	size_t nr_threads;
	size_t nr_failed_clones;
	bool is_loaded; /* the loader was seen at work, at that time */
	int64_t loaded_us;
	bool is_loader; /* run by name, with the program as an argument */
	bool is_active; /* it did something of its own */
	int64_t begin_us;
	int64_t end_us;
	enum t2_end end;
	int end_code;	     /* status or signal */
	bool is_thread_exit; /* ended by exit() of threads, not exit_group() */
	enum t2_role role;
	enum t2_need need;
	bool is_exempt;
	struct t2_session *session;
};

struct t2_process {
	long pid;
	enum t2_birth birth;
	struct t2_image *creator; /* the image that made it, or NULL */
	bool has_parent_flag;
	struct t2_vec images;
	struct t2_image *reaper; /* image of the parent that reaped it, or NULL */
	int reap_code;		 /* -1: the parent did not ask */
	bool is_maybe_reaped;
	const struct t2_told *started; /* the child_start and the child_exit that tell of it */
	const struct t2_told *ended;
	const char *cwd;
	bool is_over;
};

struct t2_history {
	struct t2_vec processes; /* in the order of their first lines */
	size_t nr_execs;
	size_t nr_failed_execs;
	size_t nr_reaped;
};

/* Make @ret_history out of @trace, whose first process started in @cwd. */
int t2_history_build(struct t2_history *ret_history, const struct t2_trace *trace, const char *cwd);

/* The image that runs in @process at the end, or after which nothing comes. */
struct t2_image *t2_process_last(const struct t2_process *process);

/* The argv an image has, inherited ones included. */
const struct t2_vec *t2_image_argv(const struct t2_image *image);

/* The first exec that succeeded in a process, or NULL. */
const struct t2_record *t2_process_first_exec(const struct t2_process *process);

/* "pid 123 (cc -c x.c)": for messages. */
const char *t2_image_name(const struct t2_image *image);

#endif
