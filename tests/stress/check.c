/* SPDX-License-Identifier: MIT */
/*
 * Nothing torn, nothing lost: every line of a big event file is JSON, every
 * session has one beginning and one end, every child in it one as well, and
 * each event was told as often as the command line says.
 *
 *   check FILE EVENT=COUNT...
 *
 * Exit status 0: all is well; 1: a line for each thing that is not; 2: no file.
 */
#include <err.h>
#include <jansson.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPLAINTS_MAX 20

struct session {
	char *sid;
	size_t nr_starts;
	size_t nr_ends;		 /* atexit, exec or signal */
	unsigned char *children; /* by child_id: 1 started, 2 ended */
	size_t children_cap;
};

struct count {
	const char *event;
	size_t expected;
	size_t got;
};

struct tally {
	struct count *counts;
	size_t nr_counts;
	void *by_sid; /* tree of struct session */
	size_t nr_complaints;
};

static struct tally tally;

static void complain(const char *what, const char *text, size_t number)
{
	if (tally.nr_complaints++ < COMPLAINTS_MAX)
		printf("%s: %.120s (%zu)\n", what, text, number);
}

static int compare_sids(const void *a, const void *b)
{
	return strcmp(((const struct session *)a)->sid, ((const struct session *)b)->sid);
}

static struct session *session_of(const char *sid)
{
	struct session key = {.sid = (char *)sid};
	void *found = tfind(&key, &tally.by_sid, compare_sids);
	struct session *session;

	if (found)
		return *(struct session **)found;
	session = calloc(1, sizeof(*session));
	if (!session || !(session->sid = strdup(sid)))
		err(2, "no memory");
	tsearch(session, &tally.by_sid, compare_sids);
	return session;
}

/* A child's state goes from 0 to 1 when it starts, and to 2 when it ends. */
static void see_child(struct session *session, const json_t *line, unsigned char before)
{
	json_int_t id = json_integer_value(json_object_get(line, "child_id"));
	size_t need = (size_t)id + 1;

	if (id < 0 || id > 10000000) {
		complain("child_id", session->sid, (size_t)id);
		return;
	}
	if (need > session->children_cap) {
		session->children = realloc(session->children, 2 * need);
		if (!session->children)
			err(2, "no memory");
		memset(session->children + session->children_cap, 0,
		       2 * need - session->children_cap);
		session->children_cap = 2 * need;
	}
	if (session->children[id] != before)
		complain("child begins or ends twice, or ends before it begins", session->sid,
			 (size_t)id);
	session->children[id] = before + 1;
}

static void see_event(const json_t *line, size_t line_nr)
{
	const char *event = json_string_value(json_object_get(line, "event"));
	const char *sid = json_string_value(json_object_get(line, "sid"));
	struct session *session;

	if (!event || !sid) {
		complain("no event or sid", "line", line_nr);
		return;
	}
	for (size_t i = 0; i < tally.nr_counts; i++)
		tally.counts[i].got += !strcmp(tally.counts[i].event, event);
	session = session_of(sid);
	session->nr_starts += !strcmp(event, "start");
	session->nr_ends +=
		!strcmp(event, "atexit") || !strcmp(event, "exec") || !strcmp(event, "signal");
	if (!strcmp(event, "exec_result"))
		session->nr_ends--;
	if (!strcmp(event, "child_start"))
		see_child(session, line, 0);
	if (!strcmp(event, "child_exit"))
		see_child(session, line, 1);
}

static void see_line(const char *text, size_t len, size_t line_nr)
{
	json_error_t error;
	json_t *line = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);

	if (!line || text[len - 1] != '\n')
		complain("torn line", text, line_nr);
	else
		see_event(line, line_nr);
	json_decref(line);
}

static void check_session(const void *node, VISIT visit, int depth)
{
	const struct session *session = *(struct session *const *)node;

	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	if (session->nr_starts != 1)
		complain("starts", session->sid, session->nr_starts);
	if (session->nr_ends != 1)
		complain("ends", session->sid, session->nr_ends);
	for (size_t i = 0; i < session->children_cap; i++)
		if (session->children[i] == 1)
			complain("child without end", session->sid, i);
}

static void check_counts(void)
{
	for (size_t i = 0; i < tally.nr_counts; i++) {
		const struct count *count = &tally.counts[i];

		if (count->got != count->expected) {
			printf("%s: %zu, expected %zu\n", count->event, count->got,
			       count->expected);
			tally.nr_complaints++;
		}
	}
}

static void parse_counts(int nr, char **args)
{
	tally.counts = calloc((size_t)nr + 1, sizeof(*tally.counts));
	if (!tally.counts)
		err(2, "no memory");
	for (int i = 0; i < nr; i++) {
		char *equals = strchr(args[i], '=');

		if (!equals)
			errx(2, "not EVENT=COUNT: %s", args[i]);
		*equals = '\0';
		tally.counts[tally.nr_counts++] = (struct count){
			.event = args[i],
			.expected = strtoul(equals + 1, NULL, 10),
		};
	}
}

int main(int argc, char **argv)
{
	char *text = NULL;
	size_t cap = 0, nr_lines = 0;
	ssize_t len;
	FILE *in;

	if (argc < 2)
		errx(2, "usage: check FILE EVENT=COUNT...");
	parse_counts(argc - 2, argv + 2);
	in = fopen(argv[1], "re");
	if (!in)
		err(2, "%s", argv[1]);
	while ((len = getline(&text, &cap, in)) > 0)
		see_line(text, (size_t)len, ++nr_lines);
	free(text);
	fclose(in);
	twalk(tally.by_sid, check_session);
	check_counts();
	if (tally.nr_complaints > COMPLAINTS_MAX)
		printf("%zu complaints in all, %zu lines\n", tally.nr_complaints, nr_lines);
	return tally.nr_complaints > 0;
}
