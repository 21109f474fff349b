/* SPDX-License-Identifier: MIT */
#include "command/print.h"

#include "command/text.h"
#include "formatters/json.h"
#include "preload/buf.h"

#include <stdlib.h>
#include <string.h>

const char *t2_style(bool is_coloured, enum t2_style style)
{
	static const char *const codes[] = {"\033[0m", "\033[1m", "\033[31m", "\033[2m"};

	return is_coloured ? codes[style] : "";
}

/* How much of @text, which is longer than @room, is in a line. */
static size_t break_at(const char *text, size_t room)
{
	size_t len = room;

	while (len > room / 2 && text[len] != ' ')
		len--;
	if (text[len] == ' ') {
		while (len && text[len - 1] == ' ')
			len--;
		return len;
	}
	for (len = room; len > 1 && ((unsigned char)text[len] & 0xc0) == 0x80;)
		len--;
	return len;
}

void t2_print_wrapped(FILE *out, unsigned width, const char *first, const char *indent,
		      const char *text)
{
	size_t taken = strlen(first);

	fputs(first, out);
	while (strlen(text) > (width > taken ? width - taken : 1)) {
		size_t len = break_at(text, width > taken ? width - taken : 1);

		fprintf(out, "%.*s\n%s", (int)len, text, indent);
		text += len;
		text += strspn(text, " ");
		taken = strlen(indent);
	}
	fprintf(out, "%s\n", text);
}

void t2_print_json(FILE *out, const char *text)
{
	size_t max = strlen(text) * 6 + 3; /* each byte as \u00xx, and quotes */
	struct t2_buf buf;
	char *room = malloc(max);

	if (!room)
		return;
	t2_buf_init(&buf, room, max);
	t2_json_put_string(&buf, text);
	fwrite(room, 1, buf.len, out);
	free(room);
}

void t2_print_csv(FILE *out, const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_md_code(FILE *out, const char *text, bool is_cell)
{
	size_t len = strlen(text), fence = 1, run = 0;
	const char *pad;

	if (!len)
		return;
	for (const char *at = text; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		if (run >= fence)
			fence = run + 1;
	}
	/* One blank on both sides is not shown. */
	pad = strchr("` ", text[0]) || strchr("` ", text[len - 1]) ? " " : "";
	for (size_t i = 0; i < fence; i++)
		fputc('`', out);
	fputs(pad, out);
	for (const char *at = text; *at; at++)
		fprintf(out, "%s%c", is_cell && *at == '|' ? "\\" : "", *at);
	fputs(pad, out);
	for (size_t i = 0; i < fence; i++)
		fputc('`', out);
}

static void print_md(FILE *out, const char *text, bool is_cell)
{
	size_t size = t2_text_clean(NULL, 0, text, true) + 1;
	char *clean = malloc(size);

	if (!clean)
		return;
	t2_text_clean(clean, size, text, true);
	put_md_code(out, clean, is_cell);
	free(clean);
}

void t2_print_md(FILE *out, const char *text)
{
	print_md(out, text, true);
}

void t2_print_md_line(FILE *out, const char *text)
{
	print_md(out, text, false);
}
