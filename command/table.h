/* SPDX-License-Identifier: MIT */
/*
 * Rows and columns, for people and for programs.
 *
 * People get aligned text that fits the width: numbers with units, text that is made
 * harmless and cut in the middle. Programs get the numbers whole, with their unit in
 * the name, and text as it is: JSON (an array of objects), CSV (RFC 4180), Markdown.
 *
 * Text is kept until the end, to be aligned; the others are printed row by row.
 */
#ifndef T2_COMMAND_TABLE_H
#define T2_COMMAND_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum t2_table_format {
	T2_FORMAT_TEXT,
	T2_FORMAT_JSON,
	T2_FORMAT_CSV,
	T2_FORMAT_MD,
};

/* What a column holds; the ending that its name has for programs. */
enum t2_kind {
	T2_KIND_TEXT,
	T2_KIND_COUNT,	  /* a number */
	T2_KIND_DURATION, /* nanoseconds: _ns */
	T2_KIND_BYTES,	  /* kilobytes: _kb */
	T2_KIND_PERCENT,  /* parts of a million: _percent, with decimals */
};

struct t2_column {
	const char *name;  /* as -f takes it and programs see it */
	const char *title; /* as people see it */
	enum t2_kind kind;
	unsigned width_max; /* of text; 0: what is left. Only one column may have that. */
	bool is_hidden;	    /* unless asked for with -f */
	unsigned drop;	    /* left out where text is narrow, the highest first; 0: never */
};

/* Numbers that are not known: "-", null or nothing. NULL is text that is not. */
#define T2_UNKNOWN INT64_MIN

struct t2_table_opts {
	enum t2_table_format format;
	unsigned width; /* of text */
	bool is_unicode;
	bool is_coloured;
	const char *fields; /* "name,name": only these, in this order; NULL: those not hidden */
	const char *indent; /* before each line of text; NULL: none */
};

struct t2_table;

/*
 * Begin a table on @out. @columns are borrowed, @nr at most 32. Returns NULL without
 * memory, or if a field is not known, which is said on stderr with @who before it.
 */
struct t2_table *t2_table_begin(FILE *out, const struct t2_table_opts *opts,
				const struct t2_column *columns, unsigned nr, const char *who);

/* The next cell of the row, in the order of the columns. Text is copied. */
void t2_table_text(struct t2_table *table, const char *text);
void t2_table_number(struct t2_table *table, int64_t number);

/* The row is complete; it stands out if it @is_bad. Returns false without memory. */
bool t2_table_row(struct t2_table *table, bool is_bad);

/* Print what is left and free it. NULL is fine. */
void t2_table_end(struct t2_table *table);

/* Colours, or "" without. */
enum t2_style { T2_PLAIN, T2_BOLD, T2_RED, T2_DIM };
const char *t2_style(bool is_coloured, enum t2_style style);

/* A JSON string with its quotes; what is not UTF-8 is replaced. */
void t2_print_json(FILE *out, const char *text);

#endif
