/* SPDX-License-Identifier: MIT */
/*
 * The model: what a trace tells, as a tree of processes with their times.
 *
 * A process here is a process image, one session of a trace. An image that
 * executes another ends there, and the new one is its child in the tree (is_exec),
 * as it is in the session ids; both have one pid.
 *
 * What is known only from child_start and child_exit of a parent, because nothing
 * spoke from inside (static, setuid, other machines), is a process as well
 * (is_outside). So every child is exactly one process.
 *
 * All times are nanoseconds since the epoch, corrected for clocks of other hosts.
 * All strings live as long as the trace and are interned: equal strings have equal
 * addresses. NULL is what was not told.
 */
#ifndef T2_COMMAND_TRACE_H
#define T2_COMMAND_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct t2_event;
struct t2_event_reader;
struct t2_source;

/* The process that is none: the parent of the first ones, at the root of the tree. */
#define T2_ROOT 0
#define T2_NO_PROCESS UINT32_MAX

enum t2_end {
	T2_END_UNKNOWN, /* still running, or nobody was there to tell */
	T2_END_EXIT,	/* code says how */
	T2_END_SIGNAL,	/* signo says which; code is 128 + signo */
	T2_END_EXEC,	/* it became the image that is its child with is_exec */
};

/* As getrusage() counts; what does not fit is as large as can be. */
struct t2_rusage {
	uint64_t user_ns, sys_ns;
	uint32_t max_rss_kb;
	uint32_t minor_faults, major_faults;
	uint32_t in_blocks, out_blocks;
	uint32_t voluntary_switches, involuntary_switches;
};

struct t2_process {
	/* --- who */
	const char *sid;   /* what this process added to its parent's session id */
	const char *exe;   /* path of the executable (cmd_path) */
	const char *name;  /* cmd_name; the last one, if there are several */
	const char *argv;  /* argc strings, each with its NUL, one behind the other */
	const char *cwd;   /* at its start */
	const char *error; /* the last "error" it told of */

	/* --- when */
	int64_t start_ns;  /* when it was forked, or else when it said so */
	int64_t image_ns;  /* when it first spoke; start_ns if it is_outside */
	int64_t end_ns;	   /* never before start_ns */
	int64_t reaped_ns; /* when its parent noticed; 0 if it did not */

	/*
	 * --- how much: CPU time without and with waited-for children. What the
	 * parent's wait said counts the very end, too, and is preferred to what the
	 * process said.
	 */
	uint64_t cpu_ns, total_cpu_ns;

	/* What it was made of: own, of waited-for children, and both from the wait.
	 * Without has_rusage, self is what is left of the wait. */
	struct t2_rusage self;
	struct t2_rusage children;
	uint64_t reaped_user_ns, reaped_sys_ns; /* own and of waited-for children */
	uint32_t reaped_max_rss_kb;

	/* --- the tree, in preorder: parents come first, children by start_ns */
	uint32_t parent;    /* T2_ROOT for first ones and for orphans */
	uint32_t end_id;    /* the descendants are the ids from its own + 1 below this */
	uint32_t depth;	    /* of T2_ROOT: 0 */
	uint32_t next_exec; /* the image it became, or T2_NO_PROCESS */

	/* --- what else */
	uint32_t argc;
	uint32_t host;		  /* index of hosts */
	uint32_t nr_threads;	  /* started, the first one included */
	uint32_t nr_children;	  /* children in the tree, without is_exec */
	uint32_t nr_failed_execs; /* exec and spawn calls that failed */
	uint32_t first_region;	  /* index of regions */
	uint32_t nr_regions;
	int32_t pid;	  /* -1: unknown */
	int32_t code;	  /* of its end; -1: unknown */
	int32_t child_id; /* its parent's number for it; -1: none */
	uint8_t signo;
	uint8_t end;	     /* enum t2_end */
	uint8_t child_class; /* index of t2_child_class(); 0: none */

