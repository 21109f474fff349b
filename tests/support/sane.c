/* SPDX-License-Identifier: MIT */
/*
 * The rules every stream obeys. Expectations do not stop at the first failure:
 * one run shows all of them.
 */
#include "tests/support/sane.h"

#include "preload/version.h"
#include "tests/support/trace.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

/* Does @text have the @shape, in which 0 is a digit, x a hex digit, @ anything? */
static bool has_shape(const char *text, const char *shape)
{
	for (; *shape; text++, shape++) {
		if (*shape == '0' && isdigit((unsigned char)*text))
			continue;
		if (*shape == 'x' && isxdigit((unsigned char)*text) &&
		    !isupper((unsigned char)*text))
			continue;
		if (*shape == '@' && *text)
			continue;
		if (*text != *shape || *shape == '0' || *shape == 'x')
			return false;
	}
	return !*text;
}

static void check_common(const struct t2_line *line)
{
	static const char *const keys[] = {"event", "sid", "thread"};
	void *iter = json_object_iter(line->json);
	const char *time = json_string_value(json_object_get(line->json, "time"));
	size_t i;

	for (i = 0; i < 3; i++, iter = json_object_iter_next(line->json, iter))
		cr_expect_str_eq(iter ? json_object_iter_key(iter) : "", keys[i], "key %zu of %s",
				 i, json_dumps(line->json, 0));
	cr_expect(!time || has_shape(time, "0000-00-00T00:00:00.000000Z"), "time %s", time);
	if (json_object_get(line->json, "t_abs"))
		cr_expect_geq(t2_line_seconds(line->json, "t_abs"), 0.0);
	if (json_object_get(line->json, "t_rel"))
		cr_expect_geq(t2_line_seconds(line->json, "t_rel"), 0.0);
}

static void check_start(const struct t2_trace *trace, int session)
{
	const struct t2_session *self = &trace->sessions[session];
	size_t i;

	cr_expect(has_shape(self->component, "00000000T000000.000000Z-Hxxxxxxxx-Pxxxxxxxx") ||
			  has_shape(self->component, "00000000T000000.000000Z-Localhost-Pxxxxxxxx"),
		  "session id %s", self->sid);
	for (i = 0; i < trace->nr_lines && trace->lines[i].session != session; i++)
		;
	cr_expect_str_eq(trace->lines[i].event, "version", "first event of %s", self->sid);
	cr_expect_eq(t2_trace_count(trace, session, "version"), 1, "versions of %s", self->sid);
	cr_expect_eq(t2_trace_count(trace, session, "start"), 1, "starts of %s", self->sid);
	cr_expect_geq(t2_trace_count(trace, session, "cmd_name"), 1, "names of %s", self->sid);
	cr_expect_str_eq(t2_line_text(t2_trace_line(trace, session, "version", 0), "evt"),
			 T2_EVENT_FORMAT);
	cr_expect(json_array_size(
			  json_object_get(t2_trace_line(trace, session, "start", 0), "argv")) > 0,
		  "argv of %s", self->sid);
}

/* What may follow the end: a child that had not been announced before. */
static bool may_follow_atexit(const char *event)
{
	return strcmp(event, "child_start") == 0 || strcmp(event, "child_ready") == 0;
}

static void check_end(const struct t2_trace *trace, int session)
{
	const char *sid = trace->sessions[session].sid;
	int nr_exits = t2_trace_count(trace, session, "exit");
	bool is_over = false;
	size_t i;

	cr_expect_leq(nr_exits, 1, "%d exits of %s", nr_exits, sid);
	cr_expect_eq(t2_trace_count(trace, session, "atexit"), nr_exits, "atexit of %s", sid);
	if (nr_exits == 1) {
		cr_expect_eq(t2_line_number(t2_trace_line(trace, session, "exit", 0), "code"),
			     t2_line_number(t2_trace_line(trace, session, "atexit", 0), "code"));
		cr_expect_geq(t2_trace_count(trace, session, "data_json"), 1, "rusage of %s", sid);
	}
	for (i = 0; i < trace->nr_lines; i++) {
		if (trace->lines[i].session != session)
			continue;
		cr_expect(!is_over || may_follow_atexit(trace->lines[i].event),
			  "%s after the end of %s", trace->lines[i].event, sid);
		is_over |= strcmp(trace->lines[i].event, "atexit") == 0;
	}
}

static void check_ids(const struct t2_trace *trace, int session, const char *event, const char *key)
{
	int nr = t2_trace_count(trace, session, event);
	int id;

	for (id = 0; id < nr; id++)
		cr_expect_not_null(t2_trace_line_with(trace, session, event, key, id),
				   "%d times %s, but no %s %d in %s", nr, event, key, id,
				   trace->sessions[session].sid);
}

static int count_with(const struct t2_trace *trace, int session, const char *event, const char *key,
		      json_int_t id)
{
	int nr = t2_trace_count(trace, session, event);
	int found = 0;
	int i;

	for (i = 0; i < nr; i++)
		found += t2_line_number(t2_trace_line(trace, session, event, i), key) == id;
	return found;
}

static void check_children(const struct t2_trace *trace, int session, bool has_strangers)
{
	int nr = t2_trace_count(trace, session, "child_start");
	int nr_ends = 0;
	int ends;
	int id;

	check_ids(trace, session, "exec", "exec_id");
	/* They take numbers, too. */
	if (has_strangers)
		return;
	check_ids(trace, session, "child_start", "child_id");
	for (id = 0; id < nr; id++) {
		ends = count_with(trace, session, "child_exit", "child_id", id) +
		       count_with(trace, session, "child_ready", "child_id", id);
		cr_expect_leq(ends, 1, "child %d of %s ends %d times", id,
			      trace->sessions[session].sid, ends);
		nr_ends += ends;
	}
	cr_expect_eq(t2_trace_count(trace, session, "child_exit") +
			     t2_trace_count(trace, session, "child_ready"),
		     nr_ends, "an end of a child that never started in %s",
		     trace->sessions[session].sid);
}

static void check_threads(const struct t2_trace *trace, int session)
{
	int nr = t2_trace_count(trace, session, "thread_start");
	int nr_exits = t2_trace_count(trace, session, "thread_exit");
	bool seen[4096] = {false};
	int i;

	cr_expect_leq(nr_exits, nr, "threads of %s", trace->sessions[session].sid);
	for (i = 0; i < nr; i++) {
		const char *name =
			t2_line_text(t2_trace_line(trace, session, "thread_start", i), "thread");
		int id = atoi(name + 2);

		cr_expect(strncmp(name, "th", 2) == 0 && isdigit((unsigned char)name[2]) &&
				  isdigit((unsigned char)name[3]) && strchr(name, ':') &&
				  strlen(name) <= 24,
			  "thread name '%s'", name);
		cr_expect(id >= 1 && id < 4096 && !seen[id % 4096], "thread id %d", id);
		seen[id % 4096] = true;
	}
}

void t2_assert_sane(const struct t2_trace *trace, bool has_strangers)
{
	size_t i;
	int session;

	for (i = 0; i < trace->nr_lines; i++)
		if (trace->sessions[trace->lines[i].session].is_ours)
			check_common(&trace->lines[i]);
	for (session = 0; session < trace->nr_sessions; session++) {
		if (!trace->sessions[session].is_ours) {
			cr_expect_geq(t2_trace_count(trace, session, "version"), 1,
				      "events of %s, which never began",
				      trace->sessions[session].sid);
			continue;
		}
		check_start(trace, session);
		check_end(trace, session);
		check_children(trace, session, has_strangers);
		check_threads(trace, session);
	}
}
