/* SPDX-License-Identifier: MIT */
/*
 * Of the model, while it is made: private to trace*.c.
 *
 *	trace_events.c	events become sessions and records, in the order of the lines
 *	trace_sid.c	...by their session ids
 *	trace_usage.c	...with their usage
 *	trace_link.c	records find their sessions; the others become processes, too
 *	trace_clock.c	times of other hosts, and ends that nobody told
 *	trace_tree.c	ids are given anew, in preorder
 */
#ifndef T2_COMMAND_TRACE_BUILD_H
#define T2_COMMAND_TRACE_BUILD_H

#include "command/map.h"
#include "command/strings.h"
#include "command/trace.h"

/* Times and durations that are taken seriously; sums of a few then fit. */
#define T2_TIME_MAX (INT64_C(1) << 61)
#define T2_NEVER INT64_MIN

/* Clocks of one host are read one after the other. */
#define T2_CLOCK_SLACK_NS 1000000

struct t2_trace_store {
	struct t2_strings strings;
	struct t2_map sids; /* hash of the whole session id -> id */
	const char *classes[256];
	unsigned nr_classes;
};

/* What a parent told of a child, or a process of the image it becomes. */
struct t2_record {
	int64_t start_ns, end_ns; /* on the parent's clock, or T2_NEVER */
	uint64_t user_ns, sys_ns;
	const char *argv;
	const char *exe;
	uint32_t argc;
	uint32_t parent;
	uint32_t process; /* the one it is; T2_NO_PROCESS: not yet found */
	uint32_t max_rss_kb;
	int32_t child_id, pid, code;
	uint8_t child_class;
	bool is_exec : 1;
	bool has_exit : 1;
	bool has_rusage : 1;
	bool is_released : 1;
	bool is_unstarted : 1;
	bool is_void : 1; /* an exec that failed, or was followed by something else */
};

/* Of a session, until the model is done. */
struct t2_session {
	const char *prefix;   /* session id of a parent that is not there yet */
	int64_t origin_ns;    /* where t_abs counts from, or T2_NEVER */
	int64_t last_ns;      /* latest time that was told, or T2_NEVER */
	int64_t end_abs_ns;   /* t_abs of its end, or T2_NEVER */
	uint32_t exec;	      /* its last record of an exec, or T2_NO_PROCESS */
	uint32_t open_region; /* innermost, or T2_NO_PROCESS */
	uint32_t record;      /* what its parent told of it, or T2_NO_PROCESS */
	bool has_begun;	      /* "version" was there */
};

/* A region and the one that is open around it, in whatever thread. */
struct t2_open_region {
	struct t2_region region;
	uint32_t outer;
};

struct t2_builder {
	struct t2_trace *trace;
	struct t2_trace_store *store;
	struct t2_session *sessions; /* by id, as the processes */
	uint32_t max_processes;
	struct t2_record *records;
	uint32_t nr_records, max_records;
	struct t2_map record_ids; /* parent and child_id -> record */
	struct t2_open_region *regions;
	uint32_t nr_regions, max_regions;
	struct t2_map host_ids; /* address of the name -> host */
	uint32_t max_hosts;
	uint32_t *order; /* ids, parents before their children; from the link on */
	bool is_out_of_memory;
};

/* As realloc(), for @nr and one more elements; NULL is noted. */
void *t2_builder_grow(struct t2_builder *builder, void *array, uint32_t nr, uint32_t *max,
		      size_t size);

const char *t2_builder_keep(struct t2_builder *builder, const char *str);

/* A new process, with everything unknown. Returns its id, or T2_NO_PROCESS. */
uint32_t t2_builder_add(struct t2_builder *builder);

/* The session with that id, a new one if need be; T2_NO_PROCESS without memory. */
uint32_t t2_builder_session(struct t2_builder *builder, const char *sid);

/* Take the JSON text of an rusage; what is none is passed over. */
void t2_builder_rusage(struct t2_builder *builder, uint32_t id, const char *text);

/* Numbers that do not fit are as large, or as small, as can be. */
static inline uint32_t t2_to_u32(int64_t number)
{
	if (number < 0)
		return 0;
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* The steps, in this order. Without memory is_out_of_memory is set. */
void t2_builder_event(struct t2_builder *builder, const struct t2_event *event);
void t2_builder_link(struct t2_builder *builder);
void t2_builder_clock(struct t2_builder *builder);
void t2_builder_tree(struct t2_builder *builder);

uint64_t t2_sid_hash(const char *sid, size_t len);

#endif
