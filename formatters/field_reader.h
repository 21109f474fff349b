/* SPDX-License-Identifier: MIT */
/*
 * The value of one key of an EVENT line, read into the member of struct t2_event
 * that the table gives for it. Not linked into the shim.
 */
#ifndef T2_FORMATTERS_FIELD_READER_H
#define T2_FORMATTERS_FIELD_READER_H

#include <stdbool.h>

struct t2_event;
struct t2_field;
struct t2_json_reader;

/*
 * Read the next value of @json into the member of @event that @field describes;
 * null is an absent one. Returns false on an error, which is in @json.
 * Context: tool.
 */
bool t2_field_read(struct t2_json_reader *json, const struct t2_field *field,
		   struct t2_event *event);

/* Make the member what it is without a value. Context: tool. */
void t2_field_clear(const struct t2_field *field, struct t2_event *event);

#endif
