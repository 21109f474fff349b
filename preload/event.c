/* SPDX-License-Identifier: MIT */
#include "preload/event.h"

#include <string.h>

#define AT(type, name, member)                                                                     \
	{                                                                                          \
		name, T2_FIELD_##type, offsetof(struct t2_event, member)                           \
	}
#define END                                                                                        \
	{                                                                                          \
		"", T2_FIELD_STRING, 0                                                             \
	}

/* Keys in git's order; ours, which git does not have, come last. */
#define FIELDS_VERSION                                                                             \
	{                                                                                          \
		AT(STRING, "evt", u.version.evt), AT(STRING, "exe", u.version.exe), END            \
	}
#define FIELDS_TOO_MANY_FILES                                                                      \
	{                                                                                          \
		END                                                                                \
	}
#define FIELDS_START                                                                               \
	{                                                                                          \
		AT(TIME, "t_abs", abs_ns), AT(LIST, "argv", u.start.argv), END                     \
	}
#define FIELDS_EXIT                                                                                \
	{                                                                                          \
		AT(TIME, "t_abs", abs_ns), AT(NUMBER, "code", u.exit.code), END                    \
	}
#define FIELDS_ATEXIT                                                                              \
	{                                                                                          \
		AT(TIME, "t_abs", abs_ns), AT(NUMBER, "code", u.exit.code), END                    \
	}
#define FIELDS_SIGNAL                                                                              \
	{                                                                                          \
		AT(TIME, "t_abs", abs_ns), AT(NUMBER, "signo", u.signal.signo), END                \
	}
#define FIELDS_ERROR                                                                               \
	{                                                                                          \
		AT(STRING, "msg", u.error.msg), AT(STRING, "fmt", u.error.fmt), END                \
	}
#define FIELDS_CMD_PATH                                                                            \
	{                                                                                          \
		AT(STRING, "path", u.cmd_path.path), END                                           \
	}
#define FIELDS_CMD_ANCESTRY                                                                        \
	{                                                                                          \
		AT(LIST, "ancestry", u.cmd_ancestry.ancestry), END                                 \
	}
#define FIELDS_CMD_NAME                                                                            \
	{                                                                                          \
		AT(STRING, "name", u.cmd_name.name),                                               \
			AT(STRING, "hierarchy", u.cmd_name.hierarchy), END                         \
	}
#define FIELDS_CMD_MODE                                                                            \
	{                                                                                          \
		AT(STRING, "name", u.cmd_mode.name), END                                           \
	}
#define FIELDS_ALIAS                                                                               \
	{                                                                                          \
		AT(STRING, "alias", u.alias.alias), AT(LIST, "argv", u.alias.argv), END            \
	}
#define FIELDS_CHILD_START                                                                         \
	{                                                                                          \
		AT(NUMBER, "child_id", u.child_start.child_id),                                    \
			AT(STRING, "child_class", u.child_start.child_class),                      \
			AT(STRING, "hook_name", u.child_start.hook_name),                          \
			AT(STRING, "cd", u.child_start.cd),                                        \
			AT(BOOL, "use_shell", u.child_start.use_shell),                            \
			AT(LIST, "argv", u.child_start.argv), END                                  \
	}
#define FIELDS_CHILD_EXIT                                                                          \
	{                                                                                          \
		AT(NUMBER, "child_id", u.child_exit.child_id),                                     \
			AT(NUMBER, "pid", u.child_exit.pid),                                       \
			AT(NUMBER, "code", u.child_exit.code), AT(TIME, "t_rel", rel_ns),          \
			AT(TIME, "t_user", u.child_exit.user_ns),                                  \
			AT(TIME, "t_sys", u.child_exit.sys_ns),                                    \
			AT(NUMBER, "max_rss_kb", u.child_exit.max_rss_kb), END                     \
	}
#define FIELDS_CHILD_READY                                                                         \
	{                                                                                          \
		AT(NUMBER, "child_id", u.child_ready.child_id),                                    \
			AT(NUMBER, "pid", u.child_ready.pid),                                      \
			AT(STRING, "ready", u.child_ready.ready), AT(TIME, "t_rel", rel_ns), END   \
	}
#define FIELDS_EXEC                                                                                \
	{                                                                                          \
		AT(NUMBER, "exec_id", u.exec.exec_id), AT(STRING, "exe", u.exec.exe),              \
			AT(LIST, "argv", u.exec.argv), END                                         \
	}
