/* SPDX-License-Identifier: MIT */
/*
 * Where traces come from: files, directories of per-process files, standard input;
 * plain, gzip or zstd, told apart by their first bytes. Handed out line by line,
 * with a name and a number for each, so that whoever finds one wrong can say where.
 *
 * Memory is bounded by the longest line that is allowed, whatever the input is.
 * What cannot be read is complained about and passed over; the rest is read.
 */
#ifndef T2_COMMAND_SOURCE_H
#define T2_COMMAND_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct t2_source;

/* What is taken where an option is 0. */
#define T2_SOURCE_MESSAGES_MAX 10
#define T2_SOURCE_LINE_MAX ((size_t)32 << 20)

struct t2_source_opts {
	/*
	 * Called after every chunk. @done and @total are bytes as they are stored, so
	 * compressed ones where the input is; @total is 0 if it cannot be known.
	 */
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *progress_arg;

	FILE *messages;	       /* where complaints go; NULL: they are only counted */
	unsigned messages_max; /* complaints printed; further ones are only counted */
	size_t line_max;       /* longer lines are passed over, with a complaint */

	/*
	 * Not 0: an excerpt. After about @head bytes go on with the last @tail bytes of the
	 * file; where that cannot be done, because it is packed or a pipe, the file ends.
	 */
	uint64_t head, tail;
};

/* Borrowed from the source, until the next line is asked for. */
struct t2_line {
	const char *text; /* without its line feed and not terminated */
	size_t len;
	const char *file; /* "-" is standard input */
	uint64_t number;  /* from 1 */
	bool has_no_end;  /* no line feed behind it: its writer may not be done */
};

struct t2_source_stats {
	uint64_t nr_files; /* opened */
	uint64_t nr_lines; /* handed out */
	uint64_t nr_bytes; /* handed out or passed over, uncompressed */
	uint64_t nr_complaints;
	uint64_t nr_unreadable; /* files that could not be opened or read to the end */
	uint64_t nr_foreign;	/* files of a directory that are no event streams */
};

/*
 * A source of what is at the @nr @paths, in their order. "-" is standard input, a
 * directory stands for the regular files in it in the order of their names, but
 * for hidden ones and those that do not begin like an event stream: the other
 * formats may be beside it. @opts may be NULL; @paths are borrowed.
 *
 * A path that cannot be read is complained of when its turn comes. Returns NULL
 * only without memory.
 */
struct t2_source *t2_source_open(const char *const *paths, size_t nr,
				 const struct t2_source_opts *opts);

/* The next line that is not empty. Returns false at the end of everything. */
bool t2_source_next(struct t2_source *source, struct t2_line *line);

/*
 * Say "t2: FILE:LINE: @what" of @line, or "t2: FILE: @what" if its number is 0,
 * if not too much has been said already.
 */
void t2_source_complain(struct t2_source *source, const struct t2_line *line, const char *what);

void t2_source_get_stats(const struct t2_source *source, struct t2_source_stats *stats);

/* Whether the last line came behind what an excerpt leaves out. */
bool t2_source_has_gap(const struct t2_source *source);

/* Say how many complaints were not printed, and free everything. NULL is fine. */
void t2_source_close(struct t2_source *source);

#endif
