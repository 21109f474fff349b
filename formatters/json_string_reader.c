/* SPDX-License-Identifier: MIT */
/*
 * Most bytes of a line are plain characters of strings, so those are looked at and
 * copied eight at a time.
 */
#include "formatters/json_string_reader.h"

#include "formatters/utf8.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define ALL(byte) (0x0101010101010101U * (byte))

/* Neither an end of a string nor a beginning of anything that is not copied. */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

static uint64_t load(const char *at)
{
	uint64_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return le64toh(bytes);
}

/* The upper bit of each byte that is not plain; those above the lowest one may be wrong. */
static uint64_t find_special(uint64_t bytes)
{
	uint64_t quote = bytes ^ ALL('"');
	uint64_t backslash = bytes ^ ALL('\\');

	return ((bytes - ALL(0x20)) | bytes | (quote - ALL(1)) | (backslash - ALL(1))) & ALL(0x80);
}

/* How many bytes at @at are plain, at most up to @stop. */
static size_t count_plain(const char *at, const char *stop)
{
	const char *begin = at;

	for (; stop - at >= 8; at += 8) {
		uint64_t special = find_special(load(at));

		if (special)
			return (size_t)(at - begin) + (unsigned)__builtin_ctzll(special) / 8;
	}
	while (at < stop && is_plain((unsigned char)*at))
		at++;
	return (size_t)(at - begin);
}

static bool is_ascii(const char *at, const char *stop)
{
	for (; stop - at >= 8; at += 8) {
		if (load(at) & ALL(0x80))
			return false;
	}
	while (at < stop && (unsigned char)*at < 0x80)
		at++;
	return at == stop;
}

/* --- into scratch memory -------------------------------------------------------- */

static bool append(struct t2_json_reader *reader, const char *bytes, size_t len)
{
	if (!t2_json_has_room(reader, len))
		return false;
	memcpy(reader->room, bytes, len);
	reader->room += len;
	return true;
}

static bool append_char(struct t2_json_reader *reader, char c)
{
	if (!t2_json_has_room(reader, 1))
		return false;
	*reader->room++ = c;
	return true;
}

