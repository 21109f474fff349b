/* SPDX-License-Identifier: MIT */
/*
 * The "event" format: one JSON object per line, for machines.
 *
 *   {"event":"exit","sid":"...","thread":"main",...,"t_abs":0.001234,"code":3}
 *
 * It knows the keys all kinds have in common. The rest is the descriptor table,
 * so a new kind or key needs no change here.
 */
#include "preload/event.h"
#include "formatters/format.h"
#include "formatters/json.h"
#include "formatters/redact.h"
#include "preload/buf.h"
#include "preload/civil.h"

/* git's, of regions that lie in each other. */
#define DEFAULT_NESTING 2

static void put_key(struct t2_buf *out, const struct t2_field *field)
{
	t2_buf_put_str(out, ",\"");
	t2_buf_put(out, field->name, field->name_len);
	t2_buf_put_str(out, "\":");
}

static void put_time(struct t2_buf *out, uint64_t wall_ns)
{
	t2_buf_put_str(out, ",\"time\":");
	t2_buf_put_char(out, '"');
	t2_civil_put_iso(out, wall_ns);
	t2_buf_put_char(out, '"');
}

/* The brief form keeps the two times that tell how long a process lived. */
static bool shows_time(const struct t2_event *event, const struct t2_format_opts *opts)
{
	if (event->wall_ns == T2_NO_TIME)
		return false;
	return !opts->is_brief || event->kind == T2_EVENT_VERSION || event->kind == T2_EVENT_ATEXIT;
}

static bool shows_file(const struct t2_event *event, const struct t2_format_opts *opts)
{
	return !opts->is_brief && event->file && *event->file;
}

/* What the events of a batch have in common: session, thread, time and file. */
static void put_origin(struct t2_buf *out, const struct t2_event *event,
		       const struct t2_format_opts *opts)
{
	t2_json_put_string(out, event->sid);
	t2_buf_put_str(out, ",\"thread\":");
	t2_json_put_string(out, event->thread);
	if (shows_time(event, opts))
		put_time(out, event->wall_ns);
	if (shows_file(event, opts)) {
		t2_buf_put_str(out, ",\"file\":");
		t2_json_put_string(out, event->file);
		t2_buf_put_str(out, ",\"line\":");
	}
}

/* Whether @out holds the very origin of @event already. */
static bool is_repeated(const struct t2_buf *out, const struct t2_event *event,
			const struct t2_repeat *repeat)
{
	return repeat->len && repeat->at + repeat->len <= out->cap && repeat->sid == event->sid &&
	       repeat->thread == event->thread && repeat->file == event->file &&
	       repeat->wall_ns == event->wall_ns;
}

static void repeat_origin(struct t2_buf *out, const struct t2_event *event,
			  const struct t2_format_opts *opts)
{
	struct t2_repeat *repeat = event->repeat;
	size_t at = out->len;

	if (is_repeated(out, event, repeat)) {
		t2_buf_put(out, out->base + repeat->at, repeat->len);
		return;
	}
	put_origin(out, event, opts);
	*repeat = (struct t2_repeat){.sid = event->sid,
				     .thread = event->thread,
				     .file = event->file,
				     .wall_ns = event->wall_ns,
				     .at = at,
				     .len = out->len - at};
}

static void put_common(struct t2_buf *out, const struct t2_event *event,
		       const struct t2_format_opts *opts)
{
	const struct t2_event_desc *desc = &t2_event_descs[event->kind];

	t2_buf_put_str(out, "{\"event\":\"");
	t2_buf_put(out, desc->name, desc->name_len);
	t2_buf_put_str(out, "\",\"sid\":");
	/* The brief form shows the time of some kinds only. */
	if (event->repeat && !opts->is_brief)
		repeat_origin(out, event, opts);
	else
		put_origin(out, event, opts);
	if (shows_file(event, opts))
		t2_buf_put_i64(out, event->line);
}

/* Whether @at, a member of an event, holds something. */
static bool is_present(enum t2_field_type type, const void *at)
{
	switch (type) {
	case T2_FIELD_STRING:
	case T2_FIELD_TEXT:
	case T2_FIELD_ARGUMENT:
	case T2_FIELD_JSON:
		return *(const char *const *)at;
	case T2_FIELD_NUMBER:
		return *(const int64_t *)at != T2_NO_NUMBER;
	case T2_FIELD_TIME:
		return *(const uint64_t *)at != T2_NO_TIME;
	case T2_FIELD_INT:
	case T2_FIELD_BOOL:
	case T2_FIELD_LIST: /* readers insist on an array, if only an empty one */
		return true;
	}
	return false;
}

static void put_value(struct t2_buf *out, struct t2_redact *redact, enum t2_field_type type,
		      const void *at)
{
	switch (type) {
	case T2_FIELD_STRING:
	case T2_FIELD_TEXT:
		t2_json_put_string(out, *(const char *const *)at);
		break;
	case T2_FIELD_ARGUMENT:
		t2_json_put_argument(out, redact, *(const char *const *)at);
		break;
	case T2_FIELD_INT:
		t2_buf_put_i64(out, *(const int *)at);
		break;
	case T2_FIELD_NUMBER:
		t2_buf_put_i64(out, *(const int64_t *)at);
		break;
	case T2_FIELD_BOOL:
		t2_buf_put_str(out, *(const bool *)at ? "true" : "false");
		break;
	case T2_FIELD_TIME:
		t2_buf_put_seconds(out, *(const uint64_t *)at, 0);
		break;
	case T2_FIELD_LIST:
		t2_json_put_list(out, redact, *(const char *const *const *)at);
		break;
	case T2_FIELD_JSON:
		t2_json_put_squeezed(out, *(const char *const *)at);
		break;
	}
}

/* What has a nesting is left out where that is too deep. */
static bool is_shown(const struct t2_event *event, const struct t2_format_opts *opts)
{
	int limit = opts->event_nesting > 0 ? opts->event_nesting : DEFAULT_NESTING;

	return event->nesting <= limit ||
	       !t2_event_has(event->kind, offsetof(struct t2_event, nesting));
}

static void render_event(const struct t2_event *event, const struct t2_format_opts *opts,
			 struct t2_buf *out)
{
	const struct t2_field *field;
	struct t2_redact redact;
	bool is_begun = false;

	if (!is_shown(event, opts))
		return;
	put_common(out, event, opts);
	for (field = t2_event_descs[event->kind].fields; field->name[0]; field++) {
		const void *at = (const char *)event + field->offset;

		if (!is_present(field->type, at))
			continue;
		put_key(out, field);
		/* Most events hold nothing that could be a secret. */
		if (!is_begun &&
		    (field->type == T2_FIELD_ARGUMENT || field->type == T2_FIELD_LIST)) {
			t2_redact_init(&redact, event, opts->redacts);
			is_begun = true;
		}
		put_value(out, &redact, field->type, at);
	}
	t2_buf_put_str(out, "}\n");
}

const struct t2_format t2_format_event = {
	.name = "event",
	.target = T2_SETTING_EVENT,
	.brief = T2_SETTING_EVENT_BRIEF,
	.render = render_event,
};
