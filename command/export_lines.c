/* SPDX-License-Identifier: MIT */
/*
 * From EVENT lines to the other formats of git, by the shim's own formatters, one
 * line at a time.
 *
 * EVENT leaves out what PERF has. Times since the start of the session that it
 * does not tell are taken from the wall clock, less what that was at the start; so they can be
 * some microseconds off. The dots of regions are those of the regions we saw. Both
 * are remembered in tables of a fixed size, in which the newest wins.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "command/export.h"
#include "command/source.h"
#include "command/trace.h"
#include "formatters/event_reader.h"
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#define NR_SLOTS ((size_t)1 << 16)
#define NESTING_ALL 1000000

enum { NORMAL, PERF, EVENT };

struct slot {
	uint64_t session, thread; /* hashes */
	uint64_t origin_ns;	  /* of the session with that hash */
	int nesting;		  /* of the thread with that hash */
};

struct writer {
	FILE *out;
	const struct t2_format *format;
	struct t2_format_opts opts;
	bool is_brief;
	struct t2_event_reader reader;
	struct slot *slots;
	char *text;
	size_t size;
	int64_t offset_of; /* the quarter of an hour that opts.utc_offset_s is of */
};

/* --- what EVENT does not tell --------------------------------------------------- */

/* Time zones change at whole quarters of an hour. */
static void find_utc_offset(struct writer *writer, uint64_t wall_ns)
{
	int64_t quarter = (int64_t)(wall_ns / 1000000000 / 900);
	time_t seconds = (time_t)(wall_ns / 1000000000);
	struct tm tm;

	if (quarter == writer->offset_of)
		return;
	writer->offset_of = quarter;
	writer->opts.utc_offset_s = localtime_r(&seconds, &tm) ? (int)tm.tm_gmtoff : 0;
}

/* Read, or note, when the session began. */
static void complete_time(struct writer *writer, struct t2_event *event, uint64_t hash)
{
	struct slot *slot = &writer->slots[hash % NR_SLOTS];

	if (event->wall_ns == T2_NO_TIME)
		return;
	if (event->abs_ns != T2_NO_TIME) {
		slot->session = hash;
		slot->origin_ns = event->wall_ns - event->abs_ns;
	} else if (slot->session == hash && event->wall_ns >= slot->origin_ns) {
		event->abs_ns = event->wall_ns - slot->origin_ns;
	}
}

/* Read, or note, how many regions are open. */
static void complete_nesting(struct writer *writer, struct t2_event *event, uint64_t hash)
{
	struct slot *slot = &writer->slots[hash % NR_SLOTS];
	bool tells = t2_event_has(event->kind, offsetof(struct t2_event, nesting));
	bool ends = event->kind == T2_EVENT_ATEXIT || event->kind == T2_EVENT_THREAD_EXIT;

	if (tells) {
		slot->thread = hash;
		slot->nesting = event->nesting + (event->kind == T2_EVENT_REGION_ENTER);
	} else if (slot->thread == hash) {
		if (ends)
			slot->nesting = 1;
		event->nesting = slot->nesting;
	}
}

static void complete(struct writer *writer, struct t2_event *event)
{
	uint64_t session = XXH3_64bits(event->sid, strlen(event->sid));
	const char *thread = event->thread ? event->thread : "";

	complete_time(writer, event, session);
	complete_nesting(writer, event, XXH3_64bits_withSeed(thread, strlen(thread), session));
}

/* --- lines ---------------------------------------------------------------------- */

static bool make_room(struct writer *writer, size_t size)
{
	char *text = size > writer->size ? realloc(writer->text, size) : writer->text;

	if (!text)
		return false;
	writer->text = text;
	writer->size = size > writer->size ? size : writer->size;
	return true;
}

static bool render(struct writer *writer, const struct t2_event *event)
{
	struct t2_buf out;

	writer->opts.is_brief = writer->is_brief || event->wall_ns == T2_NO_TIME;
	if (!writer->opts.is_brief && writer->format->has_local_time)
		find_utc_offset(writer, event->wall_ns);
	t2_buf_init(&out, writer->text, writer->size);
	writer->format->render(event, &writer->opts, &out);
	if (t2_buf_overflowed(&out)) {
		if (!make_room(writer, out.len))
			return false;
		t2_buf_init(&out, writer->text, writer->size);
		writer->format->render(event, &writer->opts, &out);
	}
	fwrite(writer->text, 1, out.len, writer->out);
	return true;
}

/* Returns false without memory. */
static bool take_line(struct writer *writer, struct t2_source *source, const struct t2_line *line)
{
	enum t2_event_read result;
	struct t2_event event;

	if (!t2_reader_has_room(&writer->reader, line->len))
		return false;
	result = t2_event_read(&writer->reader, line->text, line->len, &event);
	if (result == T2_EVENT_READ_OK && event.sid && *event.sid) {
		if (writer->format == t2_formats[PERF])
			complete(writer, &event);
		return render(writer, &event);
	}
	if (result == T2_EVENT_READ_UNKNOWN) {
		/* Only EVENT has a form for what we do not know. */
		if (writer->format != t2_formats[EVENT])
			return true;
		fwrite(line->text, 1, line->len, writer->out);
		putc('\n', writer->out);
		return true;
	}
	if (result != T2_EVENT_READ_CUT || !line->has_no_end)
		t2_source_complain(source, line,
				   result ? writer->reader.message : "the event is of no session");
	return true;
}

static bool export(struct t2_source *source, const struct t2_export_opts *opts, int format)
{
	struct writer writer = {
		.out = opts->out,
		.format = t2_formats[format],
		.opts = {.event_nesting = NESTING_ALL, .redacts = !opts->keeps_secrets},
		.is_brief = opts->is_brief,
		.offset_of = -1,
	};
	struct t2_line line;
	bool is_fine;

	t2_event_reader_init(&writer.reader);
	writer.slots = calloc(NR_SLOTS, sizeof(*writer.slots));
	is_fine = writer.slots && make_room(&writer, BUFSIZ);
	while (is_fine && !ferror(opts->out) && t2_source_next(source, &line))
		is_fine = take_line(&writer, source, &line);
	free(writer.reader.room);
	free(writer.slots);
	free(writer.text);
	return is_fine;
}

bool t2_export_normal(struct t2_source *source, const struct t2_export_opts *opts)
{
	return export(source, opts, NORMAL);
}

bool t2_export_perf(struct t2_source *source, const struct t2_export_opts *opts)
{
	return export(source, opts, PERF);
}

bool t2_export_event(struct t2_source *source, const struct t2_export_opts *opts)
{
	return export(source, opts, EVENT);
}
