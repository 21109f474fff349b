/* SPDX-License-Identifier: MIT */
/*
 * Writers put their keys in one order, so each key is first compared with the one
 * that follows the last in the table; only a surprise leads to a search.
 *
 * What the other keys mean depends on "event", and that comes first. Where it does
 * not, or comes again with something else, the line is read twice.
 */
#include "formatters/event_reader.h"

#include "formatters/field_reader.h"
#include "formatters/json_reader.h"
#include "preload/event.h"

#include <string.h>

#define FIRST "{\"event\":"

/* What all kinds have. */
static const struct t2_field common_fields[] = {
	T2_FIELD(STRING, "event", kind), /* as its name */
	T2_FIELD(STRING, "sid", sid),
	T2_FIELD(STRING, "thread", thread),
	T2_FIELD(TIME, "time", wall_ns), /* as text */
	T2_FIELD(STRING, "file", file),
	T2_FIELD(INT, "line", line),
	T2_FIELDS_END,
};

static const struct t2_field no_fields[] = {T2_FIELDS_END};

/* One line, while it is read. */
struct line {
	struct t2_json_reader json;
	struct t2_event_reader *reader;
	struct t2_event *event;
	const struct t2_field *fields; /* of the event's kind */
	enum t2_event_kind kind;
	bool is_scan; /* for nothing but "event" */
	bool has_kind;
	bool has_other_kind; /* later than the one the keys were read for */
};

/* --- kinds -------------------------------------------------------------------- */

static unsigned hash_name(const char *name, size_t len)
{
	const unsigned char *byte = (const unsigned char *)name;

	return len ? (unsigned)len * 5 + byte[0] * 3U + byte[len - 1] * 17U + byte[len / 2] : 0;
}

/* Where @name is among @kinds, or would be. */
static unsigned char *find_slot(unsigned char *kinds, size_t nr, const char *name, size_t len)
{
	size_t i = hash_name(name, len) % nr;

	while (kinds[i] && strcmp(t2_event_descs[kinds[i] - 1].name, name) != 0)
		i = (i + 1) % nr;
	return &kinds[i];
}

void t2_event_reader_init(struct t2_event_reader *reader)
{
	int kind;

	_Static_assert(T2_EVENT_NR < sizeof(reader->kinds) / 2, "too many kinds for the table");
	memset(reader, 0, sizeof(*reader));
	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		const char *name = t2_event_descs[kind].name;

		*find_slot(reader->kinds, sizeof(reader->kinds), name, strlen(name)) =
			(unsigned char)(kind + 1);
	}
}

/* Everything is absent until it is read. */
static void begin_kind(struct line *line, enum t2_event_kind kind)
{
	const struct t2_field *field;

	line->fields = kind < T2_EVENT_NR ? t2_event_descs[kind].fields : no_fields;
	t2_event_init(line->event, kind);
	line->event->wall_ns = T2_NO_TIME;
	line->event->abs_ns = T2_NO_TIME;
	for (field = line->fields; field->name[0]; field++)
		t2_field_clear(field, line->event);
}

static bool read_kind(struct line *line)
{
	struct t2_event_reader *reader = line->reader;
	enum t2_event_kind kind = T2_EVENT_NR;
	unsigned slot;

	reader->name = t2_json_read_string(&line->json);
	if (!reader->name)
		return false;
	slot = *find_slot(reader->kinds, sizeof(reader->kinds), reader->name,
			  (size_t)(line->json.room - reader->name) - 1);
	if (slot)
		kind = (enum t2_event_kind)(slot - 1);
	if (line->has_kind && !line->is_scan) {
		line->has_other_kind |= kind != line->kind;
		return true;
	}
	line->has_kind = true;
	line->kind = kind;
	if (!line->is_scan)
		begin_kind(line, kind);
	return true;
}

/* --- keys --------------------------------------------------------------------- */

static bool read_member(struct line *line, const struct t2_field *field)
{
	if (field == &common_fields[0])
		return read_kind(line);
	if (line->is_scan)
		return t2_json_skip_value(&line->json);
	return t2_field_read(&line->json, field, line->event);
}

/* Past the key, if it is @name and written without escapes. */
static bool take_key(struct line *line, const char *name)
{
	const char *at = line->json.at + 1;

	while (at < line->json.end && *name && *at == *name) {
		at++;
		name++;
	}
	if (*name || at == line->json.end || *at != '"')
		return false;
	line->json.at = at + 1;
	return true;
}

static const struct t2_field *take_one_of(struct line *line, const struct t2_field *fields)
{
	while (fields->name[0] && !take_key(line, fields->name))
		fields++;
	return fields->name[0] ? fields : NULL;
}

static const struct t2_field *find_name(const struct t2_field *fields, const char *name)
{
	while (fields->name[0] && strcmp(fields->name, name) != 0)
		fields++;
	return fields->name[0] ? fields : NULL;
}

