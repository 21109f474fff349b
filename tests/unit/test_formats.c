/* SPDX-License-Identifier: MIT */
/*
 * formatters/normal.c, perf.c and event.c: the literal line of every kind in each, and
 * what holds for all of them.
 */
#include "tests/unit/format_cases.h"

#include <locale.h>
#include <stdio.h>

/* In the order of t2_formats. */
enum { NORMAL, PERF, EVENTS };

/* What @format makes of a case; false: its own tests tell. */
static bool expect(char *line, size_t size, const struct t2_format_case *one, int format,
		   bool is_brief)
{
	const char *time = one->brief_time ? one->brief_time : "";
	const char *text = format == NORMAL ? one->normal : one->perf;
	const char *prefix = format == NORMAL ? NORMAL_PREFIX : PERF_PREFIX;

	if (format == EVENTS)
		snprintf(line, size, "%s%s%s", one->head, is_brief ? time : TIME WHERE, one->body);
	else if (text)
		snprintf(line, size, "%s%s", is_brief || !*text ? "" : prefix, text);
	return format == EVENTS || text;
}

static void assert_renders_all(void)
{
	for (int format = 0; format < T2_FORMAT_NR; format++) {
		for (size_t i = 0; i < 2 * t2_format_case_nr; i++) {
			const struct t2_format_case *one = &t2_format_cases[i / 2];
			struct t2_format_opts opts = {.is_brief = i % 2};
			char line[512];

			if (!expect(line, sizeof(line), one, format, opts.is_brief))
				continue;
			render_as(t2_formats[format], &one->event, &opts);
			cr_assert_str_eq(memory, line);
		}
	}
}

Test(formats, render_every_kind_as_git_does)
{
	assert_renders_all();
}

Test(formats, have_a_case_for_every_kind)
{
	bool has_case[T2_EVENT_NR] = {false};

	for (size_t i = 0; i < t2_format_case_nr; i++)
		has_case[t2_format_cases[i].event.kind] = true;
	for (int kind = 0; kind < T2_EVENT_NR; kind++)
		cr_assert(has_case[kind], "%s has no case", t2_event_descs[kind].name);
}

static void assert_every_size(const struct t2_event *event, const struct t2_format *format,
			      bool is_brief)
{
	struct t2_format_opts opts = {.is_brief = is_brief};
	size_t len = render_as(format, event, &opts);

	for (size_t cap = 0; cap <= len; cap++) {
		char *exact = malloc(cap);
		struct t2_buf out;

		t2_buf_init(&out, exact, cap);
		format->render(event, &opts, &out);
		cr_assert_eq(out.len, len, "counts %zu of %zu bytes with room for %zu", out.len,
			     len, cap);
		cr_assert(!cap || !memcmp(exact, memory, cap), "not a prefix with room for %zu",
			  cap);
		free(exact);
	}
}

static void assert_every_size_in_all(const struct t2_event *event)
{
	for (int format = 0; format < T2_FORMAT_NR; format++) {
		assert_every_size(event, t2_formats[format], true);
		assert_every_size(event, t2_formats[format], false);
	}
}

Test(formats, every_size_gives_a_prefix_and_the_same_length)
{
	for (size_t i = 0; i < t2_format_case_nr; i++)
		assert_every_size_in_all(&t2_format_cases[i].event);
}

Test(formats, the_locale_changes_nothing)
{
	static const char *const names[] = {"C.UTF-8", "de_DE.UTF-8", "fr_FR.ISO-8859-1",
					    "tr_TR.UTF-8", "fa_IR.UTF-8"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (setlocale(LC_ALL, names[i]))
			assert_renders_all();
	}
}

/* What a careless caller may leave out must cost at most the piece itself. */
Test(formats, nothing_but_a_kind_does_not_crash)
{
	for (int kind = 0; kind < T2_EVENT_NR; kind++) {
		struct t2_event event;

		t2_event_init(&event, (enum t2_event_kind)kind);
		assert_every_size_in_all(&event);
	}
}
