/* SPDX-License-Identifier: MIT */
/*
 * Events of every kind, and what each format makes of them.
 */
#ifndef T2_TESTS_UNIT_FORMAT_CASES_H
#define T2_TESTS_UNIT_FORMAT_CASES_H

#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 2026-11-20T17:06:52.372950Z, and a bit that is cut off */
#define WALL_NS 1795194412372950999
#define US 1000 /* in nanoseconds */
#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EVENT_OF(id, thread_name, depth_of_regions, interval)                                      \
	.kind = T2_EVENT_##id, .nesting = depth_of_regions, .line = 50, .file = "common-main.c",   \
	.sid = "S", .thread = thread_name, .wall_ns = WALL_NS, .rel_ns = interval
#define EVENT(id) EVENT_OF(id, "main", 1, T2_NO_TIME)

/* What precedes the lines of normal and perf where they are not brief. */
#define NORMAL_PREFIX "17:06:52.372950 common-main.c:50                  "
#define PERF_PREFIX "17:06:52.372950 common-main.c:50             | "

/* Parts of the lines of event. */
#define HEAD(name, thread) "{\"event\":\"" name "\",\"sid\":\"S\",\"thread\":\"" thread "\""
#define TIME ",\"time\":\"2026-11-20T17:06:52.372950Z\""
#define WHERE ",\"file\":\"common-main.c\",\"line\":50"

struct t2_format_case {
	struct t2_event event;
	const char *normal; /* brief, as the next; NULL: see test_format_normal.c */
	const char *perf;
	const char *head;	/* of the line of event; behind it come time, file and line */
	const char *brief_time; /* only two kinds have one where it is brief */
	const char *body;
};

extern const struct t2_format_case t2_format_cases[];
extern const size_t t2_format_case_nr;

static char memory[256 * 1024];

static inline size_t render_as(const struct t2_format *format, const struct t2_event *event,
			       const struct t2_format_opts *opts)
{
	struct t2_buf out;

	t2_buf_init(&out, memory, sizeof(memory) - 1);
	format->render(event, opts, &out);
	cr_assert_not(t2_buf_overflowed(&out));
	memory[out.len] = 0;
	return out.len;
}

/* "argum-0000", "argum-0001", ...: @nr_args of them, 10000 at most. */
static inline const char **make_long_argv(size_t nr_args)
{
	static char args[10000][12];
	static const char *argv[10001];

	for (size_t i = 0; i < nr_args; i++) {
		snprintf(args[i], sizeof(args[i]), "argum-%04zu", i);
		argv[i] = args[i];
	}
	argv[nr_args] = NULL;
	return argv;
}

#endif
