/* SPDX-License-Identifier: MIT */
#include "formatters/field_reader.h"

#include "formatters/json_reader.h"
#include "formatters/scalar_reader.h"
#include "preload/event.h"

#include <limits.h>
#include <string.h>

static bool is_nesting(const struct t2_field *field)
{
	return field->offset == offsetof(struct t2_event, nesting);
}

/* Fails, back at @at, unless @result is good. */
static bool check_scalar(struct t2_json_reader *json, const char *at, enum t2_scalar result,
			 const char *wanted)
{
	if (result == T2_SCALAR_OK)
		return true;
	json->at = at;
	if (result == T2_SCALAR_OUT_OF_RANGE)
		return t2_json_fail(json, T2_JSON_OUT_OF_RANGE, "out of range");
	return t2_json_fail(json, T2_JSON_WRONG_TYPE, wanted);
}

static bool read_string(struct t2_json_reader *json, const char **ret_str)
{
	const char *str = t2_json_read_string(json);

	if (!str)
		return false;
	*ret_str = str;
	return true;
}

/* A string, or a number as it is written. */
static bool read_text(struct t2_json_reader *json, const char **ret_str)
{
	char c = t2_json_peek(json);
	const char *text, *kept;
	size_t len;

	if (c != '-' && !(c >= '0' && c <= '9'))
		return read_string(json, ret_str);
	if (!t2_json_read_number(json, &text, &len))
		return false;
	kept = t2_json_keep(json, text, len);
	if (!kept)
		return false;
	*ret_str = kept;
	return true;
}

static bool read_raw(struct t2_json_reader *json, const char **ret_str)
{
	const char *str = t2_json_read_raw(json);

	if (!str)
		return false;
	*ret_str = str;
	return true;
}

static bool read_number(struct t2_json_reader *json, int64_t min, int64_t max, int64_t *ret_value)
{
	const char *text;
	int64_t value = 0;
	size_t len;

	if (!t2_json_read_number(json, &text, &len))
		return false;
	if (!check_scalar(json, text, t2_scalar_to_i64(text, len, &value), "not a whole number"))
		return false;
	if (value < min || value > max)
		return check_scalar(json, text, T2_SCALAR_OUT_OF_RANGE, NULL);
	*ret_value = value;
	return true;
}

static bool read_int(struct t2_json_reader *json, int min, int *ret_value)
{
	int64_t value;

	if (!read_number(json, min, INT_MAX, &value))
		return false;
	*ret_value = (int)value;
	return true;
}

static bool read_seconds(struct t2_json_reader *json, uint64_t *ret_ns)
{
	const char *text;
	size_t len;

	return t2_json_read_number(json, &text, &len) &&
	       check_scalar(json, text, t2_scalar_to_ns(text, len, ret_ns), NULL);
}

static bool read_wall(struct t2_json_reader *json, uint64_t *ret_wall_ns)
{
	char *room = json->room;
	const char *at, *str;

	t2_json_peek(json);
	at = json->at;
	if (!read_string(json, &str))
		return false;
	json->room = room;
	return check_scalar(json, at, t2_scalar_to_wall_ns(str, ret_wall_ns), "not a time");
}

static bool read_bool(struct t2_json_reader *json, bool *ret_value)
{
	char c = t2_json_peek(json);

	if (c != 't' && c != 'f')
		return t2_json_fail_type(json, "not true or false");
	*ret_value = c == 't';
	return t2_json_skip_value(json);
}

/* --- lists -------------------------------------------------------------------- */

/*
 * Strings grow from below. How many there are shows at the end, so until then they
 * are noted from above, the last one lowest.
 */
static bool read_items(struct t2_json_reader *json, size_t *ret_nr)
{
	size_t nr = 0;

	if (t2_json_peek(json) != ']') {
		do {
			const char *str = t2_json_read_string(json);

			if (!str || !t2_json_has_room(json, sizeof(str)))
				return false;
			json->room_end -= sizeof(str);
			memcpy(json->room_end, &str, sizeof(str));
			nr++;
		} while (t2_json_peek(json) == ',' && t2_json_take(json, ',', NULL));
	}
	*ret_nr = nr;
	return t2_json_take(json, ']', "no comma");
}

