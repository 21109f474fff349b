/* SPDX-License-Identifier: MIT */
#include "preload/event.h"

#include <string.h>

/* Keys in git's order; ours, which git does not have, come last. */
#define FIELDS_VERSION                                                                             \
	{                                                                                          \
		T2_FIELD(STRING, "evt", u.version.evt), T2_FIELD(STRING, "exe", u.version.exe),    \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_TOO_MANY_FILES                                                                      \
	{                                                                                          \
		T2_FIELDS_END                                                                      \
	}
#define FIELDS_START                                                                               \
	{                                                                                          \
		T2_FIELD(TIME, "t_abs", abs_ns), T2_FIELD(LIST, "argv", u.start.argv),             \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_EXIT                                                                                \
	{                                                                                          \
		T2_FIELD(TIME, "t_abs", abs_ns), T2_FIELD(NUMBER, "code", u.exit.code),            \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_ATEXIT                                                                              \
	{                                                                                          \
		T2_FIELD(TIME, "t_abs", abs_ns), T2_FIELD(NUMBER, "code", u.exit.code),            \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_SIGNAL                                                                              \
	{                                                                                          \
		T2_FIELD(TIME, "t_abs", abs_ns), T2_FIELD(NUMBER, "signo", u.signal.signo),        \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_ERROR                                                                               \
	{                                                                                          \
		T2_FIELD(STRING, "msg", u.error.msg), T2_FIELD(STRING, "fmt", u.error.fmt),        \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_CMD_PATH                                                                            \
	{                                                                                          \
		T2_FIELD(STRING, "path", u.cmd_path.path), T2_FIELDS_END                           \
	}
#define FIELDS_CMD_ANCESTRY                                                                        \
	{                                                                                          \
		T2_FIELD(LIST, "ancestry", u.cmd_ancestry.ancestry), T2_FIELDS_END                 \
	}
#define FIELDS_CMD_NAME                                                                            \
	{                                                                                          \
		T2_FIELD(STRING, "name", u.cmd_name.name),                                         \
			T2_FIELD(STRING, "hierarchy", u.cmd_name.hierarchy), T2_FIELDS_END         \
	}
#define FIELDS_CMD_MODE                                                                            \
	{                                                                                          \
		T2_FIELD(STRING, "name", u.cmd_mode.name), T2_FIELDS_END                           \
	}
#define FIELDS_ALIAS                                                                               \
	{                                                                                          \
		T2_FIELD(STRING, "alias", u.alias.alias), T2_FIELD(LIST, "argv", u.alias.argv),    \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_CHILD_START                                                                         \
	{                                                                                          \
		T2_FIELD(NUMBER, "child_id", u.child_start.child_id),                              \
			T2_FIELD(STRING, "child_class", u.child_start.child_class),                \
			T2_FIELD(STRING, "hook_name", u.child_start.hook_name),                    \
			T2_FIELD(STRING, "cd", u.child_start.cd),                                  \
			T2_FIELD(BOOL, "use_shell", u.child_start.use_shell),                      \
			T2_FIELD(LIST, "argv", u.child_start.argv), T2_FIELDS_END                  \
	}
#define FIELDS_CHILD_EXIT                                                                          \
	{                                                                                          \
		T2_FIELD(NUMBER, "child_id", u.child_exit.child_id),                               \
			T2_FIELD(NUMBER, "pid", u.child_exit.pid),                                 \
			T2_FIELD(NUMBER, "code", u.child_exit.code),                               \
			T2_FIELD(TIME, "t_rel", rel_ns),                                           \
			T2_FIELD(TIME, "t_user", u.child_exit.user_ns),                            \
			T2_FIELD(TIME, "t_sys", u.child_exit.sys_ns),                              \
			T2_FIELD(NUMBER, "max_rss_kb", u.child_exit.max_rss_kb), T2_FIELDS_END     \
	}
#define FIELDS_CHILD_READY                                                                         \
	{                                                                                          \
		T2_FIELD(NUMBER, "child_id", u.child_ready.child_id),                              \
			T2_FIELD(NUMBER, "pid", u.child_ready.pid),                                \
			T2_FIELD(STRING, "ready", u.child_ready.ready),                            \
			T2_FIELD(TIME, "t_rel", rel_ns), T2_FIELDS_END                             \
	}
#define FIELDS_EXEC                                                                                \
	{                                                                                          \
		T2_FIELD(NUMBER, "exec_id", u.exec.exec_id), T2_FIELD(STRING, "exe", u.exec.exe),  \
			T2_FIELD(LIST, "argv", u.exec.argv), T2_FIELDS_END                         \
	}
#define FIELDS_EXEC_RESULT                                                                         \
	{                                                                                          \
		T2_FIELD(NUMBER, "exec_id", u.exec_result.exec_id),                                \
			T2_FIELD(NUMBER, "code", u.exec_result.code), T2_FIELDS_END                \
	}
#define FIELDS_THREAD_START                                                                        \
	{                                                                                          \
		T2_FIELDS_END                                                                      \
	}
#define FIELDS_THREAD_EXIT                                                                         \
	{                                                                                          \
		T2_FIELD(TIME, "t_rel", rel_ns), T2_FIELDS_END                                     \
	}
#define FIELDS_DEF_PARAM                                                                           \
	{                                                                                          \
		T2_FIELD(STRING, "scope", u.def_param.scope),                                      \
			T2_FIELD(STRING, "param", u.def_param.param),                              \
			T2_FIELD(ARGUMENT, "value", u.def_param.value), T2_FIELDS_END              \
	}
#define FIELDS_DEF_REPO                                                                            \
	{                                                                                          \
		T2_FIELD(NUMBER, "repo", repo), T2_FIELD(STRING, "worktree", u.def_repo.worktree), \
			T2_FIELDS_END                                                              \
	}
#define FIELDS_REGION_ENTER                                                                        \
	{                                                                                          \
		T2_FIELD(NUMBER, "repo", repo), T2_FIELD(INT, "nesting", nesting),                 \
			T2_FIELD(STRING, "category", u.region.category),                           \
			T2_FIELD(STRING, "label", u.region.label),                                 \
			T2_FIELD(STRING, "msg", u.region.msg), T2_FIELDS_END                       \
	}
#define FIELDS_REGION_LEAVE                                                                        \
	{                                                                                          \
		T2_FIELD(NUMBER, "repo", repo), T2_FIELD(TIME, "t_rel", rel_ns),                   \
			T2_FIELD(INT, "nesting", nesting),                                         \
			T2_FIELD(STRING, "category", u.region.category),                           \
			T2_FIELD(STRING, "label", u.region.label),                                 \
			T2_FIELD(STRING, "msg", u.region.msg), T2_FIELDS_END                       \
	}
#define FIELDS_DATA                                                                                \
	{                                                                                          \
		T2_FIELD(NUMBER, "repo", repo), T2_FIELD(TIME, "t_abs", abs_ns),                   \
			T2_FIELD(TIME, "t_rel", rel_ns), T2_FIELD(INT, "nesting", nesting),        \
			T2_FIELD(STRING, "category", u.data.category),                             \
			T2_FIELD(STRING, "key", u.data.key),                                       \
			T2_FIELD(TEXT, "value", u.data.value), T2_FIELDS_END                       \
	}
#define FIELDS_DATA_JSON                                                                           \
	{                                                                                          \
		T2_FIELD(NUMBER, "repo", repo), T2_FIELD(TIME, "t_abs", abs_ns),                   \
			T2_FIELD(TIME, "t_rel", rel_ns), T2_FIELD(INT, "nesting", nesting),        \
			T2_FIELD(STRING, "category", u.data_json.category),                        \
			T2_FIELD(STRING, "key", u.data_json.key),                                  \
			T2_FIELD(JSON, "value", u.data_json.value), T2_FIELDS_END                  \
	}
#define FIELDS_TH_TIMER                                                                            \
	{                                                                                          \
		T2_FIELD(STRING, "category", u.timer.category),                                    \
			T2_FIELD(STRING, "name", u.timer.name),                                    \
			T2_FIELD(NUMBER, "intervals", u.timer.intervals),                          \
			T2_FIELD(TIME, "t_total", u.timer.total_ns),                               \
			T2_FIELD(TIME, "t_min", u.timer.min_ns),                                   \
			T2_FIELD(TIME, "t_max", u.timer.max_ns), T2_FIELDS_END                     \
	}
#define FIELDS_TIMER FIELDS_TH_TIMER
#define FIELDS_TH_COUNTER                                                                          \
	{                                                                                          \
		T2_FIELD(STRING, "category", u.counter.category),                                  \
			T2_FIELD(STRING, "name", u.counter.name),                                  \
			T2_FIELD(NUMBER, "count", u.counter.count), T2_FIELDS_END                  \
	}
#define FIELDS_COUNTER FIELDS_TH_COUNTER
#define FIELDS_PRINTF                                                                              \
	{                                                                                          \
		T2_FIELD(TIME, "t_abs", abs_ns), T2_FIELD(STRING, "msg", u.printf.msg),            \
			T2_FIELDS_END                                                              \
	}

const struct t2_event_desc t2_event_descs[T2_EVENT_NR] = {
#define T2_EVENT(id, name, has_abs)                                                                \
	[T2_EVENT_##id] = {name, sizeof(name) - 1, has_abs, FIELDS_##id},
#include "preload/events.def"
#undef T2_EVENT
};

bool t2_event_has(enum t2_event_kind kind, size_t offset)
{
	const struct t2_field *field = t2_event_descs[kind].fields;

	while (field->name[0] && field->offset != offset)
		field++;
	return field->name[0];
}

void t2_event_init(struct t2_event *event, enum t2_event_kind kind)
{
	memset(event, 0, sizeof(*event));
	event->kind = kind;
	event->nesting = 1;
	event->rel_ns = T2_NO_TIME;
	event->repo = T2_NO_NUMBER;
	if (kind == T2_EVENT_CHILD_EXIT) {
		event->u.child_exit.user_ns = T2_NO_TIME;
		event->u.child_exit.sys_ns = T2_NO_TIME;
		event->u.child_exit.max_rss_kb = T2_NO_NUMBER;
	}
}
