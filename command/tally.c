/* SPDX-License-Identifier: MIT */
#include "command/tally.h"

#include <stdlib.h>
#include <string.h>

#include "command/key.h"
#include "command/text.h"
#include "command/trace.h"
#include "preload/event.h"

/* A line that is longer tells nothing that is counted here. */
#define TEXT_MAX (1 << 20)

#define NAME_WIDTH 24

/* FNV-1a of who the parent is and which of its children. */
static uint64_t key_of(const char *sid, int64_t child_id)
{
	uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)child_id;

	for (; sid && *sid; sid++)
		hash = (hash ^ (unsigned char)*sid) * 0x100000001b3u;
	return hash ? hash : 1;
}

static void forget(struct t2_tally *tally, uint64_t key)
{
	struct t2_tally_name *names = tally->names;

	for (size_t i = 0; i < T2_TALLY_NAMES; i++) {
		if (names[i].key != key)
			continue;
		memmove(&names[i], &names[i + 1], (T2_TALLY_NAMES - 1 - i) * sizeof(*names));
		names[T2_TALLY_NAMES - 1].key = 0;
		return;
	}
}

/* Its arguments one behind the other, as the names of processes are made from. */
static size_t flatten(const char *const *argv, char *out, size_t size, uint32_t *ret_argc)
{
	size_t used = 0;

	*ret_argc = 0;
	for (; argv && *argv; argv++, (*ret_argc)++) {
		size_t len = strlen(*argv) + 1;

		if (len > size - used)
			break;
		memcpy(out + used, *argv, len);
		used += len;
	}
	return used;
}

static void remember(struct t2_tally *tally, const struct t2_event *event)
{
	struct t2_tally_name *newest = tally->names;
	struct t2_process process = {.pid = -1};
	char flat[4096], name[256];

	memmove(newest + 1, newest, (T2_TALLY_NAMES - 1) * sizeof(*newest));
	flatten(event->u.child_start.argv, flat, sizeof(flat), &process.argc);
	process.argv = process.argc ? flat : NULL;
	t2_key_source(&process, name, sizeof(name));
	newest->key = key_of(event->sid, event->u.child_start.child_id);
	t2_text_elide(newest->name, sizeof(newest->name), t2_key_without_directory(name),
		      NAME_WIDTH, false);
}

static void take(struct t2_tally *tally, const struct t2_event *event)
{
	switch (event->kind) {
	case T2_EVENT_CHILD_START:
		tally->nr_started++;
		remember(tally, event);
		break;
	case T2_EVENT_CHILD_EXIT:
		tally->nr_ended++;
		tally->nr_failed += event->u.child_exit.code > 0;
		forget(tally, key_of(event->sid, event->u.child_exit.child_id));
		break;
	case T2_EVENT_CHILD_READY:
		tally->nr_ended++;
		forget(tally, key_of(event->sid, event->u.child_ready.child_id));
		break;
	default:
		break;
	}
}

static void take_line(struct t2_tally *tally, const char *text, size_t len)
{
	struct t2_event event;

	/* Few kinds count; the others need not be read. */
	if (!memmem(text, len < 32 ? len : 32, "\"child_", 7))
		return;
	tally->reader.room_size = T2_EVENT_READER_ROOM(len);
	tally->reader.room = malloc(tally->reader.room_size);
	if (tally->reader.room &&
	    t2_event_read(&tally->reader, text, len, &event) == T2_EVENT_READ_OK)
		take(tally, &event);
	free(tally->reader.room);
}

/* Keep the beginning of a line for when its end comes. */
static void keep(struct t2_tally *tally, const char *bytes, size_t len)
{
	if (tally->len + len > TEXT_MAX)
		len = 0; /* it will make no sense, and be passed over */
	if (tally->len + len > tally->size) {
		char *text = realloc(tally->text, tally->len + len);

		if (!text)
			return;
		tally->text = text;
		tally->size = tally->len + len;
	}
	if (len)
		memcpy(tally->text + tally->len, bytes, len);
	tally->len += len;
}

void t2_tally_add(struct t2_tally *tally, const char *bytes, size_t len)
{
	const char *end;

	while ((end = memchr(bytes, '\n', len))) {
		size_t line_len = (size_t)(end - bytes);

		if (tally->len) {
			keep(tally, bytes, line_len);
			take_line(tally, tally->text, tally->len);
			tally->len = 0;
		} else {
			take_line(tally, bytes, line_len);
		}
		len -= line_len + 1;
		bytes = end + 1;
	}
	keep(tally, bytes, len);
}

void t2_tally_init(struct t2_tally *tally)
{
	memset(tally, 0, sizeof(*tally));
	t2_event_reader_init(&tally->reader);
}

void t2_tally_free(struct t2_tally *tally)
{
	free(tally->text);
}
