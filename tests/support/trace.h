/* SPDX-License-Identifier: MIT */
/*
 * An EVENT stream as tests ask about it: lines, the sessions they belong to, and
 * the tree that the session ids make. Everything is checked on the way in that
 * holds for every stream whatsoever.
 */
#ifndef T2_SUPPORT_TRACE_H
#define T2_SUPPORT_TRACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct t2_session {
	const char *sid;
	const char *component; /* its last one */
	const char *name;      /* of cmd_name, or NULL */
	int parent;	       /* index, or -1 */
	int pid;	       /* out of the component, or -1 if that is not ours */
	bool is_ours;	       /* not git's own writer */
};

struct t2_line {
	json_t *json;
	const char *event;
	int session;
};

struct t2_trace {
	struct t2_line *lines;
	size_t nr_lines;
	struct t2_session *sessions; /* in order of their first line */
	int nr_sessions;
};

/* Take @text apart; a line that is not one JSON object fails the test. */
void t2_trace_parse(struct t2_trace *trace, const char *text);
void t2_trace_free(struct t2_trace *trace);

/* The one session without a parent in the stream. */
int t2_trace_root(const struct t2_trace *trace);

/* The one session whose command is called @name; fails if there is not exactly one. */
int t2_trace_named(const struct t2_trace *trace, const char *name);

/* The session right below @parent with this @pid; fails if there is none. */
int t2_trace_below(const struct t2_trace *trace, int parent, int pid);

/* How many sessions are right below @parent. */
int t2_trace_nr_below(const struct t2_trace *trace, int parent);

/* How many lines of kind @event has @session (-1: all sessions together)? */
int t2_trace_count(const struct t2_trace *trace, int session, const char *event);

/* The line number @nth of kind @event in @session; fails if there is none. */
const json_t *t2_trace_line(const struct t2_trace *trace, int session, const char *event, int nth);

/* The line of kind @event with @key equal to @number; NULL if there is none. */
const json_t *t2_trace_line_with(const struct t2_trace *trace, int session, const char *event,
				 const char *key, json_int_t number);

/* The kinds of all lines of @session, in order, joined by blanks; free it. */
char *t2_trace_kinds(const struct t2_trace *trace, int session);

/* Members of a line; a missing one or one of another type fails the test. */
const char *t2_line_text(const json_t *line, const char *key);
json_int_t t2_line_number(const json_t *line, const char *key);
double t2_line_seconds(const json_t *line, const char *key);

/* A list of strings, joined by "|"; free it. */
char *t2_line_list(const json_t *line, const char *key);

#endif
