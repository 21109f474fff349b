/* SPDX-License-Identifier: MIT */
#include "preload/emit.h"

#include <errno.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/config.h"
#include "preload/diag.h"
#include "preload/limits.h"
#include "preload/pool.h"
#include "preload/str.h"
#include "preload/thread.h"
#include "preload/zone.h"

struct t2_stream t2_main T2_PLACE_SESSION;
_Atomic bool t2_emit_limit_is_harmless T2_PLACE_STATE;

/* By format; written by t2_emit_init(), then constant. */
static struct t2_format_opts options[T2_FORMAT_NR] T2_PLACE_STATE;

static uint64_t hex_number(const char **at)
{
	uint64_t value = 0;

	for (;; (*at)++) {
		char c = **at;

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			return value;
	}
}

/* Pin @dst to what its number was in the first process; false: nothing is said of it. */
static bool pin_as_told(struct t2_dst *dst, const char *pins)
{
	while (pins && *pins) {
		bool is_it = *pins++ - '0' == dst->fd;
		uint64_t dev, ino;

		pins += *pins == ':';
		dev = hex_number(&pins);
		pins += *pins == ':';
		ino = hex_number(&pins);
		if (is_it) {
			t2_dst_pin(dst, (dev_t)dev, (ino_t)ino);
			return true;
		}
		while (*pins && *pins++ != ',')
			;
	}
	return false;
}

/*
 * A number means a file only in the process that was given it. Further down the
 * tree it may be the host's: a compiler's stderr, kept in a file to be looked at.
 * So the first process tells the others what it was.
 */
static T2_RARE void pin_numbers(struct t2_stream *stream)
{
	const char *told = t2_config_value(&t2_config, T2_SETTING_PINS);
	char pins[T2_FORMAT_NR * 40];
	struct t2_buf out;

	t2_buf_init(&out, pins, sizeof(pins) - 1);
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		struct t2_dst *dst = &stream->dst[i];

		if (dst->kind != T2_DST_FD || pin_as_told(dst, told))
			continue;
		if (t2_dst_identify(dst))
			dst->kind = T2_DST_OFF;
		if (out.len)
			t2_buf_put_char(&out, ',');
		t2_buf_put_u64(&out, (uint64_t)dst->fd);
		t2_buf_put_char(&out, ':');
		t2_buf_put_hex(&out, (uint64_t)dst->dev, 16);
		t2_buf_put_char(&out, ':');
		t2_buf_put_hex(&out, (uint64_t)dst->ino, 16);
	}
	pins[out.len] = '\0';
	if (out.len && !told)
		t2_config_set(&t2_config, T2_SETTING_PINS, pins);
}

/* What a format is told of the settings. */
static void set_options(struct t2_format_opts *opts, const struct t2_format *format, bool is_on,
			const char *tz)
{
	const char *brief = t2_config_value(&t2_config, format->brief);
	const char *redact = t2_config_value(&t2_config, T2_SETTING_REDACT);
	int nesting = t2_config_number(&t2_config, T2_SETTING_EVENT_NESTING);

	opts->is_brief = brief && t2_str_to_bool(brief) == 1;
	opts->event_nesting = nesting > 0 ? nesting : 0;
	/* Empty but set means no; what makes no sense lets nothing out. */
	opts->redacts = !redact || (*redact && t2_str_to_bool(redact));
	if (format->has_local_time && is_on && !opts->is_brief)
		opts->utc_offset_s =
			t2_zone_offset(tz, (int64_t)(t2_clock_now().wall_ns / 1000000000));
}

int t2_emit_init(struct t2_stream *stream, const char *tz)
{
	int nr = 0;

	t2_dst_begin_process(t2_config.is_first);
	/* Destinations first: what cannot be used does not count. */
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		t2_dst_init(&stream->dst[i], t2_config_value(&t2_config, t2_formats[i]->target));
		stream->dst[i].max_files = t2_config_number(&t2_config, T2_SETTING_MAX_FILES);
	}
	if (t2_emit_numbered(stream))
		pin_numbers(stream);
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		bool is_on = stream->dst[i].kind != T2_DST_OFF;

		set_options(&options[i], t2_formats[i], is_on, tz);
		nr += is_on;
	}
	return nr;
}

