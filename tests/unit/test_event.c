/* SPDX-License-Identifier: MIT */
/* preload/event.c: the table of what every kind looks like on the wire. */
#include "preload/event.h"

#include <criterion/criterion.h>
#include <string.h>

/* From the format description: name, whether PERF shows t_abs, keys in order. */
static const struct {
	enum t2_event_kind kind;
	const char *name;
	bool has_abs;
	const char *keys;
} kinds[] = {
	{T2_EVENT_VERSION, "version", false, "evt exe"},
	{T2_EVENT_TOO_MANY_FILES, "too_many_files", false, ""},
	{T2_EVENT_START, "start", true, "t_abs argv"},
	{T2_EVENT_EXIT, "exit", true, "t_abs code"},
	{T2_EVENT_ATEXIT, "atexit", true, "t_abs code"},
	{T2_EVENT_SIGNAL, "signal", true, "t_abs signo"},
	{T2_EVENT_ERROR, "error", false, "msg fmt"},
	{T2_EVENT_CMD_PATH, "cmd_path", false, "path"},
	{T2_EVENT_CMD_ANCESTRY, "cmd_ancestry", false, "ancestry"},
	{T2_EVENT_CMD_NAME, "cmd_name", false, "name hierarchy"},
	{T2_EVENT_CMD_MODE, "cmd_mode", false, "name"},
	{T2_EVENT_ALIAS, "alias", false, "alias argv"},
	{T2_EVENT_CHILD_START, "child_start", true,
	 "child_id child_class hook_name cd use_shell argv"},
	{T2_EVENT_CHILD_EXIT, "child_exit", true,
	 "child_id pid code t_rel t_user t_sys max_rss_kb"},
	{T2_EVENT_CHILD_READY, "child_ready", true, "child_id pid ready t_rel"},
	{T2_EVENT_EXEC, "exec", true, "exec_id exe argv"},
	{T2_EVENT_EXEC_RESULT, "exec_result", true, "exec_id code"},
	{T2_EVENT_THREAD_START, "thread_start", true, ""},
	{T2_EVENT_THREAD_EXIT, "thread_exit", true, "t_rel"},
	{T2_EVENT_DEF_PARAM, "def_param", false, "scope param value"},
	{T2_EVENT_DEF_REPO, "def_repo", false, "repo worktree"},
	{T2_EVENT_REGION_ENTER, "region_enter", true, "repo nesting category label msg"},
	{T2_EVENT_REGION_LEAVE, "region_leave", true, "repo t_rel nesting category label msg"},
	{T2_EVENT_DATA, "data", true, "repo t_abs t_rel nesting category key value"},
	{T2_EVENT_DATA_JSON, "data_json", true, "repo t_abs t_rel nesting category key value"},
	{T2_EVENT_TH_TIMER, "th_timer", false, "category name intervals t_total t_min t_max"},
	{T2_EVENT_TIMER, "timer", false, "category name intervals t_total t_min t_max"},
	{T2_EVENT_TH_COUNTER, "th_counter", false, "category name count"},
	{T2_EVENT_COUNTER, "counter", false, "category name count"},
	{T2_EVENT_PRINTF, "printf", true, "t_abs msg"},
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

Test(event, every_kind_has_the_name_and_the_keys_of_the_format)
{
	for (size_t i = 0; i < NR_KINDS; i++) {
		const struct t2_event_desc *desc = &t2_event_descs[kinds[i].kind];
		char keys[256] = "";

		for (const struct t2_field *field = desc->fields; field->name[0]; field++) {
			if (*keys)
				strcat(keys, " ");
			strcat(keys, field->name);
		}
		cr_assert_str_eq(desc->name, kinds[i].name);
		cr_assert_str_eq(keys, kinds[i].keys, "%s has the keys \"%s\", not \"%s\"",
				 desc->name, kinds[i].keys, keys);
		cr_assert_eq(desc->has_abs, kinds[i].has_abs, "t_abs of %s", desc->name);
	}
}

Test(event, no_kind_is_without_a_test_and_no_name_is_used_twice)
{
	cr_assert_eq(NR_KINDS, T2_EVENT_NR, "%d kinds, of which %zu are tested here", T2_EVENT_NR,
		     NR_KINDS);
	for (int i = 0; i < T2_EVENT_NR; i++) {
		cr_assert_not_null(t2_event_descs[i].name);
		for (int j = 0; j < i; j++)
			cr_assert_str_neq(t2_event_descs[i].name, t2_event_descs[j].name);
	}
}

static size_t size_of(enum t2_field_type type)
{
	static const size_t sizes[] = {
		[T2_FIELD_STRING] = sizeof(const char *),
		[T2_FIELD_TEXT] = sizeof(const char *),
		[T2_FIELD_ARGUMENT] = sizeof(const char *),
		[T2_FIELD_INT] = sizeof(int),
		[T2_FIELD_NUMBER] = sizeof(int64_t),
		[T2_FIELD_BOOL] = sizeof(bool),
		[T2_FIELD_TIME] = sizeof(uint64_t),
		[T2_FIELD_LIST] = sizeof(const char *const *),
		[T2_FIELD_JSON] = sizeof(const char *),
	};

	return sizes[type];
}

Test(event, every_field_lies_whole_and_aligned_within_an_event)
{
	for (int i = 0; i < T2_EVENT_NR; i++) {
		const struct t2_event_desc *desc = &t2_event_descs[i];

		for (const struct t2_field *field = desc->fields; field->name[0]; field++) {
			size_t size = size_of(field->type);

			cr_assert_leq(field->offset + size, sizeof(struct t2_event),
				      "%s of %s is past the end", field->name, desc->name);
			cr_assert_eq(field->offset % size, 0, "%s of %s is not aligned",
				     field->name, desc->name);
		}
	}
}

Test(event, no_two_fields_of_a_kind_overlap)
{
	for (int i = 0; i < T2_EVENT_NR; i++) {
		const struct t2_event_desc *desc = &t2_event_descs[i];
		char used[sizeof(struct t2_event)] = {0};

		for (const struct t2_field *field = desc->fields; field->name[0]; field++) {
			for (size_t at = 0; at < size_of(field->type); at++)
				cr_assert_eq(used[field->offset + at]++, 0,
					     "%s of %s is also another field", field->name,
					     desc->name);
		}
	}
}

Test(event, a_new_one_has_everything_optional_absent)
{
	for (int i = 0; i < T2_EVENT_NR; i++) {
		const struct t2_event_desc *desc = &t2_event_descs[i];
		struct t2_event event;

		memset(&event, 0xaa, sizeof(event));
		t2_event_init(&event, (enum t2_event_kind)i);
		cr_assert_eq((int)event.kind, i);
		cr_assert_eq(event.nesting, 1);
		cr_assert_eq(event.depth, 0);
		cr_assert_eq(event.wall_ns, 0);
		cr_assert_eq(event.rel_ns, T2_NO_TIME);
		cr_assert_eq(event.repo, T2_NO_NUMBER);
		for (const struct t2_field *field = desc->fields; field->name[0]; field++) {
			const char *at = (const char *)&event + field->offset;

			if (field->type == T2_FIELD_STRING || field->type == T2_FIELD_TEXT ||
			    field->type == T2_FIELD_ARGUMENT || field->type == T2_FIELD_LIST ||
			    field->type == T2_FIELD_JSON)
				cr_assert_null(*(const void *const *)(const void *)at,
					       "%s of %s is not NULL", field->name, desc->name);
		}
	}
}

Test(event, knows_which_kinds_have_a_member_as_a_key)
{
	cr_assert(t2_event_has(T2_EVENT_DATA, offsetof(struct t2_event, repo)));
	cr_assert(t2_event_has(T2_EVENT_CHILD_EXIT, offsetof(struct t2_event, rel_ns)));
	cr_assert_not(t2_event_has(T2_EVENT_EXIT, offsetof(struct t2_event, rel_ns)));
	cr_assert_not(t2_event_has(T2_EVENT_THREAD_START, offsetof(struct t2_event, kind)));
}

Test(event, a_new_child_exit_has_no_usage)
{
	struct t2_event event;

	t2_event_init(&event, T2_EVENT_CHILD_EXIT);
	cr_assert_eq(event.u.child_exit.user_ns, T2_NO_TIME);
	cr_assert_eq(event.u.child_exit.sys_ns, T2_NO_TIME);
	cr_assert_eq(event.u.child_exit.max_rss_kb, T2_NO_NUMBER);
	cr_assert_eq(event.u.child_exit.code, 0);
}
