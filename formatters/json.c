/* SPDX-License-Identifier: MIT */
/*
 * Runs of bytes that go out as they are, which is nearly all of them, are
 * appended whole; only what ends a run is looked at one byte at a time.
 */
#include "formatters/json.h"

#include "formatters/redact.h"
#include "formatters/utf8.h"
#include "preload/buf.h"
#include "preload/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static T2_RARE void put_escape(struct t2_buf *out, unsigned char c)
{
	static const char letters[0x20] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
	};

	t2_buf_put_char(out, '\\');
	if (c >= sizeof(letters)) {
		t2_buf_put_char(out, (char)c);
	} else if (letters[c]) {
		t2_buf_put_char(out, letters[c]);
	} else {
		t2_buf_put_char(out, 'u');
		t2_buf_put_hex(out, c, 4);
	}
}

/* Bytes that go out as they are. */
static const bool is_plain[256] = {
	[' ' ... '!'] = true,
	['#' ... '['] = true,
	[']' ... 0x7f] = true,
};

/*
 * Whether all of eight bytes are. The highest bit of a byte: as it is, or borrowed for
 * what lies below ' ', or for what has become 0.
 */
static inline bool are_plain(uint64_t bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	return !((bytes | (bytes - ' ' * ones) | ((bytes ^ '"' * ones) - ones) |
		  ((bytes ^ '\\' * ones) - ones)) &
		 0x80 * ones);
}

/*
 * Append @piece as it is, looking at its bytes while they are copied. False: they are
 * not all plain, or there is no room.
 */
static bool put_plain(struct t2_buf *out, const char *piece, size_t len)
{
	char *to = out->base + out->len;
	uint64_t bytes;

	if (len < sizeof(bytes) || out->len + len > out->cap)
		return false;
	for (size_t i = 0; i < len; i += sizeof(bytes)) {
		/* The last eight may be some of those before them. */
		const size_t at = i + sizeof(bytes) <= len ? i : len - sizeof(bytes);

		memcpy(&bytes, piece + at, sizeof(bytes));
		memcpy(to + at, &bytes, sizeof(bytes));
		if (!are_plain(bytes))
			return false;
	}
	out->len += len;
	return true;
}

/* The first byte that is not plain, or @end: eight at a time while there are. */
static const char *skip_plain(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t bytes;

		memcpy(&bytes, at, sizeof(bytes));
		if (!are_plain(bytes))
			break;
	}
	while (at < end && is_plain[(unsigned char)*at])
		at++;
	return at;
}

/* Pieces are whole: where one ends and a secret begins, there is an ASCII character. */
static void put_escaped(struct t2_buf *out, const char *piece, size_t piece_len)
{
	const char *end = piece + piece_len;
	const char *run = piece;
	size_t len;

	if (put_plain(out, piece, piece_len))
		return;
	for (;; piece += len) {
		bool goes_raw = false;
		unsigned char c;

		piece = skip_plain(piece, end);
		if (piece == end)
			break;
		c = (unsigned char)*piece;
		len = 1;
		if (c >= 0x80)
			len = t2_utf8_measure(piece, (size_t)(end - piece), &goes_raw);
		if (goes_raw)
			continue;
		t2_buf_put(out, run, (size_t)(piece - run));
		if (c >= 0x80)
			t2_buf_put_str(out, T2_UTF8_REPLACEMENT);
		else
			put_escape(out, c);
		run = piece + len;
	}
	t2_buf_put(out, run, (size_t)(piece - run));
}

void t2_json_put_string(struct t2_buf *out, const char *str)
{
	t2_buf_put_char(out, '"');
	if (str)
		put_escaped(out, str, strlen(str));
	t2_buf_put_char(out, '"');
}

void t2_json_put_argument(struct t2_buf *out, struct t2_redact *redact, const char *arg)
{
	const char *piece;
	size_t len;

	t2_buf_put_char(out, '"');
	t2_redact_begin(redact, arg);
	while ((len = t2_redact_next(redact, &piece)))
		put_escaped(out, piece, len);
	t2_buf_put_char(out, '"');
}

void t2_json_put_list(struct t2_buf *out, struct t2_redact *redact, const char *const *list)
{
	const char *const *item;

	t2_buf_put_char(out, '[');
	for (item = list; item && *item; item++) {
		if (item != list)
			t2_buf_put_char(out, ',');
		t2_json_put_argument(out, redact, *item);
	}
	t2_buf_put_char(out, ']');
}

void t2_json_put_squeezed(struct t2_buf *out, const char *json)
{
	const char *end = json ? json + strlen(json) : NULL;
	const char *line_end;

	for (; json < end; json = line_end) {
		line_end = memchr(json, '\n', (size_t)(end - json));
		if (!line_end)
			line_end = end;
		t2_buf_put(out, json, (size_t)(line_end - json));
		while (line_end < end && (*line_end == '\n' || *line_end == ' '))
			line_end++;
	}
}
