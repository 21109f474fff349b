/* SPDX-License-Identifier: MIT */
/*
 * EVENT text to lines and sessions, and questions about them.
 */
#include "tests/support/trace.h"

#include "preload/version.h"
#include "tests/support/run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* YYYYMMDDThhmmss.uuuuuuZ-Hxxxxxxxx-Pxxxxxxxx */
#define COMPONENT_LEN 43
#define PID_AT 35

static int session_of(struct t2_trace *trace, const char *sid)
{
	struct t2_session *session;
	int i;

	for (i = 0; i < trace->nr_sessions; i++)
		if (strcmp(trace->sessions[i].sid, sid) == 0)
			return i;
	session = &trace->sessions[trace->nr_sessions++];
	*session = (struct t2_session){.sid = sid, .parent = -1, .pid = -1};
	session->component = strrchr(sid, '/') ? strrchr(sid, '/') + 1 : sid;
	if (strlen(session->component) == COMPONENT_LEN && session->component[PID_AT - 1] == 'P')
		session->pid = (int)strtol(session->component + PID_AT, NULL, 16);
	return trace->nr_sessions - 1;
}

static void find_parents(struct t2_trace *trace)
{
	size_t len;
	int i;
	int j;

	for (i = 0; i < trace->nr_sessions; i++) {
		const struct t2_session *child = &trace->sessions[i];

		if (child->component == child->sid)
			continue;
		len = (size_t)(child->component - child->sid) - 1;
		for (j = 0; j < trace->nr_sessions; j++)
			if (strlen(trace->sessions[j].sid) == len &&
			    strncmp(trace->sessions[j].sid, child->sid, len) == 0)
				trace->sessions[i].parent = j;
	}
}

static void take_line(struct t2_trace *trace, const char *text, size_t len)
{
	struct t2_line *line = &trace->lines[trace->nr_lines++];
	struct t2_session *session;
	json_error_t error;

	line->json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	cr_assert(json_is_object(line->json), "%s: %.*s", error.text, (int)len, text);
	line->event = t2_line_text(line->json, "event");
	line->session = session_of(trace, t2_line_text(line->json, "sid"));
	session = &trace->sessions[line->session];
	if (strcmp(line->event, "cmd_name") == 0)
		session->name = t2_line_text(line->json, "name");
	if (strcmp(line->event, "version") == 0)
		session->is_ours = strcmp(t2_line_text(line->json, "exe"), T2_VERSION) == 0;
}

void t2_trace_parse(struct t2_trace *trace, const char *text)
{
	size_t nr = 0;
	const char *at;
	const char *end;

	for (at = text; *at; at++)
		nr += *at == '\n';
	*trace = (struct t2_trace){.lines = calloc(nr + 1, sizeof(*trace->lines)),
				   .sessions = calloc(nr + 1, sizeof(*trace->sessions))};
	for (at = text; *at; at = end + 1) {
		end = strchr(at, '\n');
		cr_assert_not_null(end, "the last line is not ended: %s", at);
		take_line(trace, at, (size_t)(end - at));
	}
	find_parents(trace);
}

void t2_trace_free(struct t2_trace *trace)
{
	size_t i;

	for (i = 0; i < trace->nr_lines; i++)
		json_decref(trace->lines[i].json);
	free(trace->lines);
	free(trace->sessions);
	*trace = (struct t2_trace){0};
}

int t2_trace_root(const struct t2_trace *trace)
{
	int root = -1;
	int i;

	for (i = 0; i < trace->nr_sessions; i++) {
		if (trace->sessions[i].parent >= 0)
			continue;
		cr_assert_eq(root, -1, "a second session without a parent: %s",
			     trace->sessions[i].sid);
		root = i;
	}
	cr_assert_neq(root, -1, "nothing was told");
	return root;
}