void t2_emit_inherit(struct t2_stream *stream, const struct t2_stream *parent, bool closes)
{
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		stream->dst[i] = parent->dst[i];
		t2_dst_renew(&stream->dst[i], closes);
	}
}

void t2_emit_fork(void)
{
	t2_main.session.is_foreign = true;
	t2_dst_begin_process(false);
}

void t2_emit_note_thread(void)
{
	atomic_store(&t2_dst_has_threads, true);
}

void t2_emit_shut(void)
{
	t2_dst_shut_gate();
}

void t2_emit_reopen(void)
{
	t2_dst_open_gate();
}

bool t2_emit_hold(void)
{
	return t2_dst_hold();
}

void t2_emit_let_go(void)
{
	t2_dst_let_go();
}

static void stamp(const struct t2_stream *stream, const char *thread_name, struct t2_event *events,
		  size_t nr, struct t2_repeat *repeat)
{
	const struct t2_session *session = &stream->session;
	struct t2_moment now = t2_clock_now();

	for (size_t i = 0; i < nr; i++) {
		struct t2_event *event = &events[i];
		uint64_t mono_ns = event->wall_ns ? event->abs_ns : now.mono_ns;

		if (!event->wall_ns)
			event->wall_ns = now.wall_ns;
		event->abs_ns = t2_clock_between(session->start.mono_ns, mono_ns);
		event->sid = t2_session_sid(session);
		event->depth = session->depth;
		event->thread = thread_name;
		event->repeat = repeat;
		event->nesting = 1 + t2_thread_self()->nr_regions;
	}
}

/*
 * What was dropped, told in the next batch that gets through: as data, or as
 * free text where data are not shown.
 */
static T2_RARE void render_losses(const struct t2_event *like, unsigned nr_lost, int i,
				  struct t2_buf *out)
{
	struct t2_event event;
	size_t before = out->len;
	char text[32];
	struct t2_buf value;

	t2_buf_init(&value, text, sizeof(text));
	t2_buf_put_str(&value, "{\"lines\":");
	t2_buf_put_u64(&value, nr_lost);
	t2_buf_put(&value, "}", 2);
	t2_event_init(&event, T2_EVENT_DATA_JSON);
	event.file = __FILE__;
	event.line = __LINE__;
	event.sid = like->sid;
	event.depth = like->depth;
	event.thread = like->thread;
	event.wall_ns = like->wall_ns;
	event.abs_ns = like->abs_ns;
	event.rel_ns = like->abs_ns;
	event.u.data_json.category = "t2shim";
	event.u.data_json.key = "lost";
	event.u.data_json.value = text;
	t2_formats[i]->render(&event, &options[i], out);
	if (out->len > before)
		return;
	t2_buf_init(&value, text, sizeof(text));
	t2_buf_put_str(&value, "lost lines:");
	t2_buf_put_u64(&value, nr_lost);
	t2_buf_put_char(&value, '\0');
	event.kind = T2_EVENT_PRINTF;
	event.u.printf.msg = text;
	t2_formats[i]->render(&event, &options[i], out);
}

/* What one target is told at once. */
struct batch {
	const struct t2_event *events;
	size_t nr;
	struct t2_repeat *repeat; /* the events' */
	unsigned nr_lost;
	bool is_in_sentinel; /* the session's file is */
	atomic_uint *told;   /* see t2_emit_once(), or NULL */
	unsigned flags;
};

/* The session's file is the sentinel, which says so. */
static T2_RARE void render_too_many(const struct t2_event *version, int i, struct t2_buf *out)
{
	struct t2_event event = *version;

	event.kind = T2_EVENT_TOO_MANY_FILES;
	t2_formats[i]->render(&event, &options[i], out);
}

