/* SPDX-License-Identifier: MIT */
/*
 * Of the analysis, while it is made: private to analysis*.c.
 *
 *	analysis.c		who waits for whom, and what is counted per process
 *	analysis_sweep.c	how many are busy, from the start to the end
 *	analysis_chain.c	the gating chain, from the end to the start
 */
#ifndef T2_COMMAND_ANALYSIS_BUILD_H
#define T2_COMMAND_ANALYSIS_BUILD_H

#include "command/analysis.h"
#include "command/sort.h"
#include "command/trace.h"

/* Of one process: its life within the window, and whom it waits for. Process
 * T2_ROOT is the window. */
struct t2_life {
	int64_t start_ns, end_ns;
	uint32_t coordinator; /* its parent, or its first image's */
	uint32_t first, next; /* whose coordinator it is, by start; 0: none */
	bool is_counted;      /* below the root of the analysis, and did start */
	bool is_released;     /* its coordinator never waited for it */
};

struct t2_work {
	const struct t2_trace *trace;
	struct t2_analysis *analysis;
	struct t2_life *lives; /* by id */

	/* Who becomes busy (more is 1) and stops (-1), by time. */
	struct t2_sort_item *edges;
	size_t nr_edges;
};

/* The steps. They return false without memory. */
bool t2_analysis_sweep(struct t2_work *work);
bool t2_analysis_chain(struct t2_work *work);

static inline int64_t t2_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t t2_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Sums over many processes stop at the largest number there is. */
static inline int64_t t2_saturate(__int128 number)
{
	return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

#endif
