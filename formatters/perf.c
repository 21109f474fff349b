/* SPDX-License-Identifier: MIT */
/*
 * The "perf" format: every event as one row of a table, for people with a
 * question about time.
 *
 *   d0 | main         | exit     |     |  0.001234 |           |       | code:3
 *
 * Scripts split the rows at the bars, so the columns never change in number and
 * a column without a value is as wide as one with it.
 */
#include "formatters/format.h"
#include "formatters/redact.h"
#include "formatters/text.h"
#include "preload/buf.h"
#include "preload/civil.h"
#include "preload/event.h"

#include <string.h>

#define BAR " | "
#define FILE_WIDTH 28
#define THREAD_WIDTH 24
#define EVENT_WIDTH 12
#define REPO_WIDTH 3
#define TIME_WIDTH 9
#define CATEGORY_WIDTH 12

/* The end of a long file name tells more than its beginning. */
static void put_file_line(struct t2_buf *out, const struct t2_event *event)
{
	const size_t kept = FILE_WIDTH - strlen("...");
	char digits[sizeof(":-2147483648")];
	size_t file_len = strlen(event->file);
	const char *from = event->file;
	struct t2_buf line;

	t2_buf_init(&line, digits, sizeof(digits));
	t2_text_put_number(&line, ":", event->line);
	if (file_len + line.len > FILE_WIDTH) {
		t2_buf_put_str(out, "...");
		from += file_len + line.len - kept;
	}
	t2_buf_put_str(out, from);
	t2_buf_put(out, digits, line.len);
}

static void put_prefix(struct t2_buf *out, const struct t2_event *event,
		       const struct t2_format_opts *opts)
{
	size_t start;

	t2_civil_put_clock(out, event->wall_ns, opts->utc_offset_s);
	t2_buf_put_char(out, ' ');
	start = out->len;
	if (event->file && *event->file)
		put_file_line(out, event);
	t2_buf_pad_to(out, start, FILE_WIDTH, ' ');
	t2_buf_put_str(out, BAR);
}

static void put_column(struct t2_buf *out, const char *str, size_t width)
{
	size_t start = out->len;

	t2_buf_put_str(out, str);
	t2_buf_pad_to(out, start, width, ' ');
	t2_buf_put_str(out, BAR);
}

static void put_time_column(struct t2_buf *out, uint64_t ns)
{
	if (ns == T2_NO_TIME)
		t2_buf_put_repeat(out, ' ', TIME_WIDTH);
	else
		t2_buf_put_seconds(out, ns, TIME_WIDTH);
	t2_buf_put_str(out, BAR);
}

/* Numbers, like intervals, are shown exactly where EVENT has them as a key. */
static void put_repo_column(struct t2_buf *out, const struct t2_event *event)
{
	size_t start = out->len;

	if (event->repo != T2_NO_NUMBER &&
	    t2_event_has(event->kind, offsetof(struct t2_event, repo))) {
		t2_text_put_number(out, "r", event->repo);
		t2_buf_put_char(out, ' ');
	}
	t2_buf_pad_to(out, start, REPO_WIDTH, ' ');
	t2_buf_put_str(out, BAR);
}

static void put_cut(struct t2_buf *out, const char *str, size_t max)
{
	size_t len = str ? strlen(str) : 0;

	if (len)
		t2_buf_put(out, str, len < max ? len : max);
}

static const char *find_category(const struct t2_event *event)
{
	const struct t2_field *field = t2_event_descs[event->kind].fields;

	while (field->name[0] && strcmp(field->name, "category") != 0)
		field++;
	return field->name[0] ? *(const char *const *)((const char *)event + field->offset) : NULL;
}

static void put_category_column(struct t2_buf *out, const struct t2_event *event)
{
	size_t start = out->len;

	if (event->kind == T2_EVENT_DEF_PARAM) {
		t2_buf_put_str(out, "scope:");
		put_cut(out, event->u.def_param.scope, CATEGORY_WIDTH - strlen("scope:"));
	} else {
		put_cut(out, find_category(event), CATEGORY_WIDTH);
	}
	t2_buf_pad_to(out, start, CATEGORY_WIDTH, ' ');
	t2_buf_put_str(out, BAR);
}

static void put_columns(struct t2_buf *out, const struct t2_event *event)
{
	const struct t2_event_desc *desc = &t2_event_descs[event->kind];
	bool has_rel = t2_event_has(event->kind, offsetof(struct t2_event, rel_ns));

	t2_text_put_number(out, "d", event->depth);
	t2_buf_put_str(out, BAR);
	put_column(out, event->thread, THREAD_WIDTH);
	put_column(out, desc->name, EVENT_WIDTH);
	put_repo_column(out, event);
	put_time_column(out, desc->has_abs ? event->abs_ns : T2_NO_TIME);
	put_time_column(out, has_rel ? event->rel_ns : T2_NO_TIME);
	put_category_column(out, event);
	if (event->nesting > 1)
		t2_buf_put_repeat(out, '.', 2 * ((size_t)event->nesting - 1));
}

static void put_child(struct t2_buf *out, int64_t child_id)
{
	t2_text_put_number(out, "[ch", child_id);
	t2_buf_put_char(out, ']');
}

static void put_child_start(struct t2_buf *out, struct t2_redact *redact,
			    const struct t2_event *event)
{
	put_child(out, event->u.child_start.child_id);
	t2_buf_put_str(out, " class:");
	t2_buf_put_str(out, event->u.child_start.child_class);
	if (event->u.child_start.hook_name) {
		t2_buf_put_str(out, " hook:");
		t2_buf_put_str(out, event->u.child_start.hook_name);
	}
	if (event->u.child_start.cd) {
		t2_buf_put_str(out, " cd:");
		t2_text_put_quoted(out, event->u.child_start.cd);
	}
	t2_buf_put_str(out, " argv:[");
	t2_text_put_argv(out, redact, event->u.child_start.argv);
	t2_buf_put_char(out, ']');
}

