/* SPDX-License-Identifier: MIT */
/*
 * Runs of bytes that go out as they are, which is nearly all of them, are
 * appended whole; only what ends a run is looked at one byte at a time.
 */
#include "formatters/json.h"

#include "formatters/redact.h"
#include "preload/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/*
 * The length of the UTF-8 sequence at @at, or of the part of it that is right
 * if it is not a whole one. Stops at a NUL, which continues no sequence.
 */
static size_t measure_sequence(const unsigned char *at, bool *ret_valid)
{
	size_t nr_more = *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : 1;
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	size_t len;

	*ret_valid = false;
	if (*at < 0xc2 || *at > 0xf4)
		return 1;

	/* Overlong forms, surrogates and what is past U+10FFFF show in the second byte. */
	if (*at == 0xe0)
		low = 0xa0;
	else if (*at == 0xed)
		high = 0x9f;
	else if (*at == 0xf0)
		low = 0x90;
	else if (*at == 0xf4)
		high = 0x8f;

	for (len = 1; len <= nr_more; len++) {
		if (at[len] < low || at[len] > high)
			return len;
		low = 0x80;
		high = 0xbf;
	}
	*ret_valid = true;
	return len;
}

static void put_escape(struct t2_buf *out, unsigned char c)
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

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* No sequence goes on behind a piece: secrets stand between ASCII characters. */
static void put_escaped(struct t2_buf *out, const char *piece, size_t piece_len)
{
	const unsigned char *run = (const unsigned char *)piece;
	const unsigned char *end = run + piece_len;
	const unsigned char *at = run;
	size_t len = 1;

	for (; at < end; at += len) {
		bool goes_raw = is_plain(*at);

		len = 1;
		if (*at >= 0x80)
			len = measure_sequence(at, &goes_raw);
		if (goes_raw)
			continue;
		t2_buf_put(out, run, (size_t)(at - run));
		if (*at >= 0x80)
			t2_buf_put_str(out, REPLACEMENT);
		else
			put_escape(out, *at);
		run = at + len;
	}
	t2_buf_put(out, run, (size_t)(at - run));
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
	while (json && *json) {
		const char *run = json;

		while (*json && *json != '\n')
			json++;
		t2_buf_put(out, run, (size_t)(json - run));
		if (!*json)
			return;
		do {
			json++;
		} while (*json == ' ');
	}
}
