/* SPDX-License-Identifier: MIT */
/*
 * Arguments without what differs from run to run:
 *
 *	below /tmp, /var/tmp, /dev/shm	the first name, but for its suffix: *
 *	tmpa1b2c3, tmp.Xy12		tmp*, wherever they are
 *	0123abcd-... and 8 and more hexadecimal digits of both kinds: #
 *	5 and more decimal digits	#: pids, times; ports and years stay
 *	the prefix of the build		@
 */
#include "command/key.h"
#include "command/trace.h"
#include "preload/buf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HEX_MIN 8
#define DECIMAL_MIN 5
#define RANDOM_MIN 4 /* characters behind "tmp" */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool begins_with(const char *text, const char *end, const char *prefix, size_t len)
{
	return (size_t)(end - text) >= len && !memcmp(text, prefix, len);
}

/* The length of a number or hash at the beginning of a word; 0 if it is none. */
static size_t measure_number(const char *at, const char *end)
{
	bool has_digit = false, has_letter = false;
	size_t len = 0, digits = 0;

	while (at + digits < end && is_digit(at[digits]))
		digits++;
	for (; at + len < end && is_hex(at[len]); len++) {
		has_digit |= is_digit(at[len]);
		has_letter |= !is_digit(at[len]);
	}
	/* A whole word of it: "deadbeefs1" is none. */
	if (len >= HEX_MIN && has_digit && has_letter && (at + len == end || !is_word(at[len])))
		return len;
	return digits >= DECIMAL_MIN ? digits : 0;
}

/* 8-4-4-4-12 hexadecimal digits. */
static size_t measure_uuid(const char *at, const char *end)
{
	static const size_t groups[] = {8, 4, 4, 4, 12};
	size_t len = 0;

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		if (i && (at + len == end || at[len++] != '-'))
			return 0;
		for (size_t n = 0; n < groups[i]; n++, len++) {
			if (at + len == end || !is_hex(at[len]))
				return 0;
		}
	}
	return len;
}

/* "tmp", and something random; words such as "tmpfile" are not. */
static size_t measure_temporary(const char *at, const char *end)
{
	bool is_random = false;
	size_t len = 3;

	if (!begins_with(at, end, "tmp", 3))
		return 0;
	len += at + len < end && at[len] == '.';
	for (size_t first = len;; len++) {
		if (at + len == end || !is_word(at[len]))
			return is_random && len - first >= RANDOM_MIN ? len : 0;
		is_random |= is_digit(at[len]) || (at[len] >= 'A' && at[len] <= 'Z');
	}
}

/* Where the temporary directories end in which everybody makes names. */
static size_t measure_directory(const char *at, const char *end)
{
	static const char *const dirs[] = {"/tmp/", "/var/tmp/", "/dev/shm/"};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		if (begins_with(at, end, dirs[i], strlen(dirs[i])))
			return strlen(dirs[i]);
	}
	return 0;
}

/* Past the name, which is kept from its last dot on if nothing is below it. */
static const char *put_star(struct t2_buf *buf, const char *at, const char *end)
{
	const char *dot = NULL, *begin = at;

	for (; at < end && *at != '/' && *at != ':' && *at != ' '; at++) {
		if (*at == '.' && at > begin)
			dot = at;
	}
	t2_buf_put_char(buf, '*');
	return dot && (at == end || *at != '/') ? dot : at;
}

static const char *put_piece(struct t2_buf *buf, const char *at, const char *end)
{
	size_t len = measure_uuid(at, end);

	if (!len)
		len = measure_number(at, end);
	if (len) {
		t2_buf_put_char(buf, '#');
		return at + len;
	}
	len = measure_temporary(at, end);
	if (len) {
		t2_buf_put_str(buf, "tmp*");
		return at + len;
	}
	t2_buf_put_char(buf, *at);
	return at + 1;
}

/* A prefix ends where a name does. */
static bool is_prefix(const char *at, const char *end, const char *prefix, size_t len)
{
	return len && begins_with(at, end, prefix, len) && (at + len == end || at[len] == '/');
}

static void put_normal(struct t2_buf *buf, const char *at, size_t len, const char *prefix,
		       size_t prefix_len)
{
	const char *begin = at, *end = at + len;

	while (at < end) {
		bool begins_word = at == begin || !is_word(at[-1]);
		bool begins_path = begins_word && *at == '/' && (at == begin || at[-1] != '.');
		size_t dir = begins_path ? measure_directory(at, end) : 0;

		/* -I/path is one, too. */
		if (*at == '/' && is_prefix(at, end, prefix, prefix_len)) {
			t2_buf_put_char(buf, '@');
			at += prefix_len;
		} else if (dir && at + dir < end) {
			t2_buf_put(buf, at, dir);
			at = put_star(buf, at + dir, end);
		} else if (begins_word || (is_digit(*at) && !is_digit(at[-1]))) {
			at = put_piece(buf, at, end);
		} else {
			t2_buf_put_char(buf, *at++);
		}
	}
}

/* The program is called by its name, wherever it is installed. */
static const char *skip_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void put_all(struct t2_buf *buf, const struct t2_process *process, const char *prefix,
		    char between)
{
	size_t prefix_len = prefix ? strlen(prefix) : 0;
	const char *arg = process->argv;

	while (prefix_len && prefix[prefix_len - 1] == '/')
		prefix_len--;
	for (uint32_t i = 0; i < process->argc; i++) {
		const char *text = i ? arg : skip_directory(arg);

		if (i)
			t2_buf_put_char(buf, between);
		put_normal(buf, text, strlen(text), prefix, prefix_len);
		arg += strlen(arg) + 1;
	}
	if (!process->argc && (process->exe || process->name))
		t2_buf_put_str(buf, skip_directory(process->exe ? process->exe : process->name));
}

size_t t2_key_normal(const struct t2_process *process, const char *prefix, char *out, size_t size)
{
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	put_all(&buf, process, prefix, ' ');
	if (!buf.len)
		t2_buf_put_char(&buf, '?');
	if (size)
		out[buf.len < size ? buf.len : size - 1] = '\0';
	return buf.len;
}

uint64_t t2_key_hash(const struct t2_process *process, const char *prefix, uint64_t seed)
{
	char small[1024], *large = NULL;
	struct t2_buf buf;
	uint64_t hash;

	t2_buf_init(&buf, small, sizeof(small));
	put_all(&buf, process, prefix, '\0');
	if (t2_buf_overflowed(&buf))
		large = malloc(buf.len);
	if (large) {
		t2_buf_init(&buf, large, buf.len);
		put_all(&buf, process, prefix, '\0');
	}
	/* Without memory its beginning has to do. */
	hash = XXH3_64bits_withSeed(buf.base, buf.len < buf.cap ? buf.len : buf.cap, seed);
	free(large);
	return hash;
}
