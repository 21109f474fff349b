/* SPDX-License-Identifier: MIT */
#include "tests/support/outcome.h"

#include "tests/support/scrub.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMPONENT_LEN 43 /* YYYYMMDDThhmmss.uuuuuuZ-Hxxxxxxxx-Pxxxxxxxx */

struct text {
	char *base;
	size_t len;
	FILE *file;
};

static void begin(struct text *text)
{
	text->file = open_memstream(&text->base, &text->len);
	cr_assert_not_null(text->file);
}

static bool is_component(const char *at)
{
	static const char shape[] = "20dddddd\0dddddd.dddddd\0-";

	if (strlen(at) < COMPONENT_LEN || at[8] != 'T' || at[22] != 'Z')
		return false;
	for (size_t i = 0; i < sizeof(shape) - 1; i++) {
		if (shape[i] == 'd' ? !isdigit((unsigned char)at[i])
				    : shape[i] && at[i] != shape[i])
			return false;
	}
	return true;
}

static void put_without_sids(FILE *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		if (is_component(text)) {
			fputs("<sid>", out);
			text += COMPONENT_LEN;
		} else {
			fputc(*text++, out);
		}
	}
}

/* "long" or "brief" and the format that the first line has. */
static void put_format(FILE *out, const char *text)
{
	const char *end = strchrnul(text, '\n');
	char *line = strndup(text, (size_t)(end - text));
	bool has_clock = isdigit((unsigned char)line[0]);

	if (!*text)
		fputs("empty", out);
	else if (line[0] == '{')
		fprintf(out, "EVENT %s", strstr(line, "\"file\":") ? "long" : "brief");
	else if (strstr(line, "| version "))
		fprintf(out, "PERF %s", has_clock ? "long" : "brief");
	else if (strstr(line, "version "))
		fprintf(out, "NORMAL %s", has_clock ? "long" : "brief");
	else
		fprintf(out, "something else: %s", line);
	if (*end && strstr(text, "\n{\"event\":\"too_many_files\"") == end)
		fputs(" too_many_files", out);
	free(line);
}

/* The string that is @key's in the JSON @line; the ones we ask for have no escapes. */
static void put_member(FILE *out, const char *line, const char *key, const char *before)
{
	char *quoted = t2_format_text("\"%s\":\"", key);
	const char *at = strstr(line, quoted);

	if (at && at < strchrnul(line, '\n')) {
		at += strlen(quoted);
		fprintf(out, "%s%.*s", before, (int)strcspn(at, "\""), at);
	}
	free(quoted);
}

/* Parameters but for the directory, which only we tell. Scopes differ by version. */
static void put_params(FILE *out, const char *text)
{
	for (; text && *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL) {
		if (strncmp(text, "{\"event\":\"def_param\"", 20) != 0 ||
		    (strstr(text, "\"param\":\"cwd\"") &&
		     strstr(text, "\"param\":\"cwd\"") < strchrnul(text, '\n')))
			continue;
		fputs("param ", out);
		put_member(out, text, "param", "");
		put_member(out, text, "value", "=");
		fputc('\n', out);
	}
}

static void put_file(FILE *out, const struct t2_run *run, const char *name)
{
	char *text = t2_run_read(run, name);

	if (access(t2_run_path(run, name), F_OK) == 0) {
		put_without_sids(out, name, strlen(name));
		fputs(": ", out);
		put_format(out, text);
		fputc('\n', out);
		put_params(out, text);
	}
	free(text);
}

static void put_directory(FILE *out, const struct t2_run *run, const char *name)
{
	struct dirent **entries;
	int nr = scandir(t2_run_path(run, name), &entries, NULL, alphasort);

	for (int i = 0; i < nr; i++) {
		char *path = t2_format_text("%s/%s", name, entries[i]->d_name);

		if (entries[i]->d_name[0] != '.')
			put_file(out, run, path);
		free(path);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

/* Warnings as they are; of the rest, which is a trace, the format. */
static void put_stderr(FILE *out, const struct t2_run *run)
{
	const struct t2_scrub_place places[] = {{run->dir, "<dir>"}, {NULL, NULL}};
	char *text = t2_scrub_places(run->err, places);
	bool has_trace = false;

	for (char *line = text; *line; line += line[strcspn(line, "\n")] == '\n') {
		size_t len = strcspn(line, "\n");

		if (strncmp(line, "warning: ", 9) == 0) {
			put_without_sids(out, line, len);
			fputc('\n', out);
		} else if (!has_trace) {
			has_trace = true;
			fputs("stderr: ", out);
			put_format(out, line);
			fputc('\n', out);
		}
		line += len;
	}
	free(text);
}

char *t2_outcome(const struct t2_run *run)
{
	struct text text;

	begin(&text);
	put_file(text.file, run, "a");
	put_file(text.file, run, "b");
	put_file(text.file, run, "c");
	put_directory(text.file, run, "dir");
	put_directory(text.file, run, "cwd");
	put_stderr(text.file, run);
	fclose(text.file);
	return text.base;
}
