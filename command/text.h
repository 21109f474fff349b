/* SPDX-License-Identifier: MIT */
/*
 * Numbers and hostile text, as people read them.
 */
#ifndef T2_COMMAND_TEXT_H
#define T2_COMMAND_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any of the numbers below with its NUL. */
#define T2_TEXT_MAX 32

/* All of these write to @out, of T2_TEXT_MAX bytes, and return it. */

/* "0s", "12us", "1.23ms", "48.2s", "4m12.3s", "2h03m12s": three to five digits, rounded
 * half up; with a minus if negative. */
char *t2_text_duration(char *out, int64_t ns);

/* "960K", "4.0M", "2.1G", as free -h does: powers of 1024. */
char *t2_text_bytes(char *out, uint64_t kb);

/* Of parts of a million: "36%", "4.2%", "<0.1%", "0%". */
char *t2_text_percent(char *out, int64_t ppm);

/* "50,312" */
char *t2_text_count(char *out, uint64_t count);

/* Parts of a million of @part in @whole; 0 if that is 0. */
int64_t t2_text_ppm(int64_t part, int64_t whole);

/*
 * A duration as options take it: "10ms", "1.5s", "200us", "5ns", "2m", "1h"; seconds
 * without a unit. Returns false if it is none.
 */
bool t2_text_parse_duration(const char *text, int64_t *ret_ns);

/*
 * @text on one line, harmless for a terminal: what controls it, hides or turns text
 * around, and what is not UTF-8, is escaped ("\n", "\x1b", "\u202e"); all that is not
 * ASCII unless @is_unicode. At most @size bytes with a NUL; returns the length all of it has.
 */
size_t t2_text_clean(char *out, size_t size, const char *text, bool is_unicode);

/* The columns that clean text takes on a terminal. */
unsigned t2_text_columns(const char *text);

/* Clean @text in at most @columns, cut in the middle if it must be. @out as above. */
size_t t2_text_elide(char *out, size_t size, const char *text, unsigned columns, bool is_unicode);

/* The same, but @brief instead of @text if the last word of @brief were cut out of @text; @brief
 * may be empty or NULL. */
size_t t2_text_elide_or(char *out, size_t size, const char *text, const char *brief,
			unsigned columns, bool is_unicode);

/*
 * One character per value, from nothing to @max; nothing at all has a mark of its own.
 * @out has room for 3 * @nr + 1 bytes.
 */
void t2_text_sparkline(char *out, const int64_t *values, uint32_t nr, int64_t max, bool is_unicode);

/* Columns of the terminal that @fd is; $COLUMNS or 80 if it is none. */
unsigned t2_text_width(int fd);

#endif
