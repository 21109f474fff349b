/* SPDX-License-Identifier: MIT */
/*
 * The pipeline: stamp events, render them in every format that has a
 * destination, write each batch with one call.
 */
#ifndef T2_PRELOAD_EMIT_H
#define T2_PRELOAD_EMIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "formatters/format.h"
#include "preload/dst.h"
#include "preload/event.h"
#include "preload/session.h"

/* One session and where its lines go. */
struct t2_stream {
	struct t2_dst dst[T2_FORMAT_NR];
	struct t2_session session;
};

/*
 * The session of this process. In a child that has not become a session of its
 * own it is still the parent's; compare the pid.
 */
extern struct t2_stream t2_main;

/* Every target, as a mask of bits in the order of t2_formats. */
#define T2_ALL_TARGETS ((1U << T2_FORMAT_NR) - 1)

/*
 * Take the destinations from the settings; @tz is the value of TZ. Returns how
 * many there are.
 * Context: constructor.
 */
int t2_emit_init(struct t2_stream *stream, const char *tz);

/*
 * In a forked child, before anything else: the session in its copy of the memory
 * is its parent's.
 * Context: any.
 */
void t2_emit_fork(void);

/*
 * @stream for a child's own session, with the destinations of @parent, which
 * may be the same. With @closes, connections are the child's copies to close.
 * Context: any.
 */
void t2_emit_inherit(struct t2_stream *stream, const struct t2_stream *parent, bool closes);

/* The targets that are on. Context: any. */
unsigned t2_emit_targets(const struct t2_stream *stream);

/* The targets that are descriptors of the host's. Context: any. */
unsigned t2_emit_numbered(const struct t2_stream *stream);

/*
 * An event is being told in the name of a stream that is another process's, in
 * memory that is: change nothing there.
 */
#define T2_EMIT_BORROWED 1U

/* A thread is being made. Context: any. */
void t2_emit_note_thread(void);

/*
 * The process is about to end, or its image to be replaced: other threads finish
 * their lines and say no more. And it was not.
 * Context: any.
 */
void t2_emit_shut(void);
void t2_emit_reopen(void);

/*
 * Several batches follow each other, with all signals blocked and not in a vfork
 * child: a file is opened once for all of them. False: not, and nothing is to be let
 * go (see t2_dst_hold()).
 * Context: any.
 */
bool t2_emit_hold(void);
void t2_emit_let_go(void);

/*
 * Emit @nr events as one batch, in the name of @stream, to @targets. Those that
 * have no time yet get the present one; where wall_ns is set, abs_ns is taken
 * as a reading of the monotonic clock. @thread_name names the thread. Events
 * are changed.
 * Context: any.
 */
void t2_emit(struct t2_stream *stream, const char *thread_name, struct t2_event *events, size_t nr,
	     unsigned targets, unsigned flags);

/*
 * The same for what another process may be telling, too: @told is a word shared
 * with it, in which bit i says that target i has it. A target is written to by
 * whoever sets its bit, and only right before the first byte, so that one that
 * is killed has told exactly what its bits say. One that this batch has switched
 * off keeps its bit clear: the other process may still be able to write to it.
 * What has to be dropped is counted, as ever, and its bit set; but a process whose
 * count nobody will ever read, because the stream is another's, sets the one that is
 * T2_TOLD_DROPPED higher instead.
 * Context: any.
 */
#define T2_TOLD_DROPPED T2_FORMAT_NR
void t2_emit_once(struct t2_stream *stream, const char *thread_name, struct t2_event *events,
		  size_t nr, atomic_uint *told, unsigned flags);

/*
 * A line to each of @targets was dropped by another process, which cannot count it.
 * Context: any.
 */
void t2_emit_note_lost(struct t2_stream *stream, unsigned targets);

/*
 * Whether a file-size limit can raise SIGXFSZ only where we catch or ignore it.
 * Written by the signal hooks.
 */
extern _Atomic bool t2_emit_limit_is_harmless;

#endif
