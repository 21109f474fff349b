/* SPDX-License-Identifier: MIT */
/*
 * What the two files of the JSON reader have of each other: json_reader.c knows tokens,
 * numbers and structure, json_string_reader.c what is in strings, and all that is copied
 * to scratch memory.
 */
#ifndef T2_FORMATTERS_JSON_STRING_READER_H
#define T2_FORMATTERS_JSON_STRING_READER_H

#include "formatters/json_reader.h"

static inline bool t2_json_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Not what should be here; if nothing is, there may have been more once. Returns false.
 * Context: tool.
 */
bool t2_json_fail_here(struct t2_json_reader *reader, const char *message);

/* Go past a string, as strictly as if it were read. Context: tool. */
bool t2_json_skip_string(struct t2_json_reader *reader);

#endif
