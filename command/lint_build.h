/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the lint share; for command/lint*.c only.
 */
#ifndef T2_COMMAND_LINT_BUILD_H
#define T2_COMMAND_LINT_BUILD_H

#include "command/lint.h"
#include "command/map.h"
#include "command/strings.h"
#include "formatters/event_reader.h"

struct t2_event;

struct t2_lint_session {
	const char *sid;
	const char *file; /* of its first line */
	uint64_t line;
	uint64_t origin_ns; /* wall clock minus t_abs; T2_NO_TIME: not known */
	uint64_t last_ns;   /* wall clock of the last event */
	bool has_version, has_start, has_end, has_atexit;
	bool has_open_exec;	/* the image may be another one now */
	bool is_announced_only; /* all we have are events that its children may write */
	bool is_brief_told, is_after_end_told;
};

enum t2_lint_item_kind { T2_LINT_CHILD, T2_LINT_EXEC, T2_LINT_THREAD, T2_LINT_REGIONS };

/* A child, an exec, a thread, or the regions of a thread. */
struct t2_lint_item {
	enum t2_lint_item_kind kind;
	uint32_t session;
	int64_t id;	  /* of the child or exec */
	const char *file; /* where it is first told of */
	uint64_t line;
	bool is_started, is_ended;
	int open; /* regions */
};

struct t2_lint {
	void (*report)(void *arg, const struct t2_problem *problem);
	void *arg;
	struct t2_lint_stats stats;
	struct t2_event_reader reader;
	struct t2_strings strings;
	struct t2_map session_ids; /* by hash of the session id */
	struct t2_lint_session *sessions;
	uint32_t nr_sessions, max_sessions;
	struct t2_map item_ids; /* by hash of session, kind, and id or name */
	struct t2_lint_item *items;
	uint32_t nr_items, max_items;
	struct t2_map killed; /* by hash of session and pid: it told that a signal killed it */
	const struct t2_line *line; /* at hand */
	const char *file;	    /* its name, kept */
	bool is_out_of_memory;
};

/* Report a problem of the line at hand. */
void t2_lint_error(struct t2_lint *lint, enum t2_lint_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void t2_lint_warning(struct t2_lint *lint, enum t2_lint_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Report a problem of another line. */
void t2_lint_at(struct t2_lint *lint, const char *file, uint64_t line, bool is_error,
		enum t2_lint_code code, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/* Keys that must be there, of one event. */
void t2_lint_keys(struct t2_lint *lint, const struct t2_event *event);

/* What one event means for its session. Returns false without memory. */
bool t2_lint_event(struct t2_lint *lint, const struct t2_event *event);

#endif