#define FIELDS_EXEC_RESULT                                                                         \
	{                                                                                          \
		AT(NUMBER, "exec_id", u.exec_result.exec_id),                                      \
			AT(NUMBER, "code", u.exec_result.code), END                                \
	}
#define FIELDS_THREAD_START                                                                        \
	{                                                                                          \
		END                                                                                \
	}
#define FIELDS_THREAD_EXIT                                                                         \
	{                                                                                          \
		AT(TIME, "t_rel", rel_ns), END                                                     \
	}
#define FIELDS_DEF_PARAM                                                                           \
	{                                                                                          \
		AT(STRING, "scope", u.def_param.scope), AT(STRING, "param", u.def_param.param),    \
			AT(ARGUMENT, "value", u.def_param.value), END                              \
	}
#define FIELDS_DEF_REPO                                                                            \
	{                                                                                          \
		AT(NUMBER, "repo", repo), AT(STRING, "worktree", u.def_repo.worktree), END         \
	}
#define FIELDS_REGION_ENTER                                                                        \
	{                                                                                          \
		AT(NUMBER, "repo", repo), AT(INT, "nesting", nesting),                             \
			AT(STRING, "category", u.region.category),                                 \
			AT(STRING, "label", u.region.label), AT(STRING, "msg", u.region.msg), END  \
	}
#define FIELDS_REGION_LEAVE                                                                        \
	{                                                                                          \
		AT(NUMBER, "repo", repo), AT(TIME, "t_rel", rel_ns), AT(INT, "nesting", nesting),  \
			AT(STRING, "category", u.region.category),                                 \
			AT(STRING, "label", u.region.label), AT(STRING, "msg", u.region.msg), END  \
	}
#define FIELDS_DATA                                                                                \
	{                                                                                          \
		AT(NUMBER, "repo", repo), AT(TIME, "t_abs", abs_ns), AT(TIME, "t_rel", rel_ns),    \
			AT(INT, "nesting", nesting), AT(STRING, "category", u.data.category),      \
			AT(STRING, "key", u.data.key), AT(TEXT, "value", u.data.value), END        \
	}
#define FIELDS_DATA_JSON                                                                           \
	{                                                                                          \
		AT(NUMBER, "repo", repo), AT(TIME, "t_abs", abs_ns), AT(TIME, "t_rel", rel_ns),    \
			AT(INT, "nesting", nesting), AT(STRING, "category", u.data_json.category), \
			AT(STRING, "key", u.data_json.key), AT(JSON, "value", u.data_json.value),  \
			END                                                                        \
	}
#define FIELDS_TH_TIMER                                                                            \
	{                                                                                          \
		AT(STRING, "category", u.timer.category), AT(STRING, "name", u.timer.name),        \
			AT(NUMBER, "intervals", u.timer.intervals),                                \
			AT(TIME, "t_total", u.timer.total_ns), AT(TIME, "t_min", u.timer.min_ns),  \
			AT(TIME, "t_max", u.timer.max_ns), END                                     \
	}
#define FIELDS_TIMER                                                                               \
	{                                                                                          \
		AT(STRING, "category", u.timer.category), AT(STRING, "name", u.timer.name),        \
			AT(NUMBER, "intervals", u.timer.intervals),                                \
			AT(TIME, "t_total", u.timer.total_ns), AT(TIME, "t_min", u.timer.min_ns),  \
			AT(TIME, "t_max", u.timer.max_ns), END                                     \
	}
#define FIELDS_TH_COUNTER                                                                          \
	{                                                                                          \
		AT(STRING, "category", u.counter.category), AT(STRING, "name", u.counter.name),    \
			AT(NUMBER, "count", u.counter.count), END                                  \
	}
#define FIELDS_COUNTER                                                                             \
	{                                                                                          \
		AT(STRING, "category", u.counter.category), AT(STRING, "name", u.counter.name),    \
			AT(NUMBER, "count", u.counter.count), END                                  \
	}
#define FIELDS_PRINTF                                                                              \
	{                                                                                          \
		AT(TIME, "t_abs", abs_ns), AT(STRING, "msg", u.printf.msg), END                    \
	}

const struct t2_event_desc t2_event_descs[T2_EVENT_NR] = {
#define T2_EVENT(id, name, has_abs) [T2_EVENT_##id] = {name, has_abs, FIELDS_##id},
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
