/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a stream of EVENT lines, line by line.
 *
 * An *error* is what no writer should write: a reader may refuse it, or something
 * is missing for good. A *warning* is what honest writers do in special cases: a
 * process that was killed has no end, git forks without a word.
 *
 * Memory grows with the sessions, their children and threads, not with the lines.
 */
#ifndef T2_COMMAND_LINT_H
#define T2_COMMAND_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct t2_line;

enum t2_lint_code {
	T2_LINT_BROKEN,	      /* a line that is no event */
	T2_LINT_CUT,	      /* the last line has no end */
	T2_LINT_KEY,	      /* a key is missing that the kind must have */
	T2_LINT_LOST,	      /* the writer lost lines here */
	T2_LINT_REPEATED,     /* an id, or a session's beginning, came twice */
	T2_LINT_UNMATCHED,    /* an end without its beginning */
	T2_LINT_ORDER,	      /* right, but at the wrong place */
	T2_LINT_EVENT,	      /* a kind of event, or version, that we do not know */
	T2_LINT_BRIEF,	      /* events without a time */
	T2_LINT_UTF8,	      /* bytes that are no UTF-8 */
	T2_LINT_CLOCK,	      /* the clock was set */
	T2_LINT_NO_BEGINNING, /* a session without "version" */
	T2_LINT_NO_END,	      /* a session or child of which nobody told the end */
	T2_LINT_NR
};

/* Borrowed for the call. */
struct t2_problem {
	const char *file;
	uint64_t line;
	enum t2_lint_code code;
	bool is_error;
	const char *message; /* one line; names from the stream are in it as they are */
};

struct t2_lint;

/* @report is called with every problem. Returns NULL without memory. */
struct t2_lint *t2_lint_new(void (*report)(void *arg, const struct t2_problem *problem), void *arg);

/* Take the next line. Returns false without memory. */
bool t2_lint_line(struct t2_lint *lint, const struct t2_line *line);

/* Say what only shows when there are no more lines: of sessions, then of children. */
void t2_lint_finish(struct t2_lint *lint);

struct t2_lint_stats {
	uint64_t nr_lines, nr_events, nr_sessions;
	uint64_t nr_errors, nr_warnings;
	uint64_t nr_lost; /* lines that writers said they had lost */
};

void t2_lint_get_stats(const struct t2_lint *lint, struct t2_lint_stats *stats);

/* A word for @code, for filters: "broken", "no-end". */
const char *t2_lint_name(enum t2_lint_code code);

/* How it should be, in one sentence without a full stop. */
const char *t2_lint_rule(enum t2_lint_code code);

/* NULL is fine. */
void t2_lint_free(struct t2_lint *lint);

#endif