int t2_trace_named(const struct t2_trace *trace, const char *name)
{
	int found = -1;
	int i;

	for (i = 0; i < trace->nr_sessions; i++) {
		if (!trace->sessions[i].name || strcmp(trace->sessions[i].name, name) != 0)
			continue;
		cr_assert_eq(found, -1, "a second session is called '%s'", name);
		found = i;
	}
	cr_assert_neq(found, -1, "no session is called '%s'", name);
	return found;
}

int t2_trace_below(const struct t2_trace *trace, int parent, int pid)
{
	int i;

	for (i = 0; i < trace->nr_sessions; i++)
		if (trace->sessions[i].parent == parent && trace->sessions[i].pid == pid)
			return i;
	cr_assert_fail("no session of process %d below %s", pid, trace->sessions[parent].sid);
	return -1;
}

int t2_trace_nr_below(const struct t2_trace *trace, int parent)
{
	int nr = 0;
	int i;

	for (i = 0; i < trace->nr_sessions; i++)
		nr += trace->sessions[i].parent == parent;
	return nr;
}

static const struct t2_line *find(const struct t2_trace *trace, int session, const char *event,
				  int nth)
{
	size_t i;

	for (i = 0; i < trace->nr_lines; i++) {
		const struct t2_line *line = &trace->lines[i];

		if ((session < 0 || line->session == session) && strcmp(line->event, event) == 0 &&
		    nth-- == 0)
			return line;
	}
	return NULL;
}

int t2_trace_count(const struct t2_trace *trace, int session, const char *event)
{
	int nr = 0;

	while (find(trace, session, event, nr))
		nr++;
	return nr;
}

const json_t *t2_trace_line(const struct t2_trace *trace, int session, const char *event, int nth)
{
	const struct t2_line *line = find(trace, session, event, nth);

	cr_assert_not_null(line, "no %s number %d in %s", event, nth,
			   session < 0 ? "the stream" : trace->sessions[session].sid);
	return line->json;
}

const json_t *t2_trace_line_with(const struct t2_trace *trace, int session, const char *event,
				 const char *key, json_int_t number)
{
	const struct t2_line *line;
	int nth;

	for (nth = 0; (line = find(trace, session, event, nth)) != NULL; nth++)
		if (t2_line_number(line->json, key) == number)
			return line->json;
	return NULL;
}

char *t2_trace_kinds(const struct t2_trace *trace, int session)
{
	char *kinds = strdup("");
	char *longer;
	size_t i;

	for (i = 0; i < trace->nr_lines; i++) {
		if (trace->lines[i].session != session)
			continue;
		longer = t2_format_text("%s%s%s", kinds, *kinds ? " " : "", trace->lines[i].event);
		free(kinds);
		kinds = longer;
	}
	return kinds;
}

const char *t2_line_text(const json_t *line, const char *key)
{
	const json_t *value = json_object_get(line, key);

	cr_assert(json_is_string(value), "no text '%s' in %s", key, json_dumps(line, 0));
	return json_string_value(value);
}

json_int_t t2_line_number(const json_t *line, const char *key)
{
	const json_t *value = json_object_get(line, key);

	cr_assert(json_is_integer(value), "no number '%s' in %s", key, json_dumps(line, 0));
	return json_integer_value(value);
}

double t2_line_seconds(const json_t *line, const char *key)
{
	const json_t *value = json_object_get(line, key);

	cr_assert(json_is_real(value), "no time '%s' in %s", key, json_dumps(line, 0));
	return json_real_value(value);
}

char *t2_line_list(const json_t *line, const char *key)
{
	const json_t *list = json_object_get(line, key);
	char *text = strdup("");
	char *longer;
	size_t i;

	cr_assert(json_is_array(list), "no list '%s' in %s", key, json_dumps(line, 0));
	for (i = 0; i < json_array_size(list); i++) {
		cr_assert(json_is_string(json_array_get(list, i)));
		longer = t2_format_text("%s%s%s", text, i ? "|" : "",
					json_string_value(json_array_get(list, i)));
		free(text);
		text = longer;
	}
	return text;
}
