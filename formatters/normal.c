/* SPDX-License-Identifier: MIT */
/*
 * The "normal" format: one line per event, for people.
 *
 *   17:06:52.372950 common-main.c:51                  start prog 'a b'
 *
 * A summary: threads and data are left to the other formats.
 */
#include "formatters/format.h"
#include "formatters/redact.h"
#include "formatters/text.h"
#include "preload/buf.h"
#include "preload/civil.h"
#include "preload/event.h"

#define MESSAGE_COLUMN 50

static void put_prefix(struct t2_buf *out, const struct t2_event *event,
		       const struct t2_format_opts *opts)
{
	size_t start = out->len;

	t2_civil_put_clock(out, event->wall_ns, opts->utc_offset_s);
	t2_buf_put_char(out, ' ');
	if (event->file && *event->file) {
		t2_buf_put_str(out, event->file);
		t2_text_put_number(out, ":", event->line);
		t2_buf_put_char(out, ' ');
	}
	t2_buf_pad_to(out, start, MESSAGE_COLUMN, ' ');
}

static void put_id(struct t2_buf *out, int64_t id)
{
	t2_text_put_number(out, "[", id);
	t2_buf_put_char(out, ']');
}

static void put_elapsed(struct t2_buf *out, uint64_t elapsed_ns)
{
	if (elapsed_ns == T2_NO_TIME)
		return;
	t2_buf_put_str(out, " elapsed:");
	t2_buf_put_seconds(out, elapsed_ns, 0);
}

static void put_end(struct t2_buf *out, uint64_t elapsed_ns, int64_t code)
{
	put_elapsed(out, elapsed_ns);
	t2_text_put_number(out, " code:", code);
}

static void put_ancestry(struct t2_buf *out, const char *const *name)
{
	t2_buf_put_char(out, ' ');
	for (; name && name[0] && name[1]; name++) {
		t2_buf_put_str(out, name[0]);
		t2_buf_put_str(out, " <- ");
	}
	t2_text_put_last(out, name ? name[0] : NULL);
}

static void put_child_start(struct t2_buf *out, struct t2_redact *redact,
			    const struct t2_event *event)
{
	put_id(out, event->u.child_start.child_id);
	if (event->u.child_start.cd) {
		t2_buf_put_str(out, " cd ");
		t2_text_put_quoted(out, event->u.child_start.cd);
		t2_buf_put_char(out, ';');
	}
	t2_buf_put_char(out, ' ');
	t2_text_put_argv(out, redact, event->u.child_start.argv);
}

static void put_child_exit(struct t2_buf *out, const struct t2_event *event)
{
	put_id(out, event->u.child_exit.child_id);
	t2_text_put_number(out, " pid:", event->u.child_exit.pid);
	t2_text_put_number(out, " code:", event->u.child_exit.code);
	put_elapsed(out, event->rel_ns);
}

static void put_child_ready(struct t2_buf *out, const struct t2_event *event)
{
	put_id(out, event->u.child_ready.child_id);
	t2_text_put_number(out, " pid:", event->u.child_ready.pid);
	t2_buf_put_str(out, " ready:");
	t2_buf_put_str(out, event->u.child_ready.ready);
	put_elapsed(out, event->rel_ns);
}

static void put_def_param(struct t2_buf *out, struct t2_redact *redact,
			  const struct t2_event *event)
{
	t2_buf_put_str(out, " scope:");
	t2_buf_put_str(out, event->u.def_param.scope);
	t2_buf_put_char(out, ' ');
	t2_text_put_pair(out, event->u.def_param.param, '=', redact, event->u.def_param.value);
}

static void put_alias(struct t2_buf *out, struct t2_redact *redact, const struct t2_event *event)
{
	t2_buf_put_char(out, ' ');
	t2_buf_put_str(out, event->u.alias.alias);
	t2_buf_put_str(out, " -> ");
	t2_text_put_argv(out, redact, event->u.alias.argv);
}

/* "category/name", of timers and counters. */
static void put_statistic(struct t2_buf *out, const char *category, const char *name)
{
	t2_buf_put_char(out, ' ');
	t2_buf_put_str(out, category);
	t2_buf_put_char(out, '/');
	t2_buf_put_str(out, name);
}

