/* SPDX-License-Identifier: MIT */
/*
 * How one piece of text looks in each format that t2 prints, and in colour.
 */
#ifndef T2_COMMAND_PRINT_H
#define T2_COMMAND_PRINT_H

#include <stdbool.h>
#include <stdio.h>

enum t2_output_format {
	T2_OUTPUT_TEXT, /* for people */
	T2_OUTPUT_JSON,
	T2_OUTPUT_CSV, /* RFC 4180 */
	T2_OUTPUT_MD,  /* Markdown as GitHub has it */
};

/* Colours, or "" without. */
enum t2_style { T2_PLAIN, T2_BOLD, T2_RED, T2_DIM };
const char *t2_style(bool is_coloured, enum t2_style style);

/*
 * A paragraph of at most @width: @first and @text, whose lines after the first one begin with
 * @indent. It is broken at blanks, and within a word only where one is longer than half a line.
 * Wide letters are counted as what they are in bytes, so lines may be shorter.
 */
void t2_print_wrapped(FILE *out, unsigned width, const char *first, const char *indent,
		      const char *text);

/* A JSON string with its quotes; what is not UTF-8 is replaced. */
void t2_print_json(FILE *out, const char *text);

/* A field of CSV, in quotes if it needs them; the bytes as they are. */
void t2_print_csv(FILE *out, const char *text);

/*
 * Text in a cell of a table, as code: nowhere else is nothing of it Markdown, a link, a
 * mention of somebody, or the end of the row.
 */
void t2_print_md(FILE *out, const char *text);

/* The same outside of tables, where a pipe is a pipe. */
void t2_print_md_line(FILE *out, const char *text);

#endif
