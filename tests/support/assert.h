/* SPDX-License-Identifier: MIT */
/*
 * What tests say about a run, in the words of the domain.
 */
#ifndef T2_SUPPORT_ASSERT_H
#define T2_SUPPORT_ASSERT_H

#include "tests/support/run.h"
#include "tests/support/trace.h"

struct t2_told {
	struct t2_run run;
	struct t2_trace trace;
	int root; /* the session of the victim itself */
};

/*
 * Run the victim called @label under the shim, take its EVENT stream apart and
 * check what holds for every stream.
 */
void t2_tell(struct t2_told *told, const char *label);

/* The same with a launch of one's own; preload and targets default to ours. */
void t2_tell_launch(struct t2_told *told, const struct t2_launch *launch);

void t2_told_close(struct t2_told *told);

/* The kinds of @session's events are exactly @kinds, in this order. */
void t2_assert_kinds(const struct t2_told *told, int session, const char *kinds);

/* The run ended by exit with @code, or by @signo. */
void t2_assert_exited(const struct t2_run *run, int code);
void t2_assert_killed(const struct t2_run *run, int signo);

struct t2_child {
	int id;
	const char *class;
	bool use_shell;
	const char *argv; /* joined by "|" */
	int code;	  /* of child_exit; T2_NO_EXIT if there is none */
};

#define T2_NO_EXIT -1000

/*
 * @session has this child: announced so, and reaped with pid and what the wait
 * told about it. Returns its pid, or -1 if there is no child_exit.
 */
int t2_assert_child(const struct t2_told *told, int session, const struct t2_child *child);

/*
 * The same, and the child itself is a session right below @session. Returns it.
 */
int t2_assert_traced_child(const struct t2_told *told, int session, const struct t2_child *child);

/* @session said exit with @code. */
void t2_assert_exit_told(const struct t2_told *told, int session, int code);

#endif