/* The lines of event @e, after those that the batch begins with. */
static void render(const struct batch *batch, size_t e, int i, struct t2_buf *out)
{
	const struct t2_event *event = &batch->events[e];

	if (!e && batch->nr_lost)
		render_losses(event, batch->nr_lost, i, out);
	t2_formats[i]->render(event, &options[i], out);
	if (batch->is_in_sentinel && event->kind == T2_EVENT_VERSION)
		render_too_many(event, i, out);
}

/* Move the first @len bytes into a block with room for what did not fit, and for more. */
static T2_RARE bool grow(struct t2_block *block, struct t2_buf *text, size_t len, const void *owner)
{
	struct t2_block larger;

	if (t2_pool_claim(&larger, 2 * text->len, owner))
		return false;
	memcpy(larger.mem, text->base, len);
	t2_pool_release(block);
	*block = larger;
	t2_buf_init(text, block->mem, block->size);
	text->len = len;
	return true;
}

/* All lines of the batch, into @block. False: no memory. */
static bool render_all(const struct batch *batch, int i, struct t2_block *block,
		       struct t2_buf *text)
{
	const void *owner = t2_thread_self();

	if (t2_pool_claim(block, T2_BATCH_BLOCK_SIZE, owner))
		return false;
	t2_buf_init(text, block->mem, block->size);
	batch->repeat->len = 0;
	for (size_t e = 0; e < batch->nr;) {
		size_t before = text->len;

		render(batch, e, i, text);
		if (!t2_buf_overflowed(text)) {
			e++;
			continue;
		}
		/* What the next lines have in common with it may not have come along. */
		batch->repeat->len = 0;
		if (!grow(block, text, before, owner)) {
			t2_pool_release(block);
			return false;
		}
	}
	return true;
}

static unsigned count_lines(const char *text, size_t len)
{
	unsigned nr = 0;

	for (size_t i = 0; i < len; i++)
		nr += text[i] == '\n';
	return nr;
}

/*
 * What is dropped is counted by whoever will be able to tell it. Of a batch that
 * another process may tell, that is the stream's own.
 */
static T2_RARE void drop(struct t2_stream *stream, const struct batch *batch, int i,
			 unsigned nr_lines)
{
	bool is_own = !(batch->flags & T2_EMIT_BORROWED) && !stream->session.is_foreign;

	if (batch->told)
		atomic_fetch_or(batch->told, 1U << i << (is_own ? 0 : T2_TOLD_DROPPED));
	if (is_own)
		atomic_fetch_add(&stream->dst[i].nr_lost, nr_lines);
}

/*
 * How many lines did not arrive. The first of all tells of @nr_told that were lost
 * earlier.
 */
static T2_RARE unsigned nr_dropped(const struct t2_dst_batch *lines, unsigned nr_told)
{
	unsigned nr = count_lines(lines->text + lines->taken, lines->len - lines->taken);

	return nr_told && !lines->taken ? nr + nr_told - 1 : nr;
}

static void write_batch(struct t2_stream *stream, const struct batch *batch,
			const struct t2_buf *text, int i)
{
	struct t2_dst *dst = &stream->dst[i];
	struct t2_dst_batch lines = {
		.leaf = t2_session_leaf(&stream->session),
		.text = text->base,
		.len = text->len,
		.told = batch->told,
		.told_bit = 1U << i,
	};
	int ret;

	if (!t2_emit_limit_is_harmless)
		lines.mode |= T2_DST_GUARD_LIMIT;
	if (batch->flags & T2_EMIT_BORROWED)
		lines.mode |= T2_DST_BORROWED | T2_DST_GUARD_LIMIT;
	ret = t2_dst_write(dst, &lines);
	if (ret == -EAGAIN)
		drop(stream, batch, i, nr_dropped(&lines, batch->nr_lost));
	else if (ret && !(batch->flags & T2_EMIT_BORROWED))
		t2_diag_target(stream, i);
}

