/* SPDX-License-Identifier: MIT */
/*
 * Rows and columns, for people and for programs.
 *
 * People get aligned text that fits the width: numbers with units, text that is made
 * harmless and cut in the middle. Programs get the numbers whole, with their unit in
 * the name, and text as it is.
 *
 * A column knows its name, its look, and how to get its cell out of a row, so a view
 * has no more to do than to hand over rows. Text is kept until the end, to be
 * aligned; the other formats are printed row by row.
 */
#ifndef T2_COMMAND_TABLE_H
#define T2_COMMAND_TABLE_H

#include "command/print.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a column holds; the ending that its name has for programs. */
enum t2_kind {
	T2_KIND_TEXT,	  /* of the trace */
	T2_KIND_WORD,	  /* of ours */
	T2_KIND_LIST,	  /* a JSON array; to people, text */
	T2_KIND_ID,	  /* a number that nobody would add up */
	T2_KIND_COUNT,	  /* a number */
	T2_KIND_DURATION, /* nanoseconds: _ns */
	T2_KIND_BYTES,	  /* kilobytes: _kb */
	T2_KIND_PERCENT,  /* parts of a million: _percent, with decimals */
};

/* Numbers that are not known: "-", null or nothing. NULL is text that is not. */
#define T2_UNKNOWN INT64_MIN

/* Arrays of them end with one without a name. */
struct t2_column {
	const char *name;  /* as -f takes it and programs see it */
	const char *title; /* as people see it */
	enum t2_kind kind;
	unsigned width_max; /* of text; 0: what is left. Only one column may have that. */
	unsigned drop;	    /* left out where text is narrow, the highest first; 0: never */

	/* The cell of a row: text for the first three kinds, which the row may keep until it
	 * is asked for another one; a number for the others. */
	const char *(*text)(void *row);
	int64_t (*number)(const void *row);

	/* May be NULL, or return it: what a person sees instead of text that is cut, as
	 * t2_text_elide_or() has it. */
	const char *(*brief)(void *row);
};

struct t2_table_opts {
	enum t2_output_format format;
	unsigned width; /* of text */
	bool is_unicode;
	bool is_coloured;
	const char *fields; /* "name,name": only these, in this order; NULL: all */
	bool may_drop;	    /* of text: leave columns out where it is narrow */
	unsigned rest_min;  /* what the column with the rest then keeps; 0: 24 */
	const char *indent; /* before each line of text; NULL: none */
};

struct t2_table;

/* The column whose name is the @len bytes at @name, or NULL. */
const struct t2_column *t2_column_find(const struct t2_column *columns, const char *name,
				       size_t len);

/*
 * Begin a table on @out. @columns are borrowed; a field that is none of them is passed
 * over. Returns NULL without memory.
 */
struct t2_table *t2_table_begin(FILE *out, const struct t2_table_opts *opts,
				const struct t2_column *columns);

/* Add @row, which is looked at now only; it stands out if it @is_bad. Returns false
 * without memory. */
bool t2_table_row(struct t2_table *table, void *row, bool is_bad);

/* Print what is left and free it. NULL is fine. */
void t2_table_end(struct t2_table *table);

#endif
