/* SPDX-License-Identifier: MIT */
#include "formatters/json_reader.h"

#include "formatters/json_string_reader.h"

#include <stdint.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void t2_json_reader_init(struct t2_json_reader *reader, const char *text, size_t len, void *room,
			 size_t room_size)
{
	*reader = (struct t2_json_reader){
		.begin = text,
		.at = text,
		.end = text + len,
		.room = room,
		.room_end = (char *)room + room_size,
	};
}

bool t2_json_fail(struct t2_json_reader *reader, enum t2_json_error error, const char *message)
{
	if (!reader->error) {
		reader->error = error;
		reader->message = message;
	}
	return false;
}

bool t2_json_fail_here(struct t2_json_reader *reader, const char *message)
{
	if (reader->at == reader->end)
		return t2_json_fail(reader, T2_JSON_CUT, "ends too early");
	return t2_json_fail(reader, T2_JSON_SYNTAX, message);
}

bool t2_json_fail_type(struct t2_json_reader *reader, const char *message)
{
	char c = t2_json_peek(reader);

	if (c && strchr("{[\"-tfn", c))
		return t2_json_fail(reader, T2_JSON_WRONG_TYPE, message);
	if (t2_json_is_digit(c))
		return t2_json_fail(reader, T2_JSON_WRONG_TYPE, message);
	return t2_json_fail_here(reader, "not a value");
}

char t2_json_peek_on(struct t2_json_reader *reader)
{
	while (reader->at < reader->end && is_blank(*reader->at))
		reader->at++;
	return reader->at < reader->end ? *reader->at : '\0';
}

bool t2_json_take_on(struct t2_json_reader *reader, char c, const char *message)
{
	if (reader->error)
		return false;
	if (t2_json_peek(reader) != c || reader->at == reader->end)
		return t2_json_fail_here(reader, message);
	reader->at++;
	return true;
}

/* --- what is not to be understood ---------------------------------------------- */

/* At least one digit. */
static bool skip_digits(struct t2_json_reader *reader)
{
	if (reader->at == reader->end || !t2_json_is_digit(*reader->at))
		return t2_json_fail_here(reader, "not a digit");
	while (reader->at < reader->end && t2_json_is_digit(*reader->at))
		reader->at++;
	return true;
}

static bool skip_char(struct t2_json_reader *reader, char c)
{
	if (reader->at == reader->end || *reader->at != c)
		return false;
	reader->at++;
	return true;
}

bool t2_json_read_number(struct t2_json_reader *reader, const char **ret_text, size_t *ret_len)
{
	const char *text;
	char c;

	if (reader->error)
		return false;
	c = t2_json_peek(reader);
	if (c != '-' && !t2_json_is_digit(c))
		return t2_json_fail_type(reader, "not a number");
	text = reader->at;
	skip_char(reader, '-');
	if (!skip_char(reader, '0') && !skip_digits(reader))
		return false;
	if (skip_char(reader, '.') && !skip_digits(reader))
		return false;
	if (skip_char(reader, 'e') || skip_char(reader, 'E')) {
		if (!skip_char(reader, '-'))
			skip_char(reader, '+');
		if (!skip_digits(reader))
			return false;
	}
	*ret_text = text;
	*ret_len = (size_t)(reader->at - text);
	return true;
}

static bool skip_word(struct t2_json_reader *reader, const char *word)
{
	for (; *word; word++) {
		if (!skip_char(reader, *word))
			return t2_json_fail_here(reader, "not a value");
	}
	return true;
}

static bool skip_scalar(struct t2_json_reader *reader, char first)
{
	const char *text;
	size_t len;

	switch (first) {
	case '"':
		return t2_json_skip_string(reader);
	case 't':
		return skip_word(reader, "true");
	case 'f':
		return skip_word(reader, "false");
	case 'n':
		return skip_word(reader, "null");
	default:
		return t2_json_read_number(reader, &text, &len);
	}
}

static bool skip_key(struct t2_json_reader *reader)
{
	return t2_json_skip_string(reader) && t2_json_take(reader, ':', "no colon behind a key");
}

/* What is open is kept in a word, innermost lowest: 1 for an object, 0 for an array. */
bool t2_json_skip_value(struct t2_json_reader *reader)
{
	uint64_t objects = 0;
	unsigned depth = 0;

	if (reader->error)
		return false;
	do {
		char c = t2_json_peek(reader);

		if (c == '{' || c == '[') {
			if (depth++ == T2_JSON_DEPTH_MAX)
				return t2_json_fail_here(reader, "nested too deep");
			objects = objects << 1 | (c == '{');
			reader->at++;
			if (t2_json_peek(reader) != (c == '{' ? '}' : ']')) {
				if (c == '{' && !skip_key(reader))
					return false;
				continue;
			}
		} else if (!skip_scalar(reader, c)) {
			return false;
		}
		/* A value, or the beginning of an empty array or object, is behind us. */
		while (depth) {
			c = t2_json_peek(reader);
			if (c == ',') {
				reader->at++;
				if ((objects & 1) && !skip_key(reader))
					return false;
				break;
			}
			if (!t2_json_take(reader, objects & 1 ? '}' : ']', "no comma"))
				return false;
			objects >>= 1;
			depth--;
		}
	} while (depth);
	return true;
}
