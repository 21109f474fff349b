/* SPDX-License-Identifier: MIT */
#include "command/lint.h"

#include "command/lint_build.h"
#include "command/source.h"
#include "command/trace.h"
#include "formatters/utf8.h"
#include "preload/event.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 512

/* clang-format off */
static const struct {
	const char *name, *rule;
} kinds[T2_LINT_NR] = {
	[T2_LINT_BROKEN] = {"broken", "a line is a JSON object with the keys of an event, of their types"},
	[T2_LINT_CUT] = {"cut", "the last line ends with a line feed, unless it is still being written"},
	[T2_LINT_KEY] = {"key", "an event has the keys that readers insist on, and argv is not empty"},
	[T2_LINT_LOST] = {"lost", "a writer that cannot write a line says so in the next one it can"},
	[T2_LINT_REPEATED] = {"repeated", "a session begins once; ids of children and execs, and names of threads, are its own"},
	[T2_LINT_UNMATCHED] = {"unmatched", "what ends has begun: child_start, exec, thread_start, region_enter"},
	[T2_LINT_ORDER] = {"order", "a session is from version to atexit, and regions lie within each other"},
	[T2_LINT_EVENT] = {"event", "the events are those of git's api-trace2, of its versions 1 to 4"},
	[T2_LINT_BRIEF] = {"brief", "an event tells its time, which GIT_TRACE2_EVENT_BRIEF leaves out"},
	[T2_LINT_UTF8] = {"utf8", "JSON is UTF-8"},
	[T2_LINT_CLOCK] = {"clock", "time and t_abs go on at the same pace"},
	[T2_LINT_NO_BEGINNING] = {"no-beginning", "a session begins with version and start"},
	[T2_LINT_NO_END] = {"no-end", "a session tells its end, or its parent that a signal killed it; a child is waited for"},
};
/* clang-format on */

const char *t2_lint_name(enum t2_lint_code code)
{
	return kinds[code].name;
}

const char *t2_lint_rule(enum t2_lint_code code)
{
	return kinds[code].rule;
}

/* --- reports ------------------------------------------------------------------ */

static void report(struct t2_lint *lint, struct t2_problem *problem, const char *format,
		   va_list args)
{
	char message[MESSAGE_MAX];

	vsnprintf(message, sizeof(message), format, args);
	problem->message = message;
	if (problem->is_error)
		lint->stats.nr_errors++;
	else
		lint->stats.nr_warnings++;
	lint->report(lint->arg, problem);
}

void t2_lint_error(struct t2_lint *lint, enum t2_lint_code code, const char *format, ...)
{
	struct t2_problem problem = {.file = lint->line->file,
				     .line = lint->line->number,
				     .code = code,
				     .is_error = true};
	va_list args;

	va_start(args, format);
	report(lint, &problem, format, args);
	va_end(args);
}

void t2_lint_warning(struct t2_lint *lint, enum t2_lint_code code, const char *format, ...)
{
	struct t2_problem problem = {
		.file = lint->line->file, .line = lint->line->number, .code = code};
	va_list args;

	va_start(args, format);
	report(lint, &problem, format, args);
	va_end(args);
}

void t2_lint_at(struct t2_lint *lint, const char *file, uint64_t line, bool is_error,
		enum t2_lint_code code, const char *format, ...)
{
	struct t2_problem problem = {
		.file = file, .line = line, .code = code, .is_error = is_error};
	va_list args;

	va_start(args, format);
	report(lint, &problem, format, args);
	va_end(args);
}

/* --- lines -------------------------------------------------------------------- */

/* The offset of the first byte that is no UTF-8, or @len. */
static size_t find_invalid(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len) {
		bool is_valid;
		size_t step;

		if ((unsigned char)text[at] < 0x80) {
			at++;
			continue;
		}
		step = t2_utf8_measure(text + at, len - at, &is_valid);
		if (!is_valid)
			return at;
		at += step;
	}
	return len;
}

static void check_text(struct t2_lint *lint)
{
	size_t at = find_invalid(lint->line->text, lint->line->len);

	if (at < lint->line->len)
		t2_lint_warning(lint, T2_LINT_UTF8,
				"byte %zu is not UTF-8; strict readers refuse the line", at + 1);
}

static bool check_event(struct t2_lint *lint, const struct t2_event *event)
{
	lint->stats.nr_events++;
	check_text(lint);
	if (!event->sid || !*event->sid) {
		t2_lint_error(lint, T2_LINT_KEY, "%s has no sid", lint->reader.name);
		return true;
	}
	if (!event->thread)
		t2_lint_error(lint, T2_LINT_KEY, "%s has no thread", lint->reader.name);
	if (event->kind == T2_EVENT_NR)
		t2_lint_warning(lint, T2_LINT_EVENT, "no such event is known: %s",
				lint->reader.name);
	else
		t2_lint_keys(lint, event);
	return t2_lint_event(lint, event);
}

bool t2_lint_line(struct t2_lint *lint, const struct t2_line *line)
{
	enum t2_event_read result;
	struct t2_event event;

	if (!t2_reader_has_room(&lint->reader, line->len))
		return false;
	if (!lint->file || strcmp(lint->file, line->file) != 0)
		lint->file = t2_strings_keep(&lint->strings, line->file, strlen(line->file));
	if (!lint->file)
		return false;
	lint->line = line;
	lint->stats.nr_lines++;
	result = t2_event_read(&lint->reader, line->text, line->len, &event);
	if (result == T2_EVENT_READ_OK || result == T2_EVENT_READ_UNKNOWN) {
		if (line->has_no_end)
			t2_lint_warning(lint, T2_LINT_CUT,
					"no line feed behind the last line; some readers drop it");
		return check_event(lint, &event);
	}
	if (result == T2_EVENT_READ_CUT && line->has_no_end)
		t2_lint_warning(lint, T2_LINT_CUT,
				"the last line is cut off: still being written?");
	else
		t2_lint_error(lint, T2_LINT_BROKEN, "%s at byte %zu", lint->reader.message,
			      lint->reader.offset + 1);
	return true;
}

/* --- life --------------------------------------------------------------------- */

struct t2_lint *t2_lint_new(void (*report_to)(void *arg, const struct t2_problem *problem),
			    void *arg)
{
	struct t2_lint *lint = calloc(1, sizeof(*lint));

	if (!lint)
		return NULL;
	lint->report = report_to;
	lint->arg = arg;
	t2_event_reader_init(&lint->reader);
	lint->reader.room = NULL;
	lint->reader.room_size = 0;
	return lint;
}

void t2_lint_get_stats(const struct t2_lint *lint, struct t2_lint_stats *stats)
{
	*stats = lint->stats;
	stats->nr_sessions = lint->nr_sessions;
}

void t2_lint_free(struct t2_lint *lint)
{
	if (!lint)
		return;
	t2_strings_free(&lint->strings);
	t2_map_free(&lint->session_ids);
	t2_map_free(&lint->item_ids);
	t2_map_free(&lint->killed);
	free(lint->reader.room);
	free(lint->sessions);
	free(lint->items);
	free(lint);
}