	bool is_outside : 1;	    /* only its parent told of it */
	bool is_exec : 1;	    /* took the place of its parent, in the same process */
	bool is_incomplete : 1;	    /* nobody told its end; end_ns is the last that was heard */
	bool is_unstarted : 1;	    /* its parent tried to start it and failed */
	bool is_orphan : 1;	    /* what is between it and its parent is missing */
	bool is_clock_fixed : 1;    /* its times were moved to its parent's clock */
	bool is_backwards : 1;	    /* told an end before its start; end_ns is a guess */
	bool is_repeated : 1;	    /* the session id began more than once */
	bool has_rusage : 1;	    /* self and children were told */
	bool has_reaped_rusage : 1; /* reaped_* were told */
	bool is_released : 1;	    /* child_ready: its parent ended without waiting */
};

/* A named interval in a thread of a process. */
struct t2_region {
	const char *category, *label, *msg, *thread;
	int64_t start_ns, end_ns;
	uint32_t process;
	uint16_t nesting;
	bool is_incomplete; /* never left; ends with its process */
};

struct t2_host {
	const char *name;  /* as in session ids: "H" and 8 digits; "" if it has none */
	int64_t offset_ns; /* what was added to all times of it */
};

struct t2_trace_stats {
	uint64_t nr_lines, nr_events, nr_bytes;
	uint64_t nr_unknown;   /* events of kinds we do not know */
	uint64_t nr_broken;    /* lines that are no event */
	uint64_t nr_cut;       /* last lines without an end: still being written */
	uint64_t nr_ignored;   /* events that contradict others, such as a second child 0 */
	uint64_t nr_discarded; /* sessions that said too_many_files */

	/* of the processes */
	uint32_t nr_processes; /* without the root */
	uint32_t nr_outside, nr_incomplete, nr_orphans, nr_unstarted, nr_backwards, nr_repeated;
};

struct t2_trace {
	struct t2_process *processes; /* by id; [T2_ROOT] spans all of them */
	uint32_t nr_processes;	      /* the root included: at least 1 */
	struct t2_region *regions;    /* by process, then by start */
	uint32_t nr_regions;
	struct t2_host *hosts; /* the clock of the first root's is taken to be right */
	uint32_t nr_hosts;
	struct t2_trace_stats stats;
	struct t2_trace_store *store; /* the model's own */
};

struct t2_trace_opts {
	/*
	 * Called with every event that is understood, in the order of the lines, before
	 * it goes into the model: for what the model does not keep. May be NULL.
	 */
	void (*on_event)(void *arg, const struct t2_event *event);
	void *on_event_arg;
};

/*
 * Read all of @source, which stays the caller's. @opts may be NULL. Lines that
 * make no sense are complained of there and passed over.
 *
 * Returns NULL without memory. A trace without any event is a trace of nothing but
 * the root.
 */
struct t2_trace *t2_trace_read(struct t2_source *source, const struct t2_trace_opts *opts);

void t2_trace_free(struct t2_trace *trace);

/* Make room in @reader for a line of @len bytes; false: there is no memory. */
bool t2_reader_has_room(struct t2_event_reader *reader, size_t len);

/* The process of a whole session id, or T2_NO_PROCESS. */
uint32_t t2_trace_find(const struct t2_trace *trace, const char *sid);

/*
 * The whole session id of a process, cut to @size with its NUL. Returns its length
 * as if @size had been enough. Processes that are outside have none of their own:
 * theirs is their parent's.
 */
size_t t2_trace_sid(const struct t2_trace *trace, uint32_t id, char *out, size_t size);

/* "fork", "spawn", ...; "" for 0. */
const char *t2_child_class(const struct t2_trace *trace, uint8_t child_class);

/* The argument @n of @process, or NULL if it has no so many. O(@n). */
const char *t2_process_arg(const struct t2_process *process, uint32_t n);

/* The children of @id: for (c = first; c < end; c = next). */
static inline uint32_t t2_first_child(uint32_t id)
{
	return id + 1;
}

static inline uint32_t t2_next_sibling(const struct t2_trace *trace, uint32_t id)
{
	return trace->processes[id].end_id;
}

#endif
