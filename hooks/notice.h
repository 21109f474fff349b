/* SPDX-License-Identifier: MIT */
/*
 * The few sentences hooks say. Each makes its events and emits them as one
 * batch; errno is the caller's business.
 *
 * @thread_name is the thread in whose name it is said.
 */
#ifndef T2_HOOKS_NOTICE_H
#define T2_HOOKS_NOTICE_H

#include <stdbool.h>
#include <sys/resource.h>

#include "preload/child.h"
#include "preload/emit.h"
#include "preload/param.h"

/* How a process image begins. */
struct t2_beginning {
	const char *exe;	 /* real path of the executable */
	const char *const *argv; /* NULL: what the kernel says it was started with */
	struct t2_moment when;
	bool has_ancestry;		/* tell the processes above: there is no parent session */
	const struct t2_params *params; /* or NULL: the image's, and it has told them */
};

/* version, cmd_path, cmd_ancestry, start, cmd_name, def_param cwd. Context: any. */
void t2_notice_start(struct t2_stream *stream, const char *thread_name,
		     const struct t2_beginning *beginning);

/*
 * exit() was called, or main has returned. Told at the end, with this time,
 * except where the way out may be closed by then.
 * Context: any.
 */
void t2_notice_exit(struct t2_stream *stream, const char *thread_name, int code);

/* What a process has used, for its end. */
struct t2_usage {
	struct rusage self, children;
};

void t2_notice_measure(struct t2_usage *usage);

/*
 * exit, rusage, child_ready of who is left, atexit; once per session. @usage
 * may be NULL: measured now.
 * Context: any.
 */
void t2_notice_end(struct t2_stream *stream, const char *thread_name, int code,
		   const struct t2_usage *usage);

/* The process dies of @signo; once per session. Context: any. */
void t2_notice_signal(struct t2_stream *stream, const char *thread_name, int signo);

/* A child, by its parent or in its parent's name. */
struct t2_announcement {
	int child_id;
	enum t2_child_class child_class;
	bool use_shell;
	const char *const *argv; /* NULL: the parent's own, inherited */
	struct t2_moment when;
	atomic_uint *told; /* for t2_emit_once(), or NULL: nobody else tells it */
	unsigned flags;	   /* for t2_emit() */
};

/* Context: any. */
void t2_notice_child_start(struct t2_stream *stream, const char *thread_name,
			   const struct t2_announcement *announcement);

/* Its parent ends, and it is still there. Context: any. */
void t2_notice_child_ready(struct t2_stream *stream, const char *thread_name,
			   const struct t2_child *child, pid_t pid, unsigned flags);

/* How a child ended. */
struct t2_ending {
	int child_id;
	pid_t pid;
	int code;
	struct t2_moment since;	    /* its start; mono_ns 0: not known */
	const struct rusage *usage; /* or NULL */
};

void t2_notice_child_exit(struct t2_stream *stream, const char *thread_name,
			  const struct t2_ending *ending);

/* There is no child after all; told as git does: pid -1, code -1. Context: any. */
void t2_notice_child_failed(struct t2_stream *stream, const char *thread_name, int child_id,
			    struct t2_moment since);

/* The image is about to be replaced. Returns the exec id. Context: any. */
int t2_notice_exec(struct t2_stream *stream, const char *thread_name, const char *exe,
		   const char *const *argv);

/* It was not. Context: any. */
void t2_notice_exec_result(struct t2_stream *stream, const char *thread_name, int exec_id,
			   int code);

/* It was not, long ago: both at once, as of @when. Context: any. */
void t2_notice_exec_failed(struct t2_stream *stream, const char *thread_name, const char *exe,
			   const char *const *argv, struct t2_moment when, int code);

/* Context: any. */
void t2_notice_thread_start(struct t2_stream *stream, const char *thread_name);
void t2_notice_thread_exit(struct t2_stream *stream, const char *thread_name,
			   uint64_t start_mono_ns);

#endif
