/* SPDX-License-Identifier: MIT */
/*
 * One line of the "event" format: whatever bytes it has, the reader stays within
 * its memory, and what it takes for an event can be written, read and written once
 * more with the same bytes.
 */
#include "formatters/event_reader.h"
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Dots for more regions than that take their time. */
#define NESTING_MAX 1000

enum { NORMAL, PERF, EVENT };

static void insist(int is_true)
{
	if (!is_true)
		abort();
}

static enum t2_event_read read_event(const void *text, size_t len, size_t room_size,
				     void **ret_room, struct t2_event *event)
{
	struct t2_event_reader reader;
	enum t2_event_read result;

	t2_event_reader_init(&reader);
	reader.room_size = room_size;
	reader.room = *ret_room = malloc(room_size);
	result = t2_event_read(&reader, text, len, event);
	insist(reader.offset <= len && reader.used <= room_size);
	insist(!reader.message == (result <= T2_EVENT_READ_UNKNOWN));
	return result;
}

/* In memory of exactly the size it takes. */
static char *render(int format, const struct t2_event *event, size_t *ret_len)
{
	struct t2_format_opts opts = {.redacts = format != EVENT, .event_nesting = INT32_MAX};
	struct t2_buf out;
	char *text;

	t2_buf_init(&out, NULL, 0);
	t2_formats[format]->render(event, &opts, &out);
	text = malloc(out.len);
	t2_buf_init(&out, text, out.len);
	t2_formats[format]->render(event, &opts, &out);
	insist(!t2_buf_overflowed(&out));
	*ret_len = out.len;
	return text;
}

static void write_and_read(const struct t2_event *event)
{
	struct t2_event again;
	size_t len, len_again;
	char *text = render(EVENT, event, &len);
	char *text_again;
	void *room;

	insist(!read_event(text, len, T2_EVENT_READER_ROOM(len), &room, &again));
	text_again = render(EVENT, &again, &len_again);
	insist(len == len_again && !memcmp(text, text_again, len));
	free(text_again);
	free(text);
	free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct t2_event event;
	enum t2_event_read result;
	size_t ignored;
	void *room;

	result = read_event(bytes, len, T2_EVENT_READER_ROOM(len), &room, &event);
	insist(result != T2_EVENT_READ_NO_ROOM);
	if (!result) {
		write_and_read(&event);
		if (event.nesting <= NESTING_MAX)
			free(render(PERF, &event, &ignored));
		free(render(NORMAL, &event, &ignored));
	}
	free(room);
	read_event(bytes, len, len / 2, &room, &event);
	free(room);
	return 0;
}
