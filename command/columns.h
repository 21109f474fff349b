/* SPDX-License-Identifier: MIT */
/*
 * Every column there is, with its name, its unit and where it comes from: once. Views
 * choose which of them they show, and users with -f; -s takes those of numbers.
 */
#ifndef T2_COMMAND_COLUMNS_H
#define T2_COMMAND_COLUMNS_H

#include "command/table.h"

struct t2_causes;
struct t2_group;
struct t2_view;

/* Commands counted together. */
struct t2_group_row {
	const struct t2_group *group;
	int64_t wall_ns; /* of the trace */
	bool is_rest;	 /* of it only weighted_ns, name and, if not 0, count are known */
};

extern const struct t2_column t2_group_columns[]; /* of struct t2_group_row */

/* One process. Free with t2_process_row_free(). */
struct t2_process_row {
	const struct t2_view *view;
	uint32_t id;
	const struct t2_causes *causes; /* for "counts"; may be NULL */
	char *text;			/* room for a cell */
	size_t size;
};

extern const struct t2_column t2_process_columns[]; /* of struct t2_process_row */

void t2_process_row_free(struct t2_process_row *row);

/* The index in t2_group_columns; it is there. */
unsigned t2_group_column(const char *name);

#endif
