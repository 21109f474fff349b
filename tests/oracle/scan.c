/* SPDX-License-Identifier: MIT */
#include "scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

/* The byte an escape stands for; @at is after the backslash and is moved on. */
static char unescape(const char **at)
{
	static const char letters[] = "n\nt\tr\rv\vf\fa\ab\be\033";
	const char *letter = **at ? strchr(letters, **at) : NULL;
	int value = 0;

	if (!**at)
		return 0;
	if (**at == 'x') {
		for ((*at)++; hex_value(**at) >= 0 && value < 16; (*at)++)
			value = 16 * value + hex_value(**at);
		return (char)value;
	}
	if (**at >= '0' && **at <= '7') {
		for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++, (*at)++)
			value = 8 * value + (**at - '0');
		return (char)value;
	}
	/* Only the first of a pair is a letter; the rest stand for themselves. */
	if (letter && isalpha((unsigned char)*letter)) {
		(*at)++;
		return letter[1];
	}
	return *(*at)++;
}

char *t2_scan_string(struct t2_scan *scan, size_t *ret_len)
{
	const char *at = scan->at;
	size_t used = 0;
	char *bytes;

	if (*at != '"')
		return NULL;
	bytes = t2_zalloc(strcspn(at + 1, "\"") + 1);
	for (at++; *at && *at != '"';) {
		char byte = *at++;

		if (byte == '\\') {
			/* The room was counted up to the first quote mark. */
			if (*at == '"')
				bytes = t2_regrow(bytes, used + 2 + strcspn(at + 1, "\""));
			byte = unescape(&at);
		}
		bytes[used++] = byte;
	}
	bytes[used] = '\0';
	if (*at == '"')
		at++;
	if (!strncmp(at, "...", 3)) {
		scan->is_cut = true;
		at += 3;
	}
	scan->at = at;
	*ret_len = used;
	return bytes;
}

bool t2_scan_list(struct t2_scan *scan, void (*see)(void *arg, const char *bytes, size_t len),
		  void *arg)
{
	char *bytes;
	size_t len;

	if (*scan->at != '[')
		return false;
	scan->at++;
	while (*scan->at && *scan->at != ']') {
		bytes = t2_scan_string(scan, &len);
		if (bytes) {
			see(arg, bytes, len);
			free(bytes);
		} else {
			scan->is_cut |= !strncmp(scan->at, "...", 3);
			t2_scan_skip(scan);
		}
		if (!t2_scan_comma(scan) && *scan->at != ']')
			break;
	}
	if (*scan->at == ']')
		scan->at++;
	return true;
}

void t2_scan_skip(struct t2_scan *scan)
{
	size_t len;
	int depth = 0;

	while (*scan->at) {
		char c = *scan->at;

		if (c == '"') {
			free(t2_scan_string(scan, &len));
			continue;
		}
		if (!depth && strchr(",)]}", c))
			return;
		if (strchr("([{", c))
			depth++;
		else if (strchr(")]}", c))
			depth--;
		scan->at++;
	}
}

bool t2_scan_comma(struct t2_scan *scan)
{
	while (*scan->at == ' ')
		scan->at++;
	if (*scan->at != ',')
		return false;
	scan->at++;
	while (*scan->at == ' ')
		scan->at++;
	return true;
}

char *t2_scan_text(struct t2_scan *scan)
{
	const char *begin = scan->at;
	char *text;

	t2_scan_skip(scan);
	text = strndup(begin, (size_t)(scan->at - begin));
	return text ? text : t2_zalloc(1);
}
