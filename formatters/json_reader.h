/* SPDX-License-Identifier: MIT */
/*
 * JSON, token by token, over memory the caller owns: nothing is allocated, nothing
 * recurses, every byte is looked at a constant number of times.
 *
 * It takes what RFC 8259 describes and nothing else. Strings come out as C
 * strings in scratch memory: escapes undone, and U+FFFD for bytes that are not
 * UTF-8, for halves of surrogate pairs and for U+0000.
 *
 * After an error every further call fails. Not linked into the shim.
 */
#ifndef T2_FORMATTERS_JSON_READER_H
#define T2_FORMATTERS_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

enum t2_json_error {
	T2_JSON_NO_ERROR,
	T2_JSON_CUT,	      /* right as far as it goes */
	T2_JSON_SYNTAX,	      /* also nested too deep to be looked at */
	T2_JSON_NO_ROOM,      /* the scratch memory is used up */
	T2_JSON_WRONG_TYPE,   /* a value, but not what was asked for */
	T2_JSON_OUT_OF_RANGE, /* left to callers */
};

/* Arrays and objects within each other that can be passed over. */
#define T2_JSON_DEPTH_MAX 64

struct t2_json_reader {
	const char *begin;
	const char *at; /* at an error: where it is */
	const char *end;
	char *room; /* scratch memory that is still free */
	char *room_end;
	enum t2_json_error error;
	const char *message; /* of the error; static */
};

/*
 * Start on the @len bytes at @text, which the reader borrows, with @room_size
 * bytes at @room for strings. Three times @len is always enough for them.
 * Context: tool.
 */
void t2_json_reader_init(struct t2_json_reader *reader, const char *text, size_t len, void *room,
			 size_t room_size);

/* Note an error where the reader is, unless there is one. Returns false. Context: tool. */
bool t2_json_fail(struct t2_json_reader *reader, enum t2_json_error error, const char *message);

/* The same: the next value has the wrong type, if it is a value. Context: tool. */
bool t2_json_fail_type(struct t2_json_reader *reader, const char *message);

/*
 * Whether scratch memory has @size bytes left; an error if not.
 * Context: tool.
 */
static inline bool t2_json_has_room(struct t2_json_reader *reader, size_t size)
{
	if ((size_t)(reader->room_end - reader->room) >= size)
		return true;
	return t2_json_fail(reader, T2_JSON_NO_ROOM, "does not fit into scratch memory");
}

/* The general cases of the two below. Context: tool. */
char t2_json_peek_on(struct t2_json_reader *reader);
bool t2_json_take_on(struct t2_json_reader *reader, char c, const char *message);

/*
 * The first character of the next token, which stays the next one; NUL at the
 * end of the text.
 * Context: tool.
 */
static inline char t2_json_peek(struct t2_json_reader *reader)
{
	if (reader->at < reader->end && (unsigned char)*reader->at > ' ')
		return *reader->at;
	return t2_json_peek_on(reader);
}

/*
 * Go past the next token if it is the one character @c. Otherwise an error, with
 * @message if the text goes on.
 * Context: tool.
 */
static inline bool t2_json_take(struct t2_json_reader *reader, char c, const char *message)
{
	if (reader->error || reader->at == reader->end || *reader->at != c)
		return t2_json_take_on(reader, c, message);
	reader->at++;
	return true;
}

/* Read a string into scratch memory. Returns NULL on an error. Context: tool. */
const char *t2_json_read_string(struct t2_json_reader *reader);

/*
 * Go past a number, and set *@ret_len to the length of its text at *@ret_text,
 * in the reader's text.
 * Context: tool.
 */
bool t2_json_read_number(struct t2_json_reader *reader, const char **ret_text, size_t *ret_len);

/* Go past any value. Context: tool. */
bool t2_json_skip_value(struct t2_json_reader *reader);

/*
 * Copy any value, as it is written, to scratch memory as a C string. Returns NULL
 * on an error.
 * Context: tool.
 */
const char *t2_json_read_raw(struct t2_json_reader *reader);

/* Copy @len bytes to scratch memory as a C string; NULL on an error. Context: tool. */
const char *t2_json_keep(struct t2_json_reader *reader, const char *text, size_t len);

#endif
