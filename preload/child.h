/* SPDX-License-Identifier: MIT */
/*
 * Children: how each began and what has been said of it.
 *
 * The records lie in a shared mapping made at the first child, because a forked
 * child announces itself in its parent's name and the parent must learn, if the
 * child is killed, whether it got that far. A vfork child enters its own pid.
 * Everything shared is a single atomic; nothing here emits. Without room for that
 * there are a few records that are not shared.
 */
#ifndef T2_PRELOAD_CHILD_H
#define T2_PRELOAD_CHILD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "preload/clock.h"
#include "preload/limits.h"

enum t2_child_class {
	T2_CHILD_FORK,
	T2_CHILD_VFORK,
	T2_CHILD_CLONE,
	T2_CHILD_SPAWN,
	T2_CHILD_SYSTEM,
	T2_CHILD_POPEN,
};

/* The wire names, indexed by enum t2_child_class. */
extern const char t2_child_class_names[][8];

#define T2_CHILD_FREE 0
#define T2_CHILD_UNBORN (-1) /* the call that makes it is under way */

/*
 * In told: the child is announcing itself or has done so; the parent has ended
 * before that, so the child says child_ready, too.
 */
#define T2_CHILD_SPEAKS (1U << 30)
#define T2_CHILD_READY_DUE (1U << 31)

struct t2_child {
	atomic_int pid;	  /* or one of the above */
	atomic_uint told; /* see t2_emit_once(), of its child_start; and these two */
	int child_id;
	enum t2_child_class child_class;
	struct t2_moment start;
	char thread[T2_THREAD_NAME_SIZE]; /* whose child it is */
};

/*
 * A free record with the pid T2_CHILD_UNBORN, or NULL if there is no room.
 * Context: any.
 */
struct t2_child *t2_child_claim(void);

/*
 * Whether a forked child can say in it that it has spoken. If not, or if there is no
 * record, its parent has to speak beforehand.
 * Context: any.
 */
bool t2_child_is_shared(const struct t2_child *child);

/* Forget it: the call failed, or the child has been reaped. Context: any. */
void t2_child_release(struct t2_child *child);

/*
 * Take the record of reaped child @pid out of the table into @ret_child. If it
 * is not known, the record of a child whose pid has not been entered yet: a
 * fork under way in another thread, a vfork child that never spoke. Returns
 * whether there was one.
 * Context: any.
 */
bool t2_child_take(pid_t pid, struct t2_child *ret_child);

/*
 * Record number @index, counted from 0, in no useful order; NULL past the last
 * used one. Its pid may be T2_CHILD_FREE.
 * Context: any.
 */
struct t2_child *t2_child_at(unsigned index);

/*
 * In a forked child that is now a session of its own: the table was the
 * parent's.
 * Context: any, in a process with one thread.
 */
void t2_child_reset(void);

#endif