/* Past a key. Sets *@ret_field to what it stands for; NULL is nothing known. */
static bool read_key(struct line *line, const struct t2_field *hint,
		     const struct t2_field **ret_field)
{
	char *room = line->json.room;
	const char *name;

	*ret_field = hint;
	if (t2_json_peek(&line->json) != '"')
		return t2_json_take(&line->json, '"', "not a key");
	if (hint->name[0] && take_key(line, hint->name))
		return true;
	*ret_field = take_one_of(line, common_fields);
	if (!*ret_field)
		*ret_field = take_one_of(line, line->fields);
	if (*ret_field)
		return true;
	name = t2_json_read_string(&line->json);
	if (!name)
		return false;
	*ret_field = find_name(common_fields, name);
	if (!*ret_field)
		*ret_field = find_name(line->fields, name);
	line->json.room = room;
	return true;
}

static bool read_members(struct line *line)
{
	const struct t2_field *hint = common_fields;
	const struct t2_field *field;

	if (t2_json_peek(&line->json) == '}')
		return true;
	do {
		if (!read_key(line, hint, &field) ||
		    !t2_json_take(&line->json, ':', "no colon behind a key"))
			return false;
		if (!(field ? read_member(line, field) : t2_json_skip_value(&line->json)))
			return false;
		if (field)
			hint = field + 1;
		if (!hint->name[0])
			hint = line->fields;
	} while (t2_json_peek(&line->json) == ',' && t2_json_take(&line->json, ',', NULL));
	return true;
}

static bool read_object(struct line *line)
{
	if (t2_json_peek(&line->json) != '{')
		return t2_json_fail(&line->json, T2_JSON_SYNTAX, "not an object");
	if (!t2_json_take(&line->json, '{', NULL) || !read_members(line) ||
	    !t2_json_take(&line->json, '}', "no comma"))
		return false;
	t2_json_peek(&line->json);
	if (line->json.at == line->json.end)
		return true;
	return t2_json_fail(&line->json, T2_JSON_SYNTAX, "more than an object");
}

/* --- lines -------------------------------------------------------------------- */

static bool read_line(struct line *line, const char *text, size_t len, bool is_scan)
{
	struct t2_event_reader *reader = line->reader;

	t2_json_reader_init(&line->json, text, len, reader->room, reader->room_size);
	line->is_scan = is_scan;
	reader->name = NULL;
	return read_object(line);
}

/* The kind is the last "event" that there is; then everything is read for that. */
static bool scan_and_read(struct line *line, const char *text, size_t len)
{
	if (!read_line(line, text, len, true) || !line->has_kind)
		return false;
	begin_kind(line, line->kind);
	return read_line(line, text, len, false);
}

/* With another "event" further on, what was wrong may be right. */
static bool may_be_of_other_kind(const struct line *line)
{
	return line->has_other_kind || line->json.error == T2_JSON_WRONG_TYPE ||
	       line->json.error == T2_JSON_OUT_OF_RANGE;
}

static enum t2_event_read result_of(const struct line *line)
{
	switch (line->json.error) {
	case T2_JSON_CUT:
		return T2_EVENT_READ_CUT;
	case T2_JSON_SYNTAX:
		return T2_EVENT_READ_NOT_JSON;
	case T2_JSON_NO_ROOM:
		return T2_EVENT_READ_NO_ROOM;
	case T2_JSON_WRONG_TYPE:
		return T2_EVENT_READ_WRONG_TYPE;
	case T2_JSON_OUT_OF_RANGE:
		return T2_EVENT_READ_OUT_OF_RANGE;
	case T2_JSON_NO_ERROR:
		break;
	}
	if (!line->has_kind)
		return T2_EVENT_READ_NO_EVENT;
	return line->kind == T2_EVENT_NR ? T2_EVENT_READ_UNKNOWN : T2_EVENT_READ_OK;
}

static int count_slashes(const char *str)
{
	int nr = 0;

	for (; str && (str = strchr(str, '/')); str++)
		nr++;
	return nr;
}

enum t2_event_read t2_event_read(struct t2_event_reader *reader, const char *text, size_t len,
				 struct t2_event *event)
{
	bool begins_with_kind = len > strlen(FIRST) && !memcmp(text, FIRST, strlen(FIRST));
	struct line line = {.reader = reader, .event = event, .fields = no_fields};
	enum t2_event_read result;

	if (begins_with_kind)
		read_line(&line, text, len, false);
	if (!begins_with_kind || may_be_of_other_kind(&line))
		scan_and_read(&line, text, len);
	result = result_of(&line);
	reader->message = line.json.message;
	if (result == T2_EVENT_READ_NO_EVENT)
		reader->message = "no \"event\"";
	reader->offset = (size_t)(line.json.at - text);
	reader->used = (size_t)(line.json.room - (char *)reader->room);
	if (result <= T2_EVENT_READ_UNKNOWN)
		event->depth = count_slashes(event->sid);
	return result;
}
