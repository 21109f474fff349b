/* SPDX-License-Identifier: MIT */
/*
 * Children whose program is known before they exist (posix_spawn, system,
 * popen), and the reaping of all children.
 */
#ifndef T2_HOOKS_OFFSPRING_H
#define T2_HOOKS_OFFSPRING_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "hooks/hook.h"
#include "preload/child.h"

struct t2_offspring {
	int child_id;
	struct t2_moment start;
	struct t2_child *record; /* or NULL: no room */
};

/*
 * child_start, before the call that makes it; @argv NULL: the parent's own.
 * Context: any.
 */
void t2_offspring_begin(struct t2_offspring *offspring, struct t2_guard *guard,
			enum t2_child_class child_class, bool use_shell, const char *const *argv);

/*
 * The call is over: @pid, or 0 if there is a child but nobody knows which, or
 * negative if there is none, which is told as git does (pid -1, code -1).
 * Context: any.
 */
void t2_offspring_end(struct t2_offspring *offspring, struct t2_guard *guard, pid_t pid);

/* The code of a child_exit for a wait status: 128 + n for a signal. Context: any. */
int t2_offspring_code(int status);

/* Whether @status says that the child is gone, not stopped or continued. Context: any. */
bool t2_offspring_is_gone(int status);

/*
 * A child has been reaped: child_exit, and child_start before it if the child
 * died before it could announce itself. @usage may be NULL.
 * Context: any.
 */
void t2_offspring_reaped(struct t2_guard *guard, pid_t pid, int code, const struct rusage *usage);

/* The same for a hook that has not asked who calls. errno is kept. Context: any. */
void t2_offspring_waited(pid_t pid, int code, const struct rusage *usage);

/* What t2_offspring_is_gone() and t2_offspring_code() tell, of waitid's answer. Context: any. */
bool t2_offspring_is_gone_info(const siginfo_t *info);
int t2_offspring_info_code(const siginfo_t *info);

#endif
