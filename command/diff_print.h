/* SPDX-License-Identifier: MIT */
#ifndef T2_COMMAND_DIFF_PRINT_H
#define T2_COMMAND_DIFF_PRINT_H

#include "command/diff.h"
#include "command/sort.h"
#include "command/table.h"

struct t2_options;

/* What became of the entries of a diff. */
struct t2_diff_changes {
	const struct t2_diff *diff;
	enum t2_metric metric;
	struct t2_diff_threshold threshold;
	enum t2_verdict whole;	    /* of the wall clock */
	struct t2_sort_item *items; /* value is the entry, more its verdict; not the same ones */
	size_t nr;
};

extern const struct t2_column t2_diff_columns[];

/* All of it on standard output, as @options want it. Returns false without memory. */
bool t2_diff_print(const struct t2_diff_changes *changes, const struct t2_options *options);

#endif
