/* SPDX-License-Identifier: MIT */
/*
 * What crosses the layers: one thing that happened, and the table that says
 * which member has which name and type on the wire. The EVENT writer and the
 * reader walk the same table, so they cannot disagree.
 */
#ifndef T2_PRELOAD_EVENT_H
#define T2_PRELOAD_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum t2_event_kind {
#define T2_EVENT(id, name, has_abs) T2_EVENT_##id,
#include "preload/events.def"
#undef T2_EVENT
	T2_EVENT_NR
};

/* A time that is not there: the key is left out, the column blank. */
#define T2_NO_TIME UINT64_MAX

/* A whole number that is not there. No quantity we report can be negative. */
#define T2_NO_NUMBER INT64_MIN

/* Text that stands in the output already, and what it was made of. */
struct t2_repeat {
	const char *sid, *thread, *file;
	uint64_t wall_ns;
	size_t at, len; /* in the buffer; len 0: nothing yet */
};

/*
 * One thing that happened. Every pointer is borrowed from whoever made the
 * event and is valid only during the call that passes it on; nothing is copied
 * or freed. Times are nanoseconds.
 */
struct t2_event {
	enum t2_event_kind kind;
	int depth;	    /* of the session, for PERF */
	int nesting;	    /* open regions of the thread + 1, not counting the
			     * one that begins or ends; never below 1 */
	int line;	    /* in file */
	const char *file;   /* our source that made the event, or NULL */
	const char *sid;    /* whole session id */
	const char *thread; /* thread name */
	uint64_t wall_ns;   /* since the epoch; T2_NO_TIME only where it was read */
	uint64_t abs_ns;    /* since the session's start; the same */
	uint64_t rel_ns;    /* since what the event ends began, or T2_NO_TIME */
	int64_t repo;	    /* git's number of a repository, or T2_NO_NUMBER */

	/* Of the batch it belongs to: where a format may note text that its next
	 * event repeats. Or NULL. */
	struct t2_repeat *repeat;

	union {
		struct {
			const char *evt;
			const char *exe;
		} version;
		struct {
			const char *const *argv;
		} start;
		struct {
			int64_t code;
		} exit; /* also atexit */
		struct {
			int64_t signo;
		} signal;
		struct {
			const char *msg;
			const char *fmt; /* @msg before it was filled in */
		} error;
		struct {
			const char *path;
		} cmd_path;
		struct {
			const char *const *ancestry; /* nearest first */
		} cmd_ancestry;
		struct {
			const char *name;
			const char *hierarchy;
		} cmd_name;
		struct {
			const char *name;
		} cmd_mode;
		struct {
			const char *alias;
			const char *const *argv; /* what it stands for */
		} alias;
		struct {
			int64_t child_id;
			const char *child_class;
			const char *hook_name; /* or NULL */
			const char *cd;	       /* or NULL */
			bool use_shell;
			const char *const *argv;
		} child_start;
		struct {
			int64_t child_id;
			int64_t pid;
			int64_t code;
			uint64_t user_ns;   /* or T2_NO_TIME */
			uint64_t sys_ns;    /* or T2_NO_TIME */
			int64_t max_rss_kb; /* or T2_NO_NUMBER */
		} child_exit;
		struct {
			int64_t child_id;
			int64_t pid;
			const char *ready;
		} child_ready;
		struct {
			int64_t exec_id;
			const char *exe; /* or NULL */
			const char *const *argv;
		} exec;
		struct {
			int64_t exec_id;
			int64_t code; /* errno */
		} exec_result;
		struct {
			const char *scope;
			const char *param;
			const char *value; /* or NULL */
		} def_param;
		struct {
			const char *worktree;
		} def_repo;
		struct {
			const char *category; /* or NULL */
			const char *label;    /* or NULL */
			const char *msg;      /* or NULL */
		} region;		      /* region_enter, region_leave */
		struct {
			const char *category;
			const char *key;
			const char *value; /* text, also of numbers */
		} data;
		struct {
			const char *category;
			const char *key;
			const char *value; /* JSON text */
		} data_json;
		struct {
			const char *category;
			const char *name;
			int64_t intervals;
			uint64_t total_ns; /* whole microseconds, rounded: the one time */
			uint64_t min_ns;   /* that git does not cut */
			uint64_t max_ns;
		} timer; /* also th_timer */
		struct {
			const char *category;
			const char *name;
			int64_t count;
		} counter; /* also th_counter */
		struct {
			const char *msg;
		} printf;
	} u;
};

enum t2_field_type {
	T2_FIELD_STRING,   /* const char *; NULL is left out */
	T2_FIELD_TEXT,	   /* the same; readers take a number as well, as its text */
	T2_FIELD_ARGUMENT, /* the same; may hold a secret */
	T2_FIELD_INT,	   /* int */
	T2_FIELD_NUMBER,   /* int64_t; T2_NO_NUMBER is left out */
	T2_FIELD_BOOL,	   /* bool */
	T2_FIELD_TIME,	   /* uint64_t ns, as seconds; T2_NO_TIME is left out */
	T2_FIELD_LIST,	   /* const char *const *, NULL-terminated; NULL is empty */
	T2_FIELD_JSON,	   /* const char *, already JSON; NULL is left out */
};

/* Tables hold texts and not pointers, each of which the loader would have to set
 * in every process. */
struct t2_field {
	char name[12]; /* JSON key */
	enum t2_field_type type : 8;
	uint8_t name_len;
	uint16_t offset; /* in struct t2_event */
};

/* Key @name for @member of struct t2_event, and what ends a list of them. */
#define T2_FIELD(type, name, member)                                                               \
	{                                                                                          \
		name, T2_FIELD_##type, sizeof(name) - 1, offsetof(struct t2_event, member)         \
	}
#define T2_FIELDS_END                                                                              \
	{                                                                                          \
		"", T2_FIELD_STRING, 0, 0                                                          \
	}

struct t2_event_desc {
	char name[16]; /* JSON value of "event", PERF column */
	uint8_t name_len;
	bool has_abs;		   /* PERF shows t_abs */
	struct t2_field fields[9]; /* the one without a name ends it */
};

/* What every kind looks like on the wire, indexed by enum t2_event_kind. */
extern const struct t2_event_desc t2_event_descs[T2_EVENT_NR];

/*
 * Whether events of @kind have the member at @offset of struct t2_event as a
 * key of their own.
 * Context: any.
 */
bool t2_event_has(enum t2_event_kind kind, size_t offset);

/*
 * An event of @kind with everything optional absent. The caller fills in what
 * the kind has.
 * Context: any.
 */
void t2_event_init(struct t2_event *event, enum t2_event_kind kind);

#endif
