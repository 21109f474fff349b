/* SPDX-License-Identifier: MIT */
/*
 * Of tables, while they are made: private to table*.c.
 *
 *	table.c		which columns; rows for programs, one by one
 *	table_text.c	for people, when all rows are there
 */
#ifndef T2_COMMAND_TABLE_BUILD_H
#define T2_COMMAND_TABLE_BUILD_H

#include "command/table.h"

struct t2_cell {
	char *text;	  /* as it was; numbers with their unit */
	char *brief;	  /* instead of text that is cut; NULL: none */
	unsigned columns; /* that text takes, not cut */
};

struct t2_shown {
	const struct t2_column *column;
	unsigned cell;	/* index in a row of cells */
	unsigned width; /* on the terminal */
};

struct t2_table {
	FILE *out;
	struct t2_table_opts opts;
	struct t2_shown *shown;
	unsigned nr_shown;
	bool has_printed; /* a row, for the commas of JSON */

	/* Of text. */
	unsigned nr_cells; /* of a row */
	struct t2_cell *cells;
	bool *is_bad;
	size_t nr_rows, max_rows;
};

static inline bool t2_column_is_text(const struct t2_column *column)
{
	return column->kind <= T2_KIND_LIST;
}

/* A number for people; @out has T2_TEXT_MAX bytes. */
const char *t2_number_text(char *out, enum t2_kind kind, int64_t number);

/* Keep a row. Returns false without memory. */
bool t2_table_keep(struct t2_table *table, void *row, bool is_bad);

/* Print what was kept, and free it. */
void t2_table_print(struct t2_table *table);

#endif
