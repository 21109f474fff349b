/* SPDX-License-Identifier: MIT */
/*
 * What differs between runs of the same work.
 *
 * Commands are the same if their normal form is (command/key.h), below ancestors of
 * the same names. What has no partner is matched by the file that a compiler reads, so
 * that other options are no other work; and what is then left, by the name of its
 * program: a file that was renamed is no change at all.
 *
 * Each side may be several runs. What is compared are the medians of a side; a command
 * that a run does not have is 0 in it.
 */
#ifndef T2_COMMAND_DIFF_H
#define T2_COMMAND_DIFF_H

#include "command/map.h"
#include "command/sort.h"
#include "command/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct t2_view;

/* What can be compared. */
enum t2_metric {
	T2_METRIC_SELF,	 /* ns */
	T2_METRIC_TOTAL, /* ns; of the whole trace, its wall clock */
	T2_METRIC_CPU,	 /* ns, own */
	T2_METRIC_RSS,	 /* KiB, of the largest */
	T2_METRIC_COUNT, /* images of processes; of the whole trace, processes */
	T2_METRIC_NR
};

enum t2_verdict {
	T2_VERDICT_SLOWER,
	T2_VERDICT_FASTER,
	T2_VERDICT_NEW,
	T2_VERDICT_GONE,
	T2_VERDICT_SAME,
};

/* In one run. */
struct t2_diff_sum {
	int64_t values[T2_METRIC_NR]; /* all 0 if the run does not have it */
};

/* Commands that are one. */
struct t2_diff_entry {
	const char *command; /* normal form; what it was matched by if is_by_label */
	const char *source;  /* t2_key_source() */
	const char *name;
	bool is_by_label; /* made of several without a partner */
	bool is_merged;	  /* into such a one; not to be looked at */
};

/* Of the runs of a side. */
struct t2_diff_stat {
	int64_t median; /* the mean of the middle two, if there are two */
	int64_t min, max;
	bool is_there; /* in any of them */
};

struct t2_diff {
	uint32_t nr_base, nr_runs;     /* the first nr_base runs are the base */
	struct t2_diff_entry *entries; /* the first is all of it */
	struct t2_diff_sum *sums;      /* nr_runs of each entry */
	uint32_t nr, max;
	struct t2_map ids;
	struct t2_strings strings;
};

/* The entry of a diff that is all of it. */
#define T2_DIFF_WHOLE 0

struct t2_diff_threshold {
	int64_t ppm; /* of the base */
	int64_t ns;
};

/* Returns false without memory. */
bool t2_diff_init(struct t2_diff *diff, uint32_t nr_base, uint32_t nr_runs);

/* Count what @view shows as the run number @run. Returns false without memory. */
bool t2_diff_add(struct t2_diff *diff, uint32_t run, const struct t2_view *view);

/* Match by name what has no partner, after all runs were added. Returns false without memory. */
bool t2_diff_match(struct t2_diff *diff);

/* One side of @entry. */
void t2_diff_stat(const struct t2_diff *diff, uint32_t entry, enum t2_metric metric, bool is_base,
		  struct t2_diff_stat *ret_stat);

/*
 * What became of @entry, by @metric, which is a time. A change is more than both
 * thresholds; and if a side has several runs, no run of the one is between those of
 * the other.
 */
enum t2_verdict t2_diff_judge(const struct t2_diff *diff, uint32_t entry, enum t2_metric metric,
			      const struct t2_diff_threshold *threshold);

/* What became of the entries of a diff. */
struct t2_diff_changes {
	const struct t2_diff *diff;
	enum t2_metric metric;
	struct t2_diff_threshold threshold;
	enum t2_verdict whole;	    /* of the wall clock */
	struct t2_sort_item *items; /* value is the entry, more its verdict; not the same ones */
	size_t nr;
};

/*
 * Find what became of the entries of @changes->diff, which are matched, by the metric
 * and the threshold that are set. Slower ones come first, then what there is most of.
 * Returns false without memory; free the items in either case.
 */
bool t2_diff_collect(struct t2_diff_changes *changes);

void t2_diff_free(struct t2_diff *diff);

#endif
