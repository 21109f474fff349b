/* SPDX-License-Identifier: MIT */
#include "session.h"
#include "report.h"
#include "schema.h"

#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COMPONENT_TIME_LEN 23 /* 20261120T170652.372883Z */

struct reader {
	struct t2_sessions *sessions;
	void *by_sid; /* tree of struct t2_session */
};

static int compare_sids(const void *a, const void *b)
{
	return strcmp(((const struct t2_session *)a)->sid, ((const struct t2_session *)b)->sid);
}

static int64_t time_of_component(const char *component)
{
	struct tm tm = {0};
	const char *rest = strptime(component, "%Y%m%dT%H%M%S", &tm);

	if (!rest || *rest != '.')
		return 0;
	return (int64_t)timegm(&tm) * 1000000 + strtol(rest + 1, NULL, 10);
}

static struct t2_session *session_of(struct reader *reader, const char *sid)
{
	struct t2_session key = {.sid = sid};
	const char *slash = strrchr(sid, '/');
	const char *last = slash ? slash + 1 : sid;
	struct t2_session *session;
	void *found = tfind(&key, &reader->by_sid, compare_sids);

	if (found)
		return *(struct t2_session **)found;
	session = t2_zalloc(sizeof(*session));
	session->sid = sid;
	session->parent_sid = slash ? strndup(sid, (size_t)(slash - sid)) : "";
	session->pid = strtol(strrchr(last, 'P') + 1, NULL, 16);
	session->begin_us = time_of_component(last);
	tsearch(session, &reader->by_sid, compare_sids);
	t2_vec_add(&reader->sessions->all, session);
	return session;
}

static void see_line(struct reader *reader, const char *text, size_t len)
{
	size_t line_nr = ++reader->sessions->nr_lines;
	struct t2_told *told;
	json_error_t error;
	json_t *line;

	if (!len || text[len - 1] != '\n')
		t2_report("line %zu: is torn", line_nr);
	line = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (!json_is_object(line)) {
		t2_report("line %zu: is not JSON: %s: %.60s", line_nr, error.text, text);
		return;
	}
	if (!t2_schema_check(line, line_nr))
		return;
	told = t2_zalloc(sizeof(*told));
	told->line = line;
	told->line_nr = line_nr;
	told->event = json_string_value(json_object_get(line, "event"));
	t2_vec_add(&session_of(reader, json_string_value(json_object_get(line, "sid")))->told,
		   told);
}

static int read_file(struct reader *reader, const char *path)
{
	char *text = NULL;
	size_t cap = 0;
	ssize_t len;
	FILE *in = fopen(path, "re");

	if (!in)
		return -errno;
	while ((len = getline(&text, &cap, in)) > 0)
		see_line(reader, text, (size_t)len);
	free(text);
	fclose(in);
	return 0;
}

static int read_directory(struct reader *reader, const char *path, DIR *dir)
{
	const struct dirent *entry;
	int error = 0;

	while (!error && (entry = readdir(dir))) {
		char *file = NULL;

		if (entry->d_name[0] != '.' && asprintf(&file, "%s/%s", path, entry->d_name) > 0)
			error = read_file(reader, file);
		free(file);
	}
	closedir(dir);
	return error;
}

int t2_sessions_read(struct t2_sessions *sessions, const char *path)
{
	struct reader reader = {.sessions = sessions};
	DIR *dir = opendir(path);

	return dir ? read_directory(&reader, path, dir) : read_file(&reader, path);
}

const struct t2_told *t2_session_find(const struct t2_session *session, const char *event,
				      size_t nth)
{
	for (size_t i = 0; i < session->told.nr; i++) {
		const struct t2_told *told = session->told.at[i];

		if (!strcmp(told->event, event) && !nth--)
			return told;
	}
	return NULL;
}

size_t t2_session_count(const struct t2_session *session, const char *event)
{
	size_t nr = 0;

	for (size_t i = 0; i < session->told.nr; i++)
		nr += !strcmp(((struct t2_told *)session->told.at[i])->event, event);
	return nr;
}

long t2_told_number(const struct t2_told *told, const char *key)
{
	return (long)json_integer_value(json_object_get(told->line, key));
}

const char *t2_told_string(const struct t2_told *told, const char *key)
{
	const char *string = json_string_value(json_object_get(told->line, key));

	return string ? string : "";
}

void t2_told_list(const struct t2_told *told, const char *key, struct t2_vec *ret_list)
{
	const json_t *list = json_object_get(told->line, key);
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		t2_vec_add(ret_list, json_string_value(item));
	}
}
