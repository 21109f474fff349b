/* SPDX-License-Identifier: MIT */
/*
 * A child between the call that made it and its first own words.
 *
 * Nobody knows at fork() what the child will be. So the parent only keeps a
 * record, and the child speaks: with its first exec it announces itself in its
 * parent's name, with the argv of the program that will run; with anything else
 * of its own it becomes a session (design: the ordinary fork+exec adds one
 * level of depth, not two).
 */
#ifndef T2_HOOKS_BIRTH_H
#define T2_HOOKS_BIRTH_H

#include "hooks/hook.h"

/*
 * What a silent child with a copy of the memory says next goes into a file that is
 * opened once, until t2_emit_let_go(). False, for any other process: nothing to let go.
 * Context: any, with all signals blocked.
 */
bool t2_birth_hold(const struct t2_birth *birth);

/*
 * The caller's own session. A child that had none becomes one now: it is
 * announced with the argv it inherited, and its start is the moment of the
 * fork.
 * Context: any.
 */
struct t2_stream *t2_birth_own_session(struct t2_guard *guard);

/*
 * A child is about to be made. Fills the thread's record; what was there comes
 * back as @ret_saved for the parent's side.
 * Context: any.
 */
void t2_birth_begin(struct t2_guard *guard, enum t2_child_class child_class, bool shares_memory,
		    struct t2_birth *ret_saved);

/* The parent's side, with the child's @pid or a negative number. Context: any. */
void t2_birth_in_parent(struct t2_guard *guard, const struct t2_birth *saved, pid_t pid);

/* The child's side, if it has a copy of the memory. Context: any. */
void t2_birth_in_child(struct t2_guard *guard);

/*
 * Tell child_start in the parent's name, once; @argv NULL: the inherited one.
 * Context: any, in a child without a session.
 */
void t2_birth_announce(struct t2_guard *guard, const char *const *argv);

/*
 * The session of vfork child @pid in this thread, or NULL. Those of its own
 * vfork children are dropped: it runs again, so they are gone.
 * Context: any.
 */
struct t2_stream *t2_overlay_find(struct t2_thread *thread, pid_t pid);

/* Drop them all: the thread's own process runs again. Context: any. */
void t2_overlay_drop(struct t2_thread *thread);

#endif
