/* SPDX-License-Identifier: MIT */
/*
 * A growing array of pointers, and the few things all of the oracle does with
 * text. Memory is never given back: the oracle is a short-lived program.
 */
#ifndef T2_ORACLE_VEC_H
#define T2_ORACLE_VEC_H

#include <stdbool.h>
#include <stddef.h>

struct t2_vec {
	void **at;
	size_t nr;
	size_t cap;
};

/* Like malloc() of zeroed memory, but ends the program when there is none. */
void *t2_zalloc(size_t size);

/* Like realloc(), but ends the program when there is no memory. */
void *t2_regrow(void *memory, size_t size);

/* Append @item, which stays the caller's. */
void t2_vec_add(struct t2_vec *vec, const void *item);

/* Do two arrays of strings hold the same strings? */
bool t2_vec_equals(const struct t2_vec *a, const struct t2_vec *b);

/* The strings of @vec, joined by blanks, cut after @max bytes: for messages. */
const char *t2_vec_join(const struct t2_vec *vec, size_t max);

/*
 * @len bytes as they have to look in an event: every byte that is not part of
 * valid UTF-8 is replaced by U+FFFD.
 */
char *t2_text_valid_utf8(const char *bytes, size_t len);

/* Parse the number after @prefix in @text; false if @text lacks it. */
bool t2_text_number_after(const char *text, const char *prefix, long *ret_number);

/* The last component of a path. */
const char *t2_text_base(const char *path);

#endif
