/* SPDX-License-Identifier: MIT */
#include "schema.h"
#include "report.h"

#include <ctype.h>
#include <string.h>

/*
 * Each event and its keys, one letter for the type before each name:
 *
 *   i integer, t number of seconds, b boolean, s string, l list of strings, j anything
 *
 * A name that may be missing stands after a question mark.
 */
static const struct {
	const char *event;
	const char *keys;
} shapes[] = {
	{"version", "s:evt s:exe"},
	{"too_many_files", ""},
	{"start", "t:t_abs l:argv"},
	{"exit", "t:t_abs i:code"},
	{"atexit", "t:t_abs i:code"},
	{"signal", "t:t_abs i:signo"},
	{"error", "s?msg s?fmt"},
	{"cmd_path", "s:path"},
	{"cmd_ancestry", "l:ancestry"},
	{"cmd_name", "s:name s?hierarchy"},
	{"cmd_mode", "s:name"},
	{"alias", "s:alias l:argv"},
	{"child_start", "i:child_id s:child_class s?hook_name s?cd b:use_shell l:argv"},
	{"child_exit", "i:child_id i:pid i:code t:t_rel t?t_user t?t_sys i?max_rss_kb"},
	{"child_ready", "i:child_id i:pid s:ready t:t_rel"},
	{"exec", "i:exec_id s?exe l:argv"},
	{"exec_result", "i:exec_id i:code"},
	{"thread_start", ""},
	{"thread_exit", "t:t_rel"},
	{"def_param", "s:scope s:param s?value"},
	{"def_repo", "i:repo s:worktree"},
	{"region_enter", "i:nesting s?category s?label s?msg"},
	{"region_leave", "t:t_rel i:nesting s?category s?label s?msg"},
	{"data", "t:t_abs t:t_rel i:nesting s:category s:key s:value"},
	{"data_json", "t:t_abs t:t_rel i:nesting s:category s:key j:value"},
	{"th_timer", "s:category s:name i:intervals t:t_total t:t_min t:t_max"},
	{"timer", "s:category s:name i:intervals t:t_total t:t_min t:t_max"},
	{"th_counter", "s:category s:name i:count"},
	{"counter", "s:category s:name i:count"},
	{"printf", "t:t_abs s?msg"},
};

static const char common_keys[] = "s:event s:sid s:thread s:time s?file i?line i?repo";

/* Does @text have the form of @pattern: d digit, h hex digit, else itself? */
static bool has_form(const char *text, const char *pattern)
{
	for (; *pattern; pattern++, text++) {
		if (*pattern == 'd' ? !isdigit((unsigned char)*text)
		    : *pattern == 'h'
			    ? !isdigit((unsigned char)*text) && (*text < 'a' || *text > 'f')
			    : *text != *pattern)
			return false;
	}
	return !*text;
}

bool t2_schema_is_sid(const char *sid)
{
	const char *slash = strrchr(sid, '/');
	const char *last = slash ? slash + 1 : sid;

	return has_form(last, "ddddddddTdddddd.ddddddZ-Hhhhhhhhh-Phhhhhhhh") ||
	       has_form(last, "ddddddddTdddddd.ddddddZ-Localhost-Phhhhhhhh");
}

static bool is_list(const json_t *value)
{
	const json_t *item;
	size_t i;

	if (!json_is_array(value))
		return false;
	json_array_foreach(value, i, item)
	{
		if (!json_is_string(item))
			return false;
	}
	return true;
}

static bool has_type(const json_t *value, char type)
{
	switch (type) {
	case 'i':
		return json_is_integer(value);
	case 't':
		return json_is_real(value) && json_real_value(value) >= 0;
	case 'b':
		return json_is_boolean(value);
	case 's':
		return json_is_string(value);
	case 'l':
		return is_list(value);
	default:
		return true;
	}
}

static bool check_keys(const json_t *line, const char *keys, size_t line_nr)
{
	char name[32];
	bool is_good = true;

	for (const char *at = keys; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		const json_t *value;

		memcpy(name, at + 2, len - 2);
		name[len - 2] = '\0';
		value = json_object_get(line, name);
		if (!value && at[1] == ':') {
			t2_report("line %zu: has no %s", line_nr, name);
			is_good = false;
		} else if (value && !has_type(value, at[0])) {
			t2_report("line %zu: %s is of the wrong type", line_nr, name);
			is_good = false;
		}
		at += len;
	}
	return is_good;
}

static const char *shape_of(const char *event)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(shapes[i].event, event))
			return shapes[i].keys;
	return NULL;
}

static bool has_sound_sid(const char *sid)
{
	char part[64];
	size_t len;

	for (; (len = strcspn(sid, "/")); sid += len + 1) {
		if (len >= sizeof(part))
			return false;
		memcpy(part, sid, len);
		part[len] = '\0';
		if (!t2_schema_is_sid(part))
			return false;
		if (!sid[len])
			return true;
	}
	return false;
}

bool t2_schema_check(const json_t *line, size_t line_nr)
{
	const char *event = json_string_value(json_object_get(line, "event"));
	const char *time = json_string_value(json_object_get(line, "time"));
	const char *sid = json_string_value(json_object_get(line, "sid"));
	const char *keys;

	if (!check_keys(line, common_keys, line_nr))
		return false;
	keys = shape_of(event);
	if (!keys)
		t2_report("line %zu: there is no event %s", line_nr, event);
	if (!has_form(time, "dddd-dd-ddTdd:dd:dd.ddddddZ"))
		t2_report("line %zu: time is not of its form: %s", line_nr, time);
	if (!has_sound_sid(sid))
		t2_report("line %zu: sid is not of its form: %s", line_nr, sid);
	return keys && t2_schema_is_sid(sid) && check_keys(line, keys, line_nr);
}
