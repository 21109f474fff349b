/* SPDX-License-Identifier: MIT */
/*
 * Who we are: the session id, its place in the tree, and what a session counts.
 *
 * A session belongs to one process image, named by its pid. Memory can outlive
 * that: a forked child has a copy of its parent's session, a vfork child looks
 * at the very same bytes. So nobody may take a session for his own before the
 * pid has been compared.
 */
#ifndef T2_PRELOAD_SESSION_H
#define T2_PRELOAD_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "preload/clock.h"
#include "preload/limits.h"

#define T2_PARENT_SID_VAR "GIT_TRACE2_PARENT_SID"
#define T2_PARENT_NAME_VAR "GIT_TRACE2_PARENT_NAME"

struct t2_session {
	pid_t pid;
	int depth;   /* slashes in the session id before our own component */
	size_t leaf; /* where that component begins in sid_entry */
	struct t2_moment start;
	bool is_foreign; /* a forked child's copy: the pid may repeat in another namespace */
	atomic_int next_child_id;
	atomic_int next_exec_id;
	atomic_int next_thread_id;
	atomic_int next_repo_id;
	atomic_bool has_ended; /* atexit or signal is being told: nothing else may follow */
	atomic_bool has_died;  /* signal is being told */

	/* The host called exit() or returned from main: kept until the end. */
	atomic_bool has_exit;
	struct t2_moment exit_time;

	/* Ready-made environment entries for children; the id and the hierarchy
	 * are their values. */
	char name_entry[sizeof(T2_PARENT_NAME_VAR "=/") + T2_HIERARCHY_MAX + T2_NAME_MAX];
	char sid_entry[sizeof(T2_PARENT_SID_VAR "=/") + T2_SID_MAX + T2_SID_COMPONENT_LEN];
};

/*
 * Begin a session: id "@parent_sid/<component>", hierarchy "@parent_name/@name".
 * Both parents may be NULL or empty. Everything is copied, and @parent_sid may
 * lie in @session itself. The host part is taken over from @parent_sid; only
 * without one is the host name asked for.
 * Context: any.
 */
void t2_session_begin(struct t2_session *session, const char *parent_sid, const char *parent_name,
		      const char *name, pid_t pid, struct t2_moment start);

/*
 * The process goes by another name, which is added to the hierarchy
 *. It is dropped if there is no room.
 * Context: any.
 */
void t2_session_add_name(struct t2_session *session, const char *name);

/* The id's last component, which names the session's file. Context: any. */
static inline const char *t2_session_leaf(const struct t2_session *session)
{
	return session->sid_entry + session->leaf;
}

/* The whole id; the hierarchy of names. Context: any. */
static inline const char *t2_session_sid(const struct t2_session *session)
{
	return session->sid_entry + sizeof(T2_PARENT_SID_VAR);
}

static inline const char *t2_session_hierarchy(const struct t2_session *session)
{
	return session->name_entry + sizeof(T2_PARENT_NAME_VAR);
}

#endif
