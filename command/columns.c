/* SPDX-License-Identifier: MIT */
#include "command/columns.h"

#include "command/causes.h"
#include "command/groups.h"
#include "command/key.h"
#include "command/text.h"
#include "formatters/json.h"
#include "preload/buf.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 1024 /* bytes of most cells */
#define ANCESTORS_SHOWN 8

/* A function that takes a number out of a row. */
#define NUMBER(name, type, expression)                                                             \
	static int64_t name(const void *arg)                                                       \
	{                                                                                          \
		const type *row = arg;                                                             \
                                                                                                   \
		return expression;                                                                 \
	}

static int64_t unless(bool is_unknown, int64_t number)
{
	return is_unknown ? T2_UNKNOWN : number;
}

/* --- commands counted together ------------------------------------------------------ */

#define GROUP(name, expression) NUMBER(name, struct t2_group_row, expression)
/* What a row for the rest does not have. */
#define GROUP_OWN(name, expression) GROUP(name, unless(row->is_rest, expression))

GROUP(group_weighted, row->group->weighted_ns)
GROUP(group_share, t2_text_ppm(row->group->weighted_ns, row->wall_ns))
GROUP(group_count, unless(row->is_rest && !row->group->count, row->group->count))
GROUP_OWN(group_self, row->group->self_ns)
GROUP_OWN(group_total, row->group->total_ns)
GROUP_OWN(group_cpu, row->group->cpu_ns)
GROUP_OWN(group_max, row->group->max_ns)
GROUP_OWN(group_avg, row->group->count ? row->group->total_ns / row->group->count : 0)
GROUP(group_rss, unless(!row->group->max_rss_kb, row->group->max_rss_kb))
GROUP_OWN(group_io, (int64_t)row->group->io_kb)
GROUP_OWN(group_fail, row->group->nr_failed)

static const char *group_command(void *arg)
{
	const struct t2_group_row *row = arg;

	return row->group->name;
}

static const char *group_brief(void *arg)
{
	const struct t2_group_row *row = arg;

	return row->group->brief;
}

/* clang-format off */
const struct t2_column t2_group_columns[] = {
	{"weighted", "weighted", T2_KIND_DURATION, .number = group_weighted},
	{"share", "%", T2_KIND_PERCENT, .number = group_share},
	{"count", "count", T2_KIND_COUNT, .number = group_count},
	{"self", "self", T2_KIND_DURATION, .drop = 1, .number = group_self},
	{"total", "total", T2_KIND_DURATION, .drop = 4, .number = group_total},
	{"cpu", "cpu", T2_KIND_DURATION, .number = group_cpu},
	{"max", "max", T2_KIND_DURATION, .drop = 2, .number = group_max},
	{"avg", "avg", T2_KIND_DURATION, .drop = 3, .number = group_avg},
	{"rss", "rss", T2_KIND_BYTES, .number = group_rss},
	{"io", "io", T2_KIND_BYTES, .drop = 5, .number = group_io},
	{"fail", "fail", T2_KIND_COUNT, .number = group_fail},
	{"command", "command", T2_KIND_TEXT, .text = group_command, .brief = group_brief},
	{0},
};
/* clang-format on */

unsigned t2_group_column(const char *name)
{
	return (unsigned)(t2_column_find(t2_group_columns, name, strlen(name)) - t2_group_columns);
}

/* --- one process: numbers ------------------------------------------------------------- */

static const struct t2_process *process_of(const struct t2_process_row *row)
{
	return &row->view->trace->processes[row->id];
}

static bool has_cpu(const struct t2_process *process)
{
	return process->has_rusage || process->has_reaped_rusage;
}

/* The window of the analysis, which begins with its root. */
static int64_t begin_ns(const struct t2_view *view)
{
	return view->analysis ? view->analysis->start_ns
			      : view->trace->processes[view->root].start_ns;
}

static int64_t usage_ns(const struct t2_process_row *row, size_t offset)
{
	const struct t2_analysis *analysis = row->view->analysis;

	if (!analysis)
		return T2_UNKNOWN;
	return *(const int64_t *)((const char *)&analysis->usage[row->id] + offset);
}

