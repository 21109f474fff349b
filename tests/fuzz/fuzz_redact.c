/* SPDX-License-Identifier: MIT */
/*
 * A command line, its arguments separated by NULs: no secret behind a known name
 * gets through, whatever stands before it; nothing is found in what has already
 * been replaced; and looking ahead in a copy shows what will come.
 */
#include "formatters/redact.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define SECRET "s3cr3t"
#define LONGEST 4096

struct text {
	const char *bytes;
	size_t size; /* with the NUL at its end */
};
#define TEXT(str)                                                                                  \
	{                                                                                          \
		str, sizeof(str)                                                                   \
	}

/* Further arguments. */
static const struct text arguments[] = {
	TEXT("--password\0" SECRET),
	TEXT("-access-key\0" SECRET " words"),
	TEXT("--db-token=" SECRET " words"),
	TEXT("MY_SECRET_2=" SECRET),
	TEXT("http://:" SECRET "@host"),
	TEXT("-DAPI_KEY=" SECRET),
	TEXT("--env=A_TOKEN=" SECRET),
	TEXT("Authorization: Bearer " SECRET " words"),
	TEXT("-H\0X-Auth-Token: " SECRET " words"),
};

/* What may follow in a text that has neither quotes nor backslashes. */
static const struct text words[] = {
	TEXT(" --password " SECRET),
	TEXT(" --db-token='x " SECRET "' y"),
	TEXT(" \"--api-key\" \"x \\\" " SECRET "\" y"),
	TEXT(" MY_SECRET_2=" SECRET " x"),
	TEXT(" (TOKEN=\"x " SECRET "\") y"),
	TEXT(" 'TOKEN=x " SECRET "' y"),
	TEXT(" http://:" SECRET "@host"),
	TEXT(" -DAPI_KEY=" SECRET),
	TEXT(" 'Authorization: Bearer " SECRET "' y"),
	TEXT(" -H \"X-Auth-Token: " SECRET "\" y"),
};

static void assure(int is_true)
{
	if (!is_true)
		abort();
}

static void put_argument(struct t2_buf *out, struct t2_redact *redact, const char *arg)
{
	struct t2_redact copy;
	const char *piece, *ahead;
	size_t len;

	t2_redact_begin(redact, arg);
	copy = *redact;
	while ((len = t2_redact_next(redact, &piece))) {
		assure(t2_redact_next(&copy, &ahead) == len && !memcmp(ahead, piece, len));
		t2_buf_put(out, piece, len);
	}
	assure(!t2_redact_next(&copy, &ahead));
	t2_buf_put_char(out, '\0');
}

/* What is left of the @len bytes of @line, in @ret_line. Returns how many those are. */
static size_t redact_line(enum t2_event_kind kind, const char *line, size_t len, char *ret_line,
			  size_t size)
{
	struct t2_event event;
	struct t2_redact redact;
	struct t2_buf out;
	size_t at;

	t2_event_init(&event, kind);
	t2_redact_init(&redact, &event, true);
	t2_buf_init(&out, ret_line, size);
	for (at = 0; at < len; at += strlen(line + at) + 1)
		put_argument(&out, &redact, line + at);
	assure(!t2_buf_overflowed(&out));
	return out.len;
}

/*
 * git looks for the end of a user's name past blanks and quotes, so past what we
 * replace: without that, a slash may be gone that had kept it from one.
 */
static int has_long_url(const char *line, size_t len)
{
	size_t at;

	for (at = 0; at < len; at += strlen(line + at) + 1) {
		if (!strncmp(line + at, "http", 4) && strpbrk(line + at, " \t\n\"'=\\`(;&|"))
			return 1;
	}
	return 0;
}

static void check_idempotence(enum t2_event_kind kind, const char *line, size_t len)
{
	static char once[16 * LONGEST], twice[16 * LONGEST];
	size_t once_len = redact_line(kind, line, len, once, sizeof(once));
	size_t twice_len = redact_line(kind, once, once_len, twice, sizeof(twice));

	assure(once_len == twice_len && !memcmp(once, twice, once_len));
}

/* @line has room behind its @len bytes. */
static void check_secrecy(char *line, size_t len, const struct text *more)
{
	static char out[16 * LONGEST];
	size_t out_len;

	memcpy(line + len, more->bytes, more->size);
	out_len = redact_line(T2_EVENT_START, line, len + more->size, out, sizeof(out));
	assure(!memmem(out, out_len, SECRET, strlen(SECRET)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static char line[LONGEST + 100];
	const char *last;
	size_t i;

	if (!len || len > LONGEST)
		return 0;
	memcpy(line, bytes, len);
	line[len] = '\0';
	if (memmem(line, len, SECRET, strlen(SECRET)))
		return 0;
	if (!has_long_url(line, len + 1))
		check_idempotence(T2_EVENT_START, line, len + 1);
	check_idempotence(T2_EVENT_ALIAS, line, len + 1);
	last = memrchr(line, '\0', len);
	if (!strpbrk(last ? last + 1 : line, "'\"\\")) {
		for (i = 0; i < sizeof(words) / sizeof(*words); i++)
			check_secrecy(line, len, &words[i]);
	}
	line[len] = '\0';
	for (i = 0; i < sizeof(arguments) / sizeof(*arguments); i++)
		check_secrecy(line, len + 1, &arguments[i]);
	return 0;
}