static void swap_items(char *items, size_t i, size_t j)
{
	const char *one, *other;

	memcpy(&one, items + i * sizeof(one), sizeof(one));
	memcpy(&other, items + j * sizeof(one), sizeof(one));
	memcpy(items + i * sizeof(one), &other, sizeof(one));
	memcpy(items + j * sizeof(one), &one, sizeof(one));
}

/* What was noted moves behind the strings, in order and with NULL at its end. */
static bool keep_items(struct t2_json_reader *json, size_t nr, const char *const **ret_list)
{
	const char *null = NULL;
	size_t padding = -(uintptr_t)json->room % sizeof(null);
	char *list = json->room + padding;
	char *noted = json->room_end;
	size_t size = nr * sizeof(null);
	size_t i;

	for (i = 0; i < nr / 2; i++)
		swap_items(noted, i, nr - 1 - i);
	json->room_end += size;
	if (!t2_json_has_room(json, padding + size + sizeof(null)))
		return false;
	memmove(list, noted, size);
	memcpy(list + size, &null, sizeof(null));
	json->room = list + size + sizeof(null);
	*ret_list = (const char *const *)(void *)list;
	return true;
}

static bool read_list(struct t2_json_reader *json, const char *const **ret_list)
{
	size_t nr;

	if (t2_json_peek(json) != '[')
		return t2_json_fail_type(json, "not an array");
	return t2_json_take(json, '[', NULL) && read_items(json, &nr) &&
	       keep_items(json, nr, ret_list);
}

/* --- all of them ---------------------------------------------------------------- */

bool t2_field_read(struct t2_json_reader *json, const struct t2_field *field,
		   struct t2_event *event)
{
	void *at = (char *)event + field->offset;

	if (field->type != T2_FIELD_JSON && t2_json_peek(json) == 'n') {
		t2_field_clear(field, event);
		return t2_json_skip_value(json);
	}
	switch (field->type) {
	case T2_FIELD_STRING:
	case T2_FIELD_ARGUMENT:
		return read_string(json, at);
	case T2_FIELD_TEXT:
		return read_text(json, at);
	case T2_FIELD_INT:
		return read_int(json, is_nesting(field) ? 1 : INT_MIN, at);
	case T2_FIELD_NUMBER:
		if (field->offset == offsetof(struct t2_event, repo))
			return read_number(json, 0, INT64_MAX, at);
		return read_number(json, T2_NO_NUMBER + 1, INT64_MAX, at);
	case T2_FIELD_BOOL:
		return read_bool(json, at);
	case T2_FIELD_TIME:
		if (field->offset == offsetof(struct t2_event, wall_ns))
			return read_wall(json, at);
		return read_seconds(json, at);
	case T2_FIELD_LIST:
		return read_list(json, at);
	case T2_FIELD_JSON:
		return read_raw(json, at);
	}
	return false;
}

void t2_field_clear(const struct t2_field *field, struct t2_event *event)
{
	void *at = (char *)event + field->offset;

	switch (field->type) {
	case T2_FIELD_STRING:
	case T2_FIELD_ARGUMENT:
	case T2_FIELD_TEXT:
	case T2_FIELD_JSON:
		*(const char **)at = NULL;
		break;
	case T2_FIELD_LIST:
		*(const char *const **)at = NULL;
		break;
	case T2_FIELD_INT:
		*(int *)at = is_nesting(field);
		break;
	case T2_FIELD_NUMBER:
		*(int64_t *)at = T2_NO_NUMBER;
		break;
	case T2_FIELD_BOOL:
		*(bool *)at = false;
		break;
	case T2_FIELD_TIME:
		*(uint64_t *)at = T2_NO_TIME;
		break;
	}
}
