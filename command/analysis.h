/* SPDX-License-Identifier: MIT */
/*
 * Where the time of a trace went.
 *
 * The window is from the first start to the last end of the processes right below
 * the root of the analysis; what outlives it is cut. All times are whole
 * nanoseconds, and sums are exact.
 *
 * A process is *busy* while it lives and none of its children does: a parent
 * with a child is taken to wait for it, since a trace cannot tell. Only a child that it
 * left behind at its own end (is_released) it never waited for. A child lives from
 * its fork to its end, not to the moment its parent notices. An image that takes its
 * place by exec goes on being its parent's child.
 */
#ifndef T2_COMMAND_ANALYSIS_H
#define T2_COMMAND_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct t2_trace;

/* Of one process. */
struct t2_usage {
	int64_t total_ns;    /* its life, within the window */
	int64_t self_ns;     /* of it, without any child: busy */
	int64_t weighted_ns; /* of the wall clock: its share wherever several are busy */
};

/* A time with at most one busy process, as long as it goes. */
struct t2_stretch {
	int64_t start_ns, end_ns;
	uint32_t process;   /* the one that is busy for most of it; T2_ROOT: none */
	int64_t process_ns; /* for how long it is */
};

/* A link of the gating chain: what the end was waiting for at that time. It is never a
 * process that waited itself, but for the moments between the end of one child and the
 * start of the next. */
struct t2_link {
	int64_t start_ns, end_ns;
	uint32_t process; /* T2_ROOT: nothing that is known */
};

struct t2_analysis_opts {
	uint32_t root;	     /* only what is below it, and itself; T2_ROOT: all */
	uint32_t nr_buckets; /* of parallelism over time; 0: 60 */
	unsigned nr_cpus;    /* of the machine of the trace; 0: not known */
};

struct t2_analysis {
	int64_t start_ns, end_ns; /* the window */
	int64_t wall_ns;	  /* its length */

	struct t2_usage *usage; /* by id of process; all 0 where not below the root */
	int64_t nobody_ns;	/* nobody busy: wall_ns without the sum of weighted_ns */

	/* Parallelism. */
	int64_t busy_ns;	      /* the sum of self_ns, and of n * at[n] */
	int64_t *at;		      /* for how long exactly n were busy */
	uint32_t nr_at;		      /* the most that ever were, plus 1 */
	uint32_t nr_buckets;	      /* equal parts of the window, but for rounding */
	int64_t *bucket_ns;	      /* busy time in each */
	struct t2_stretch *stretches; /* by time; adjoining ones are one */
	uint32_t nr_stretches;
	int64_t serial_ns; /* the sum of their lengths */

	/* The gating chain, by time, from start_ns to end_ns without a gap. */
	struct t2_link *links;
	uint32_t nr_links;

	/* CPU time that the processes used, and its share of what there was, in parts of
	 * a million; 0 if nr_cpus is not known or nothing took time. */
	uint64_t cpu_ns;
	uint64_t cpu_ppm;

	uint32_t max_rss_kb;	   /* the largest process */
	uint32_t max_rss_process;  /* which one; T2_ROOT: not known */
	uint64_t sum_rss_bound_kb; /* no more was ever in use together: the maxima of all
				    * that lived at one time, shared pages counted again */
	uint32_t nr_processes;	   /* that were looked at; images of one are one */
	uint32_t nr_outlived;	   /* that went on after the window */
};

/* @opts may be NULL. @trace is borrowed for the call only. Returns NULL without memory. */
struct t2_analysis *t2_analyse(const struct t2_trace *trace, const struct t2_analysis_opts *opts);

void t2_analysis_free(struct t2_analysis *analysis);

/* For how long between @low and @high processes were busy, both included. */
int64_t t2_analysis_at(const struct t2_analysis *analysis, uint32_t low, uint32_t high);

/* The number of busy processes that half of the time there were at most. */
uint32_t t2_analysis_median(const struct t2_analysis *analysis);

#endif