/* What follows the name of the event. */
static void put_message(struct t2_buf *out, struct t2_redact *redact, const struct t2_event *event)
{
	switch (event->kind) {
	case T2_EVENT_VERSION:
		t2_buf_put_char(out, ' ');
		t2_text_put_last(out, event->u.version.exe);
		break;
	case T2_EVENT_START:
		t2_buf_put_char(out, ' ');
		t2_text_put_argv(out, redact, event->u.start.argv);
		break;
	case T2_EVENT_EXIT:
	case T2_EVENT_ATEXIT:
		put_end(out, event->abs_ns, event->u.exit.code);
		break;
	case T2_EVENT_SIGNAL:
		put_end(out, event->abs_ns, event->u.signal.signo);
		break;
	case T2_EVENT_ERROR:
		if (event->u.error.msg && *event->u.error.msg)
			t2_buf_put_char(out, ' ');
		t2_text_put_last(out, event->u.error.msg);
		break;
	case T2_EVENT_CMD_PATH:
		t2_buf_put_char(out, ' ');
		t2_text_put_last(out, event->u.cmd_path.path);
		break;
	case T2_EVENT_CMD_ANCESTRY:
		put_ancestry(out, event->u.cmd_ancestry.ancestry);
		break;
	case T2_EVENT_CMD_NAME:
		t2_buf_put_char(out, ' ');
		t2_text_put_cmd_name(out, event);
		break;
	case T2_EVENT_CMD_MODE:
		t2_buf_put_char(out, ' ');
		t2_text_put_last(out, event->u.cmd_mode.name);
		break;
	case T2_EVENT_ALIAS:
		put_alias(out, redact, event);
		break;
	case T2_EVENT_CHILD_START:
		put_child_start(out, redact, event);
		break;
	case T2_EVENT_CHILD_EXIT:
		put_child_exit(out, event);
		break;
	case T2_EVENT_CHILD_READY:
		put_child_ready(out, event);
		break;
	case T2_EVENT_EXEC:
		put_id(out, event->u.exec.exec_id);
		t2_buf_put_char(out, ' ');
		t2_text_put_exec(out, redact, event);
		break;
	case T2_EVENT_EXEC_RESULT:
		put_id(out, event->u.exec_result.exec_id);
		t2_text_put_exec_result(out, event);
		break;
	case T2_EVENT_DEF_PARAM:
		put_def_param(out, redact, event);
		break;
	case T2_EVENT_DEF_REPO:
		t2_buf_put_char(out, ' ');
		t2_text_put_quoted(out, event->u.def_repo.worktree);
		break;
	case T2_EVENT_TH_TIMER:
	case T2_EVENT_TIMER:
		put_statistic(out, event->u.timer.category, event->u.timer.name);
		t2_text_put_timer(out, event);
		break;
	case T2_EVENT_TH_COUNTER:
	case T2_EVENT_COUNTER:
		put_statistic(out, event->u.counter.category, event->u.counter.name);
		t2_text_put_counter(out, event);
		break;
	case T2_EVENT_PRINTF:
		t2_text_put_last(out, event->u.printf.msg);
		break;
	case T2_EVENT_TOO_MANY_FILES:
	case T2_EVENT_THREAD_START:
	case T2_EVENT_THREAD_EXIT:
	case T2_EVENT_REGION_ENTER:
	case T2_EVENT_REGION_LEAVE:
	case T2_EVENT_DATA:
	case T2_EVENT_DATA_JSON:
	case T2_EVENT_NR:
		break;
	}
}

static bool is_shown(enum t2_event_kind kind)
{
	return kind != T2_EVENT_TOO_MANY_FILES && kind != T2_EVENT_THREAD_START &&
	       kind != T2_EVENT_THREAD_EXIT && kind != T2_EVENT_REGION_ENTER &&
	       kind != T2_EVENT_REGION_LEAVE && kind != T2_EVENT_DATA && kind != T2_EVENT_DATA_JSON;
}

/* The word that introduces the message; free text has none. */
static const char *introduce(enum t2_event_kind kind)
{
	if (kind == T2_EVENT_DEF_REPO)
		return "worktree";
	return kind == T2_EVENT_PRINTF ? NULL : t2_event_descs[kind].name;
}

static void render_normal(const struct t2_event *event, const struct t2_format_opts *opts,
			  struct t2_buf *out)
{
	struct t2_redact redact;

	if (!is_shown(event->kind))
		return;
	/* An entirely empty line is no line to git. */
	if (opts->is_brief && event->kind == T2_EVENT_PRINTF &&
	    !(event->u.printf.msg && *event->u.printf.msg))
		return;
	t2_redact_init(&redact, event, opts->redacts);
	if (!opts->is_brief)
		put_prefix(out, event, opts);
	t2_buf_put_str(out, introduce(event->kind));
	put_message(out, &redact, event);
	t2_buf_put_char(out, '\n');
}

const struct t2_format t2_format_normal = {
	.name = "normal",
	.target = T2_SETTING_NORMAL,
	.brief = T2_SETTING_NORMAL_BRIEF,
	.has_local_time = true,
	.render = render_normal,
};
