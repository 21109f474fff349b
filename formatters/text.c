/* SPDX-License-Identifier: MIT */
/*
 * The wording is git's, byte for byte. Nothing here asks libc: what <ctype.h>
 * calls a letter and what strerror() says depend on the host's locale.
 */
#include "formatters/text.h"

#include "formatters/errno_text.h"
#include "formatters/redact.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <stdbool.h>
#include <string.h>

#define TIMER_WIDTH 8

/* What git leaves bare. ASCII only: other locales have other letters. */
static const bool is_bare[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['+'] = true,
	[','] = true,	      ['-'] = true,	    ['.'] = true,	  ['/'] = true,
	[':'] = true,	      ['='] = true,	    ['@'] = true,	  ['_'] = true,
	['^'] = true,
};

/* Both ! and ' have to stand outside the quotes; ! for the sake of csh. */
static void put_in_quotes(struct t2_buf *out, const char *piece, size_t len)
{
	const char *end = piece + len;
	const char *run = piece;

	for (; piece < end; piece++) {
		if (*piece != '\'' && *piece != '!')
			continue;
		t2_buf_put(out, run, (size_t)(piece - run));
		t2_buf_put_str(out, "'\\");
		t2_buf_put_char(out, *piece);
		t2_buf_put_char(out, '\'');
		run = piece + 1;
	}
	t2_buf_put(out, run, (size_t)(piece - run));
}

/* Looks ahead, in a copy. */
static bool needs_quotes(struct t2_redact redact)
{
	bool is_empty = true;
	const char *piece;
	size_t len;

	while ((len = t2_redact_next(&redact, &piece))) {
		is_empty = false;
		while (len--) {
			if (!is_bare[(unsigned char)piece[len]])
				return true;
		}
	}
	return is_empty;
}

static void put_argument(struct t2_buf *out, struct t2_redact *redact, const char *arg)
{
	const char *piece;
	bool is_quoted;
	size_t len;

	t2_redact_begin(redact, arg);
	is_quoted = needs_quotes(*redact);
	if (is_quoted)
		t2_buf_put_char(out, '\'');
	while ((len = t2_redact_next(redact, &piece)))
		put_in_quotes(out, piece, len);
	if (is_quoted)
		t2_buf_put_char(out, '\'');
}

void t2_text_put_quoted(struct t2_buf *out, const char *str)
{
	struct t2_redact nothing = {0};

	put_argument(out, &nothing, str);
}

void t2_text_put_argv(struct t2_buf *out, struct t2_redact *redact, const char *const *argv)
{
	const char *const *arg;

	for (arg = argv; arg && *arg; arg++) {
		if (arg != argv)
			t2_buf_put_char(out, ' ');
		put_argument(out, redact, *arg);
	}
}

void t2_text_put_last(struct t2_buf *out, const char *str)
{
	size_t len = str ? strlen(str) : 0;

	if (len)
		t2_buf_put(out, str, len - (str[len - 1] == '\n'));
}

void t2_text_put_number(struct t2_buf *out, const char *label, int64_t value)
{
	t2_buf_put_str(out, label);
	t2_buf_put_i64(out, value);
}

void t2_text_put_pair(struct t2_buf *out, const char *key, char separator, struct t2_redact *redact,
		      const char *value)
{
	const char *piece;
	size_t len;

	if (!value) {
		t2_text_put_last(out, key);
		return;
	}
	t2_buf_put_str(out, key);
	t2_buf_put_char(out, separator);
	if (!redact) {
		t2_text_put_last(out, value);
		return;
	}
	t2_redact_begin(redact, value);
	while ((len = t2_redact_next(redact, &piece)))
		t2_buf_put(out, piece, len - (piece[len - 1] == '\n' && !piece[len]));
}

void t2_text_put_cmd_name(struct t2_buf *out, const struct t2_event *event)
{
	if (!event->u.cmd_name.hierarchy) {
		t2_text_put_last(out, event->u.cmd_name.name);
		return;
	}
	t2_buf_put_str(out, event->u.cmd_name.name);
	t2_buf_put_str(out, " (");
	t2_buf_put_str(out, event->u.cmd_name.hierarchy);
	t2_buf_put_char(out, ')');
}

void t2_text_put_exec(struct t2_buf *out, struct t2_redact *redact, const struct t2_event *event)
{
	if (event->u.exec.exe) {
		t2_buf_put_str(out, event->u.exec.exe);
		t2_buf_put_char(out, ' ');
	}
	t2_text_put_argv(out, redact, event->u.exec.argv);
}

static void put_timer_seconds(struct t2_buf *out, const char *label, uint64_t ns)
{
	t2_buf_put_str(out, label);
	t2_buf_put_seconds(out, ns, TIMER_WIDTH);
}

void t2_text_put_timer(struct t2_buf *out, const struct t2_event *event)
{
	t2_text_put_number(out, " intervals:", event->u.timer.intervals);
	put_timer_seconds(out, " total:", event->u.timer.total_ns);
	put_timer_seconds(out, " min:", event->u.timer.min_ns);
	put_timer_seconds(out, " max:", event->u.timer.max_ns);
}

void t2_text_put_counter(struct t2_buf *out, const struct t2_event *event)
{
	t2_text_put_number(out, " value:", event->u.counter.count);
}

void t2_text_put_exec_result(struct t2_buf *out, const struct t2_event *event)
{
	int64_t code = event->u.exec_result.code;

	t2_text_put_number(out, " code:", code);
	if (code <= 0)
		return;
	t2_buf_put_str(out, " err:");
	t2_errno_text_put(out, code);
}