static bool append_code(struct t2_json_reader *reader, unsigned code)
{
	if (!code || (code >= 0xd800 && code < 0xe000))
		return append(reader, T2_UTF8_REPLACEMENT, strlen(T2_UTF8_REPLACEMENT));
	if (code < 0x80)
		return append_char(reader, (char)code);
	if (code < 0x800) {
		append_char(reader, (char)(0xc0 | code >> 6));
	} else {
		if (code < 0x10000) {
			append_char(reader, (char)(0xe0 | code >> 12));
		} else {
			append_char(reader, (char)(0xf0 | code >> 18));
			append_char(reader, (char)(0x80 | (code >> 12 & 0x3f)));
		}
		append_char(reader, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	return append_char(reader, (char)(0x80 | (code & 0x3f)));
}

static int hex_value(char c)
{
	if (t2_json_is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits behind "\u". */
static bool read_code(struct t2_json_reader *reader, unsigned *ret_code)
{
	unsigned code = 0;
	int nr;

	for (nr = 0; nr < 4; nr++) {
		int value = reader->at < reader->end ? hex_value(*reader->at) : -1;

		if (value < 0)
			return t2_json_fail_here(reader, "not a hexadecimal digit");
		code = code << 4 | (unsigned)value;
		reader->at++;
	}
	*ret_code = code;
	return true;
}

/* One UTF-16 unit has been read; two of them may be one character. */
static bool read_pair(struct t2_json_reader *reader, unsigned high)
{
	const char *behind = reader->at;
	unsigned low;

	if (reader->end - behind < 2 || behind[0] != '\\' || behind[1] != 'u')
		return append_code(reader, high);
	reader->at += 2;
	if (!read_code(reader, &low))
		return false;
	if (low >= 0xdc00 && low < 0xe000)
		return append_code(reader, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
	reader->at = behind;
	return append_code(reader, high);
}

/* At a backslash. */
static bool read_escape(struct t2_json_reader *reader)
{
	static const char meanings[128] = {
		['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
		['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
	};
	unsigned char c;
	unsigned code;

	if (++reader->at == reader->end)
		return t2_json_fail_here(reader, NULL);
	c = (unsigned char)*reader->at;
	if (c == 'u') {
		reader->at++;
		if (!read_code(reader, &code))
			return false;
		if (code >= 0xd800 && code < 0xdc00)
			return read_pair(reader, code);
		return append_code(reader, code);
	}
	if (c >= sizeof(meanings) || !meanings[c])
		return t2_json_fail_here(reader, "not an escape");
	reader->at++;
	return append_char(reader, meanings[c]);
}

static bool read_sequence(struct t2_json_reader *reader)
{
	const char *at = reader->at;
	bool is_valid;
	size_t len = t2_utf8_measure(at, (size_t)(reader->end - at), &is_valid);

	reader->at += len;
	if (is_valid)
		return append(reader, at, len);
	return append(reader, T2_UTF8_REPLACEMENT, strlen(T2_UTF8_REPLACEMENT));
}

/* Copy up to the first character that is not plain. */
static void read_plain(struct t2_json_reader *reader)
{
	size_t nr_there = (size_t)(reader->end - reader->at);
	size_t nr_free = (size_t)(reader->room_end - reader->room);
	const char *stop = reader->at + (nr_there < nr_free ? nr_there : nr_free);
	const char *at = reader->at;
	char *room = reader->room;

	for (; stop - at >= 8; at += 8, room += 8) {
		uint64_t special = find_special(load(at));

		memcpy(room, at, 8);
		if (special) {
			reader->at = at + __builtin_ctzll(special) / 8;
			reader->room = room + __builtin_ctzll(special) / 8;
			return;
		}
	}
	while (at < stop && is_plain((unsigned char)*at))
		*room++ = *at++;
	reader->at = at;
	reader->room = room;
}

const char *t2_json_read_string(struct t2_json_reader *reader)
{
	const char *str = reader->room;

	if (reader->error)
		return NULL;
	if (t2_json_peek(reader) != '"') {
		t2_json_fail_type(reader, "not a string");
		return NULL;
	}
	reader->at++;
	for (;;) {
		bool is_read;

		read_plain(reader);
		if (reader->at == reader->end) {
			t2_json_fail_here(reader, NULL);
			return NULL;
		}
		if (*reader->at == '"')
			break;
		if (*reader->at == '\\')
			is_read = read_escape(reader);
		else if ((unsigned char)*reader->at >= 0x80)
			is_read = read_sequence(reader);
		else if ((unsigned char)*reader->at < 0x20)
			is_read = t2_json_fail_here(reader, "a control character in a string");
		else
			is_read = append(reader, reader->at++, 1);
		if (!is_read)
			return NULL;
	}
	reader->at++;
	return append_char(reader, '\0') ? str : NULL;
}

/* --- what is not to be understood ---------------------------------------------- */

/* Only that it is an escape matters; its meaning goes nowhere. */
static bool skip_escape(struct t2_json_reader *reader)
{
	struct t2_json_reader copy = *reader;
	char meaning[8];

	copy.room = meaning;
	copy.room_end = meaning + sizeof(meaning);
	if (!read_escape(&copy))
		t2_json_fail(reader, copy.error, copy.message);
	reader->at = copy.at;
	return !copy.error;
}

bool t2_json_skip_string(struct t2_json_reader *reader)
{
	if (!t2_json_take(reader, '"', "not a key"))
		return false;
	for (;;) {
		reader->at += count_plain(reader->at, reader->end);
		if (reader->at == reader->end || (unsigned char)*reader->at < 0x20)
			return t2_json_fail_here(reader, "a control character in a string");
		if (*reader->at == '"')
			break;
		if ((unsigned char)*reader->at >= 0x80)
			reader->at++;
		else if (!skip_escape(reader))
			return false;
	}
	reader->at++;
	return true;
}

/* --- as it is written ----------------------------------------------------------- */

const char *t2_json_keep(struct t2_json_reader *reader, const char *text, size_t len)
{
	const char *kept = reader->room;

	return append(reader, text, len) && append_char(reader, '\0') ? kept : NULL;
}

const char *t2_json_read_raw(struct t2_json_reader *reader)
{
	const char *kept = reader->room;
	struct t2_json_reader copy;

	t2_json_peek(reader);
	copy = *reader;
	if (!t2_json_skip_value(reader))
		return NULL;
	copy.end = reader->at;
	if (is_ascii(copy.at, copy.end))
		return t2_json_keep(reader, copy.at, (size_t)(copy.end - copy.at));
	while (copy.at < copy.end) {
		bool is_copied;

		if ((unsigned char)*copy.at >= 0x80)
			is_copied = read_sequence(&copy);
		else
			is_copied = append(&copy, copy.at++, 1);
		if (!is_copied) {
			t2_json_fail(reader, copy.error, copy.message);
			return NULL;
		}
	}
	reader->room = copy.room;
	return append_char(reader, '\0') ? kept : NULL;
}