static int64_t share_of(const struct t2_process_row *row)
{
	int64_t ns = usage_ns(row, offsetof(struct t2_usage, weighted_ns));

	return ns == T2_UNKNOWN ? ns : t2_text_ppm(ns, row->view->analysis->wall_ns);
}

#define PROCESS(name, expression) NUMBER(name, struct t2_process_row, expression)
#define PROCESS_IF(name, condition, expression)                                                    \
	PROCESS(name, unless(!(condition), (int64_t)(expression)))

PROCESS(process_id, row->id)
PROCESS_IF(process_parent, process_of(row)->parent != T2_ROOT, process_of(row)->parent)
PROCESS(process_depth, process_of(row)->depth)
PROCESS_IF(process_pid, process_of(row)->pid >= 0, process_of(row)->pid)
PROCESS(process_start, process_of(row)->start_ns - begin_ns(row->view))
PROCESS(process_total, process_of(row)->end_ns - process_of(row)->start_ns)
PROCESS(process_self, usage_ns(row, offsetof(struct t2_usage, self_ns)))
PROCESS(process_weighted, usage_ns(row, offsetof(struct t2_usage, weighted_ns)))
PROCESS(process_share, share_of(row))
PROCESS_IF(process_cpu, has_cpu(process_of(row)), process_of(row)->cpu_ns)
PROCESS_IF(process_total_cpu, has_cpu(process_of(row)), process_of(row)->total_cpu_ns)
PROCESS_IF(process_rss, process_of(row)->self.max_rss_kb, process_of(row)->self.max_rss_kb)
PROCESS_IF(process_io, process_of(row)->has_rusage, t2_io_kb(process_of(row)))
PROCESS_IF(process_threads, !process_of(row)->is_outside, process_of(row)->nr_threads)
PROCESS_IF(process_code, process_of(row)->end != T2_END_EXEC && process_of(row)->code >= 0,
	   process_of(row)->code)
PROCESS_IF(process_signal, process_of(row)->signo, process_of(row)->signo)

/* --- one process: text ------------------------------------------------------------------ */

static bool make_room(struct t2_process_row *row, size_t size)
{
	char *larger = size > row->size ? realloc(row->text, size) : row->text;

	if (!larger)
		return false;
	row->text = larger;
	row->size = size > row->size ? size : row->size;
	return true;
}

/* What @put makes of a process, however long. */
static const char *whole(struct t2_process_row *row,
			 size_t (*put)(const struct t2_view *, uint32_t, char *, size_t))
{
	size_t len;

	if (!make_room(row, ROOM_MIN))
		return NULL;
	len = put(row->view, row->id, row->text, row->size);
	if (len >= row->size) {
		if (!make_room(row, len + 1))
			return NULL;
		put(row->view, row->id, row->text, row->size);
	}
	return row->text;
}

static size_t put_sid(const struct t2_view *view, uint32_t id, char *out, size_t size)
{
	return t2_trace_sid(view->trace, id, out, size);
}

static size_t put_command(const struct t2_view *view, uint32_t id, char *out, size_t size)
{
	return t2_key_command(&view->trace->processes[id], out, size);
}

/* All arguments as a JSON array. */
static size_t put_argv(const struct t2_view *view, uint32_t id, char *out, size_t size)
{
	const struct t2_process *process = &view->trace->processes[id];
	const char *arg = process->argv;
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	t2_buf_put_char(&buf, '[');
	for (uint32_t i = 0; i < process->argc; i++, arg += strlen(arg) + 1) {
		if (i)
			t2_buf_put_char(&buf, ',');
		t2_json_put_string(&buf, arg);
	}
	t2_buf_put(&buf, "]", 2); /* with the NUL */
	return buf.len - 1;
}

static const char *process_sid(void *row)
{
	return process_of(row)->is_outside ? NULL : whole(row, put_sid);
}

static const char *process_host(void *arg)
{
	const struct t2_process_row *row = arg;
	const struct t2_trace *trace = row->view->trace;
	uint32_t host = process_of(row)->host;

	return host < trace->nr_hosts ? trace->hosts[host].name : NULL;
}

static const char *process_name(void *row)
{
	return whole(row, t2_view_key);
}

static const char *process_command(void *row)
{
	return whole(row, put_command);
}

static const char *process_argv(void *row)
{
	return whole(row, put_argv);
}

static const char *process_exe(void *row)
{
	return process_of(row)->exe;
}

