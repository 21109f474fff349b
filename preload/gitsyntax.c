/* SPDX-License-Identifier: MIT */
#include "preload/gitsyntax.h"

#include <stdbool.h>
#include <string.h>

#include "preload/buf.h"

/* The unread rest of a file. What is decoded goes over what has been read. */
struct cursor {
	char *at, *end;
	unsigned line;
	bool is_at_end; /* the newline read last is not in the file */
};

/* "name." or "name.subsection.", in the file's memory. */
struct section {
	const char *text;
	size_t len;
};

/* One character; CR LF is one, and so is the end of the file: a newline. */
static int next_char(struct cursor *in)
{
	if (in->at == in->end) {
		in->is_at_end = true;
		return '\n';
	}
	if (*in->at == '\r' && in->at + 1 < in->end && in->at[1] == '\n')
		in->at++;
	in->line += *in->at == '\n';
	return (unsigned char)*in->at++;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_letter(int c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_key_char(int c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

static char lower(int c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* The rest of [section "Subsection"] behind the first blank, @c. */
static bool parse_subsection(struct cursor *in, int c, char **out)
{
	while (is_blank(c) && c != '\n')
		c = next_char(in);
	if (c != '"')
		return false;
	*(*out)++ = '.';
	while ((c = next_char(in)) != '"') {
		if (c == '\\')
			c = next_char(in);
		if (c == '\n')
			return false;
		*(*out)++ = (char)c;
	}
	return next_char(in) == ']';
}

static bool parse_section(struct cursor *in, struct section *ret_section)
{
	char *start = in->at - 1; /* the bracket */
	char *out = start;
	int c;

	while ((c = next_char(in)) != ']') {
		if (is_blank(c)) {
			if (!parse_subsection(in, c, &out))
				return false;
			break;
		}
		if (!is_key_char(c) && c != '.')
			return false;
		*out++ = lower(c);
	}
	if (out == start)
		return false;
	*out++ = '.';
	*ret_section = (struct section){start, (size_t)(out - start)};
	return true;
}

static bool unescape(int *c)
{
	switch (*c) {
	case 't':
		*c = '\t';
		return true;
	case 'b':
		*c = '\b';
		return true;
	case 'n':
		*c = '\n';
		return true;
	default:
		return *c == '\\' || *c == '"';
	}
}

/*
 * What follows the "=", up to the end of the line. Blanks at either end are
 * left out, those between stay as they are (git before 2.45 made them spaces).
 */
static char *parse_value(struct cursor *in)
{
	char *start = in->at, *out = start, *end = start;
	bool is_quoted = false, is_comment = false;

	for (;;) {
		int c = next_char(in);

		if (c == '\n' && is_quoted)
			return NULL;
		if (c == '\n')
			break;
		if (is_comment)
			continue;
		if (is_blank(c) && !is_quoted) {
			if (out > start)
				*out++ = (char)c;
			continue;
		}
		if (!is_quoted && (c == ';' || c == '#')) {
			is_comment = true;
			continue;
		}
		if (c == '"') {
			is_quoted = !is_quoted;
		} else if (c != '\\') {
			*out++ = (char)c;
		} else if ((c = next_char(in)) != '\n') {
			if (!unescape(&c))
				return NULL;
			*out++ = (char)c;
		}
		end = out;
	}
	*end = '\0';
	return start;
}

static void deliver(const struct t2_gitsyntax *to, const struct section *section, const char *name,
		    size_t name_len, const char *value)
{
	struct t2_buf key;

	t2_buf_init(&key, to->key, to->key_size);
	t2_buf_put(&key, section->text, section->len);
	t2_buf_put(&key, name, name_len);
	t2_buf_put_char(&key, '\0');
	if (!t2_buf_overflowed(&key))
		to->take(to->arg, to->key, value);
}

/* A line "name = value" or "name"; its first letter has been read. */
static bool parse_entry(const struct t2_gitsyntax *to, struct cursor *in,
			const struct section *section)
{
	char *name = in->at - 1;
	char *out = name;
	char *value = NULL;
	int c = (unsigned char)*name;

	do {
		*out++ = lower(c);
		c = next_char(in);
	} while (is_key_char(c));
	while (c == ' ' || c == '\t')
		c = next_char(in);
	if (c != '\n') {
		value = c == '=' ? parse_value(in) : NULL;
		if (!value)
			return false;
	}
	deliver(to, section, name, (size_t)(out - name), value);
	return true;
}

static void skip_comment(struct cursor *in)
{
	while (next_char(in) != '\n')
		;
}

unsigned t2_gitsyntax_parse(const struct t2_gitsyntax *to, char *text, size_t len)
{
	struct cursor in = {.at = text, .end = text + len, .line = 1};
	struct section section = {"", 0};

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		in.at += 3;
	for (;;) {
		unsigned line = in.line;
		int c = next_char(&in);
		bool is_good = true;

		if (in.is_at_end)
			return 0;
		if (c == '#' || c == ';')
			skip_comment(&in);
		else if (c == '[')
			is_good = parse_section(&in, &section);
		else if (is_letter(c))
			is_good = parse_entry(to, &in, &section);
		else
			is_good = is_blank(c);
		if (!is_good)
			return line;
	}
}
