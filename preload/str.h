/* SPDX-License-Identifier: MIT */
/*
 * Questions about strings that libc answers with a locale, a table or not at
 * all. Context of all: any.
 */
#ifndef T2_PRELOAD_STR_H
#define T2_PRELOAD_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What follows the last slash; the whole string without one. */
const char *t2_str_base_name(const char *path);

bool t2_str_starts_with(const char *str, const char *prefix);

/*
 * Whether @str, up to its end, matches @glob, @glob_len bytes of literal text
 * with '*' and '?'.
 */
bool t2_str_matches(const char *str, const char *glob, size_t glob_len);

/* Whether @str matches one of the globs in @list, separated by commas. */
bool t2_str_matches_any(const char *str, const char *list);

/*
 * git's boolean: true/yes/on, false/no/off, or an integer with an optional
 * k, m or g. Returns 1 or 0, or -1 for anything else.
 */
int t2_str_to_bool(const char *str);

#endif