static const char *process_cwd(void *row)
{
	return process_of(row)->cwd;
}

static const char *process_class(void *arg)
{
	const struct t2_process_row *row = arg;
	uint8_t child_class = process_of(row)->child_class;

	return child_class ? t2_child_class(row->view->trace, child_class) : NULL;
}

static const char *process_end(void *row)
{
	static const char *const names[] = {
		[T2_END_UNKNOWN] = NULL,
		[T2_END_EXIT] = "exit",
		[T2_END_SIGNAL] = "signal",
		[T2_END_EXEC] = "exec",
	};

	return process_of(row)->is_unstarted ? "unstarted" : names[process_of(row)->end];
}

static const char *process_status(void *arg)
{
	struct t2_process_row *row = arg;

	if (process_of(row)->end == T2_END_EXEC)
		return "exec";
	return make_room(row, ROOM_MIN) ? t2_end_text(process_of(row), row->text) : NULL;
}

static const char *process_seen(void *row)
{
	if (process_of(row)->is_outside)
		return "outside";
	return process_of(row)->is_incomplete ? "incomplete" : "whole";
}

static const char *process_counts(void *arg)
{
	const struct t2_process_row *row = arg;

	if (!row->causes || !t2_has_failed(process_of(row)))
		return NULL;
	return row->causes->is_counted[row->id] ? "yes" : "handled";
}

static const char *process_ancestry(void *arg)
{
	struct t2_process_row *row = arg;

	if (!make_room(row, ROOM_MIN))
		return NULL;
	t2_ancestry(row->view, row->id, ANCESTORS_SHOWN, row->text, row->size);
	return row->text;
}

static const char *process_error(void *row)
{
	return process_of(row)->error;
}

/* clang-format off */
const struct t2_column t2_process_columns[] = {
	{"id", "id", T2_KIND_ID, .number = process_id},
	{"parent", "parent", T2_KIND_ID, .number = process_parent},
	{"depth", "depth", T2_KIND_ID, .number = process_depth},
	{"sid", "sid", T2_KIND_TEXT, 60, .text = process_sid},
	{"host", "host", T2_KIND_TEXT, 12, .text = process_host},
	{"pid", "pid", T2_KIND_ID, .number = process_pid},
	{"child_class", "class", T2_KIND_TEXT, 12, .text = process_class},
	{"start", "start", T2_KIND_DURATION, .number = process_start},
	{"total", "total", T2_KIND_DURATION, .number = process_total},
	{"self", "self", T2_KIND_DURATION, .number = process_self},
	{"weighted", "weighted", T2_KIND_DURATION, .number = process_weighted},
	{"share", "%", T2_KIND_PERCENT, .number = process_share},
	{"cpu", "cpu", T2_KIND_DURATION, .number = process_cpu},
	{"total_cpu", "total cpu", T2_KIND_DURATION, .number = process_total_cpu},
	{"rss", "rss", T2_KIND_BYTES, .number = process_rss},
	{"io", "io", T2_KIND_BYTES, .number = process_io},
	{"threads", "threads", T2_KIND_COUNT, .number = process_threads},
	{"status", "status", T2_KIND_WORD, 12, .text = process_status},
	{"counts", "counts", T2_KIND_WORD, 7, .text = process_counts},
	{"end", "end", T2_KIND_WORD, 9, .text = process_end},
	{"code", "code", T2_KIND_ID, .number = process_code},
	{"signal", "signal", T2_KIND_ID, .number = process_signal},
	{"seen", "seen", T2_KIND_WORD, 10, .text = process_seen},
	{"error", "error", T2_KIND_TEXT, 40, .text = process_error},
	{"cwd", "cwd", T2_KIND_TEXT, 40, .text = process_cwd},
	{"exe", "exe", T2_KIND_TEXT, 40, .text = process_exe},
	{"ancestry", "ancestry", T2_KIND_TEXT, 60, .text = process_ancestry},
	{"name", "name", T2_KIND_TEXT, 40, .text = process_name},
	{"command", "command", T2_KIND_TEXT, .text = process_command},
	{"argv", "argv", T2_KIND_LIST, 60, .text = process_argv},
	{0},
};
/* clang-format on */

void t2_process_row_free(struct t2_process_row *row)
{
	free(row->text);
}