/* Whether target @i is on, once its directory has been looked at. */
static bool prepare(struct t2_stream *stream, int i, unsigned flags)
{
	struct t2_dst *dst = &stream->dst[i];

	if (dst->kind == T2_DST_OFF)
		return false;
	if (flags & T2_EMIT_BORROWED)
		return true;
	t2_dst_prepare(dst, t2_thread_self());
	if (dst->kind == T2_DST_OFF)
		t2_diag_target(stream, i);
	return dst->kind != T2_DST_OFF;
}

/* There is no memory for its lines; how many would there be? */
static T2_RARE void drop_unseen(struct t2_stream *stream, struct batch *batch, int i)
{
	unsigned nr = batch->nr_lost;
	struct t2_buf nothing;

	t2_buf_init(&nothing, NULL, 0);
	for (size_t e = 0; e < batch->nr; e++) {
		size_t before = nothing.len;

		batch->repeat->len = 0;
		t2_formats[i]->render(&batch->events[e], &options[i], &nothing);
		nr += nothing.len > before;
	}
	drop(stream, batch, i, nr);
}

static void emit_to(struct t2_stream *stream, struct batch *batch, int i)
{
	struct t2_block block;
	struct t2_buf text;

	if (!prepare(stream, i, batch->flags))
		return;
	/* Whoever takes the count tells it; what a child has a copy of, or borrows, is
	 * its parent's to tell. */
	batch->nr_lost = batch->flags & T2_EMIT_BORROWED || stream->session.is_foreign
				 ? 0
				 : atomic_exchange(&stream->dst[i].nr_lost, 0);
	batch->is_in_sentinel = stream->dst[i].file_suffix == T2_DST_SENTINEL;
	if (!render_all(batch, i, &block, &text)) {
		drop_unseen(stream, batch, i);
		return;
	}
	/* A kind the format does not show leaves nothing to write. */
	if (text.len)
		write_batch(stream, batch, &text, i);
	t2_pool_release(&block);
}

void t2_emit_note_lost(struct t2_stream *stream, unsigned targets)
{
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		if (targets & 1U << i)
			atomic_fetch_add(&stream->dst[i].nr_lost, 1);
	}
}

unsigned t2_emit_targets(const struct t2_stream *stream)
{
	unsigned targets = 0;

	for (int i = 0; i < T2_FORMAT_NR; i++) {
		if (stream->dst[i].kind != T2_DST_OFF)
			targets |= 1U << i;
	}
	return targets;
}

unsigned t2_emit_numbered(const struct t2_stream *stream)
{
	unsigned targets = 0;

	for (int i = 0; i < T2_FORMAT_NR; i++) {
		if (stream->dst[i].kind == T2_DST_FD)
			targets |= 1U << i;
	}
	return targets;
}

void t2_emit(struct t2_stream *stream, const char *thread_name, struct t2_event *events, size_t nr,
	     unsigned targets, unsigned flags)
{
	struct t2_repeat repeat;
	struct batch batch = {.events = events, .nr = nr, .repeat = &repeat, .flags = flags};

	if (!nr || !targets)
		return;
	stamp(stream, thread_name, events, nr, &repeat);
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		if (targets & 1U << i)
			emit_to(stream, &batch, i);
	}
}

void t2_emit_once(struct t2_stream *stream, const char *thread_name, struct t2_event *events,
		  size_t nr, atomic_uint *told, unsigned flags)
{
	struct t2_repeat repeat;
	struct batch batch = {
		.events = events, .nr = nr, .repeat = &repeat, .told = told, .flags = flags};

	stamp(stream, thread_name, events, nr, &repeat);
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		if (!(atomic_load(told) & 1U << i))
			emit_to(stream, &batch, i);
	}
}
