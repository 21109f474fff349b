/* SPDX-License-Identifier: MIT */
/*
 * The wording is git's, byte for byte. Nothing here asks libc: what <ctype.h>
 * calls a letter and what strerror() says depend on the host's locale.
 */
#include "formatters/text.h"

#include "formatters/errno_text.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <stdbool.h>
#include <string.h>

/* What git leaves bare. ASCII only: other locales have other letters. */
static const bool is_bare[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['+'] = true,
	[','] = true,	      ['-'] = true,	    ['.'] = true,	  ['/'] = true,
	[':'] = true,	      ['='] = true,	    ['@'] = true,	  ['_'] = true,
	['^'] = true,
};

/* Both ! and ' have to stand outside the quotes; ! for the sake of csh. */
static void put_in_quotes(struct t2_buf *out, const char *str)
{
	const char *run = str;

	t2_buf_put_char(out, '\'');
	for (; *str; str++) {
		if (*str != '\'' && *str != '!')
			continue;
		t2_buf_put(out, run, (size_t)(str - run));
		t2_buf_put_str(out, "'\\");
		t2_buf_put_char(out, *str);
		t2_buf_put_char(out, '\'');
		run = str + 1;
	}
	t2_buf_put(out, run, (size_t)(str - run));
	t2_buf_put_char(out, '\'');
}

void t2_text_put_quoted(struct t2_buf *out, const char *str)
{
	const char *at;

	if (!str)
		str = "";
	for (at = str; is_bare[(unsigned char)*at]; at++)
		;
	if (*str && !*at)
		t2_buf_put(out, str, (size_t)(at - str));
	else
		put_in_quotes(out, str);
}

void t2_text_put_argv(struct t2_buf *out, const char *const *argv)
{
	const char *const *arg;

	for (arg = argv; arg && *arg; arg++) {
		if (arg != argv)
			t2_buf_put_char(out, ' ');
		t2_text_put_quoted(out, *arg);
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

void t2_text_put_pair(struct t2_buf *out, const char *key, char separator, const char *value)
{
	if (!value) {
		t2_text_put_last(out, key);
		return;
	}
	t2_buf_put_str(out, key);
	t2_buf_put_char(out, separator);
	t2_text_put_last(out, value);
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

void t2_text_put_exec(struct t2_buf *out, const struct t2_event *event)
{
	if (event->u.exec.exe) {
		t2_buf_put_str(out, event->u.exec.exe);
		t2_buf_put_char(out, ' ');
	}
	t2_text_put_argv(out, event->u.exec.argv);
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
