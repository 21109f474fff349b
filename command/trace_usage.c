/* SPDX-License-Identifier: MIT */
/*
 * The value of a data_json of category "process" and key "rusage": what getrusage()
 * said at the end.
 */
#include "command/trace_build.h"
#include "formatters/json_reader.h"
#include "formatters/scalar_reader.h"

#include <string.h>

static uint64_t us_to_ns(int64_t us)
{
	if (us < 0)
		return 0;
	return (uint64_t)(us < T2_TIME_MAX / 1000000 ? us : T2_TIME_MAX / 1000000) * 1000;
}

static const struct {
	const char *key;
	size_t offset;
	bool is_time;
} members[] = {
	{"user_us", offsetof(struct t2_rusage, user_ns), true},
	{"sys_us", offsetof(struct t2_rusage, sys_ns), true},
	{"max_rss_kb", offsetof(struct t2_rusage, max_rss_kb), false},
	{"minor_faults", offsetof(struct t2_rusage, minor_faults), false},
	{"major_faults", offsetof(struct t2_rusage, major_faults), false},
	{"in_blocks", offsetof(struct t2_rusage, in_blocks), false},
	{"out_blocks", offsetof(struct t2_rusage, out_blocks), false},
	{"voluntary_switches", offsetof(struct t2_rusage, voluntary_switches), false},
	{"involuntary_switches", offsetof(struct t2_rusage, involuntary_switches), false},
};

#define NR_MEMBERS (sizeof(members) / sizeof(*members))

/* Writers put them in one order: *@hint is where the next one is looked for first. */
static void set_usage(struct t2_rusage *usage, const char *key, int64_t number, size_t *hint)
{
	for (size_t i = 0; i < NR_MEMBERS; i++) {
		size_t at = (*hint + i) % NR_MEMBERS;
		char *member = (char *)usage + members[at].offset;

		if (strcmp(key, members[at].key) != 0)
			continue;
		if (members[at].is_time)
			*(uint64_t *)member = us_to_ns(number);
		else
			*(uint32_t *)member = t2_to_u32(number);
		*hint = at + 1;
		return;
	}
}

/* The next member's key; NULL at the end of the object, or at an error. */
static const char *next_key(struct t2_json_reader *json, bool is_first)
{
	const char *key;

	if (t2_json_peek(json) == '}') {
		t2_json_take(json, '}', NULL);
		return NULL;
	}
	if (!is_first && !t2_json_take(json, ',', NULL))
		return NULL;
	key = t2_json_read_string(json);
	return key && t2_json_take(json, ':', NULL) ? key : NULL;
}

/* Numbers by their names; others are passed over. */
static bool read_usage(struct t2_json_reader *json, struct t2_rusage *usage)
{
	char *room = json->room;
	const char *key, *text;
	bool is_first = true;
	int64_t number;
	size_t len, hint = 0;

	if (!t2_json_take(json, '{', NULL))
		return false;
	while ((key = next_key(json, is_first))) {
		is_first = false;
		if (!t2_json_read_number(json, &text, &len))
			return false;
		if (t2_scalar_to_i64(text, len, &number) == T2_SCALAR_OK)
			set_usage(usage, key, number, &hint);
		json->room = room;
	}
	return !json->error;
}

void t2_builder_rusage(struct t2_builder *builder, uint32_t id, const char *text)
{
	struct t2_process *process = &builder->trace->processes[id];
	struct t2_rusage self = {0}, children = {0};
	struct t2_json_reader json;
	bool is_first = true;
	const char *key;
	char room[512];

	t2_json_reader_init(&json, text, strlen(text), room, sizeof(room));
	if (!t2_json_take(&json, '{', NULL))
		return;
	while ((key = next_key(&json, is_first))) {
		is_first = false;
		json.room = room;
		if (strcmp(key, "self") != 0 && strcmp(key, "children") != 0) {
			if (!t2_json_skip_value(&json))
				return;
		} else if (!read_usage(&json, *key == 's' ? &self : &children)) {
			return;
		}
	}
	if (json.error)
		return;
	process->has_rusage = true;
	process->self = self;
	process->children = children;
}
