/* SPDX-License-Identifier: MIT */
/*
 * The output of strace as a list of records: system calls made whole again
 * (an unfinished one and its resumption are one record), and ends of tasks.
 * A task is a thread as the kernel sees it; its number may be used again.
 */
#ifndef T2_ORACLE_TRACE_H
#define T2_ORACLE_TRACE_H

#include "vec.h"

#include <stdbool.h>
#include <stdint.h>

enum t2_record_kind {
	T2_RECORD_EXEC,
	T2_RECORD_CLONE,
	T2_RECORD_EXIT, /* one thread, or a whole process: is_group */
	T2_RECORD_WAIT,
	T2_RECORD_CHDIR,
	T2_RECORD_LOADED, /* the dynamic loader asks for its list of preloads */
	T2_RECORD_ALIVE,  /* sends a signal, or brings one on itself: the program runs */
	T2_RECORD_PROBE,  /* may it execute that file? */
	T2_RECORD_ENDED,  /* +++ exited with, +++ killed by */
};

/* A run of one task between its creation and its end. */
struct t2_task {
	long tid;
	size_t first_seq;
	size_t last_seq;
	bool is_linked; /* its creator is known */
	void *process;	/* struct t2_process, see history.h */
};

struct t2_record {
	enum t2_record_kind kind;
	struct t2_task *task;
	size_t begin_seq; /* line numbers: the only order there is */
	size_t end_seq;
	int64_t begin_us;
	int64_t end_us;
	bool has_result;
	long result;
	int error; /* errno of a failed call */

	union {
		struct {
			const char *path; /* the bytes given */
			const char *at;	  /* directory it is relative to, or NULL */
			bool is_by_fd;	  /* execveat() with an empty path */
			int fd;
			struct t2_vec argv; /* valid UTF-8 */
			bool has_argv;
			const char *preload;	/* LD_PRELOAD, or NULL */
			const char *parent_sid; /* GIT_TRACE2_PARENT_SID, or NULL */
			bool is_listing;	/* ldd: the program itself does not run */
			size_t nr_env;
		} exec;
		struct {
			bool is_thread;
			bool has_vm;
			bool is_vfork;
			bool has_stack;
			bool has_parent_flag; /* CLONE_PARENT */
			struct t2_task *child;
		} clone;
		struct {
			int code;
			bool is_group;
		} exit;
		struct {
			long pid;    /* 0: nothing was reaped */
			int code;    /* status, or 128 + signal */
			bool is_any; /* reaped, but strace does not say whom */
		} wait;
		struct {
			const char *path;
		} chdir;
		struct {
			bool is_killed;
			int code; /* status or signal */
		} ended;
	} u;
};

struct t2_trace {
	struct t2_vec records; /* struct t2_record, in the order of their lines */
	struct t2_vec tasks;   /* struct t2_task, in the order of their first lines */
	size_t nr_lines;
	bool has_loaded; /* the trace shows loaders at work */
};

/*
 * Read the file @path, or all files @path.<number> of strace -ff. Returns 0 or
 * -errno; says on stderr what it could not read.
 */
int t2_trace_read(struct t2_trace *trace, const char *path);

#endif