static void put_child_exit(struct t2_buf *out, const struct t2_event *event)
{
	put_child(out, event->u.child_exit.child_id);
	t2_text_put_number(out, " pid:", event->u.child_exit.pid);
	t2_text_put_number(out, " code:", event->u.child_exit.code);
}

static void put_child_ready(struct t2_buf *out, const struct t2_event *event)
{
	put_child(out, event->u.child_ready.child_id);
	t2_text_put_number(out, " pid:", event->u.child_ready.pid);
	t2_buf_put_str(out, " ready:");
	t2_text_put_last(out, event->u.child_ready.ready);
}

static void put_exec(struct t2_buf *out, struct t2_redact *redact, const struct t2_event *event)
{
	t2_text_put_number(out, "id:", event->u.exec.exec_id);
	t2_buf_put_str(out, " argv:[");
	t2_text_put_exec(out, redact, event);
	t2_buf_put_char(out, ']');
}

static void put_alias(struct t2_buf *out, struct t2_redact *redact, const struct t2_event *event)
{
	t2_buf_put_str(out, "alias:");
	t2_buf_put_str(out, event->u.alias.alias);
	t2_buf_put_str(out, " argv:[");
	t2_text_put_argv(out, redact, event->u.alias.argv);
	t2_buf_put_char(out, ']');
}

static void put_region(struct t2_buf *out, const struct t2_event *event)
{
	const char *msg = event->u.region.msg;

	if (event->u.region.label) {
		t2_buf_put_str(out, "label:");
		t2_buf_put_str(out, event->u.region.label);
	}
	if (msg && *msg)
		t2_buf_put_char(out, ' ');
	t2_text_put_last(out, msg);
}

static void put_statistic(struct t2_buf *out, const char *name)
{
	t2_buf_put_str(out, "name:");
	t2_buf_put_str(out, name);
}

static void put_message(struct t2_buf *out, struct t2_redact *redact, const struct t2_event *event)
{
	switch (event->kind) {
	case T2_EVENT_VERSION:
		t2_text_put_last(out, event->u.version.exe);
		break;
	case T2_EVENT_START:
		t2_text_put_argv(out, redact, event->u.start.argv);
		break;
	case T2_EVENT_EXIT:
	case T2_EVENT_ATEXIT:
		t2_text_put_number(out, "code:", event->u.exit.code);
		break;
	case T2_EVENT_SIGNAL:
		t2_text_put_number(out, "signo:", event->u.signal.signo);
		break;
	case T2_EVENT_ERROR:
		t2_text_put_last(out, event->u.error.msg);
		break;
	case T2_EVENT_CMD_PATH:
		t2_text_put_last(out, event->u.cmd_path.path);
		break;
	case T2_EVENT_CMD_ANCESTRY:
		t2_buf_put_str(out, "ancestry:[");
		t2_text_put_argv(out, redact, event->u.cmd_ancestry.ancestry);
		t2_buf_put_char(out, ']');
		break;
	case T2_EVENT_CMD_NAME:
		t2_text_put_cmd_name(out, event);
		break;
	case T2_EVENT_CMD_MODE:
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
		put_exec(out, redact, event);
		break;
	case T2_EVENT_EXEC_RESULT:
		t2_text_put_number(out, "id:", event->u.exec_result.exec_id);
		t2_text_put_exec_result(out, event);
		break;
	case T2_EVENT_DEF_PARAM:
		t2_text_put_pair(out, event->u.def_param.param, ':', redact,
				 event->u.def_param.value);
		break;
	case T2_EVENT_DEF_REPO:
		t2_buf_put_str(out, "worktree:");
		t2_text_put_quoted(out, event->u.def_repo.worktree);
		break;
	case T2_EVENT_REGION_ENTER:
	case T2_EVENT_REGION_LEAVE:
		put_region(out, event);
		break;
	case T2_EVENT_DATA:
		t2_text_put_pair(out, event->u.data.key, ':', NULL, event->u.data.value);
		break;
	case T2_EVENT_DATA_JSON:
		t2_text_put_pair(out, event->u.data_json.key, ':', NULL, event->u.data_json.value);
		break;
	case T2_EVENT_TH_TIMER:
	case T2_EVENT_TIMER:
		put_statistic(out, event->u.timer.name);
		t2_text_put_timer(out, event);
		break;
	case T2_EVENT_TH_COUNTER:
	case T2_EVENT_COUNTER:
		put_statistic(out, event->u.counter.name);
		t2_text_put_counter(out, event);
		break;
	case T2_EVENT_PRINTF:
		t2_text_put_last(out, event->u.printf.msg);
		break;
	case T2_EVENT_TOO_MANY_FILES:
	case T2_EVENT_THREAD_START:
	case T2_EVENT_THREAD_EXIT:
	case T2_EVENT_NR:
		break;
	}
}

static void render_perf(const struct t2_event *event, const struct t2_format_opts *opts,
			struct t2_buf *out)
{
	struct t2_redact redact;

	if (event->kind == T2_EVENT_TOO_MANY_FILES)
		return;
	t2_redact_init(&redact, event, opts->redacts);
	if (!opts->is_brief)
		put_prefix(out, event, opts);
	put_columns(out, event);
	put_message(out, &redact, event);
	t2_buf_put_char(out, '\n');
}

const struct t2_format t2_format_perf = {
	.name = "perf",
	.target = T2_SETTING_PERF,
	.brief = T2_SETTING_PERF_BRIEF,
	.has_local_time = true,
	.render = render_perf,
};
