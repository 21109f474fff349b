/* SPDX-License-Identifier: MIT */
/*
 * Sessions and records, as the lines tell of them. Lines of different processes
 * come in any order, those of one session nearly in theirs.
 */
#include "command/trace_build.h"
#include "formatters/json_reader.h"
#include "formatters/scalar_reader.h"
#include "preload/event.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define COMPONENT_LEN 43 /* YYYYMMDDThhmmss.uuuuuuZ-Hxxxxxxxx-Pxxxxxxxx */

uint64_t t2_sid_hash(const char *sid, size_t len)
{
	return XXH3_64bits(sid, len);
}

/* --- session ids -------------------------------------------------------------- */

static uint32_t find_host(struct t2_builder *builder, const char *name, size_t len)
{
	struct t2_trace *trace = builder->trace;
	const char *kept = t2_strings_keep(&builder->store->strings, name, len);
	uint32_t host = t2_map_get(&builder->host_ids, (uintptr_t)kept);
	void *grown;

	if (host != T2_MAP_NONE)
		return host;
	grown = t2_builder_grow(builder, trace->hosts, trace->nr_hosts, &builder->max_hosts,
				sizeof(*trace->hosts));
	if (!grown)
		return 0;
	trace->hosts = grown;
	host = trace->nr_hosts++;
	trace->hosts[host] = (struct t2_host){.name = kept};
	if (!kept || !t2_map_put(&builder->host_ids, (uintptr_t)kept, host))
		builder->is_out_of_memory = true;
	return host;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "...-P" and eight digits, as git has it, and as others who know only that. */
static int32_t read_pid(const char *component, size_t len)
{
	uint32_t pid = 0;

	if (len < 10 || memcmp(component + len - 10, "-P", 2) != 0)
		return -1;
	for (size_t i = len - 8; i < len; i++) {
		if (hex_value(component[i]) < 0)
			return -1;
		pid = pid << 4 | (uint32_t)hex_value(component[i]);
	}
	return pid <= INT32_MAX ? (int32_t)pid : -1;
}

/* Between the time's "Z-" and "-P". */
static uint32_t read_host(struct t2_builder *builder, const char *component, size_t len)
{
	const char *dash = memchr(component, '-', len);

	if (!dash || read_pid(component, len) < 0 || component + len - 10 <= dash)
		return find_host(builder, "", 0);
	return find_host(builder, dash + 1, (size_t)(component + len - 10 - dash - 1));
}

/* The time that a session id holds, for sessions that tell no other. */
static int64_t read_sid_time(const char *component, size_t len)
{
	uint64_t ns;
	char text[28];

	if (len != COMPONENT_LEN)
		return T2_NEVER;
	/* YYYYMMDDThhmmss.uuuuuuZ -> YYYY-MM-DDThh:mm:ss.uuuuuuZ */
	memcpy(text, component, 4);
	text[4] = text[7] = '-';
	memcpy(text + 5, component + 4, 2);
	memcpy(text + 8, component + 6, 5);
	text[13] = text[16] = ':';
	memcpy(text + 14, component + 11, 2);
	memcpy(text + 17, component + 13, 10);
	text[27] = '\0';
	if (t2_scalar_to_wall_ns(text, &ns) != T2_SCALAR_OK || ns > (uint64_t)T2_TIME_MAX)
		return T2_NEVER;
	return (int64_t)ns;
}

static uint32_t add_session(struct t2_builder *builder, const char *sid, size_t len, uint64_t hash)
{
	const char *slash = memrchr(sid, '/', len);
	const char *component = slash ? slash + 1 : sid;
	size_t component_len = (size_t)(sid + len - component);
	uint32_t id = t2_builder_add(builder);
	struct t2_process *process;
	struct t2_session *session;

	if (id == T2_NO_PROCESS)
		return id;
	if (!t2_map_put(&builder->store->sids, hash, id))
		builder->is_out_of_memory = true;
	process = &builder->trace->processes[id];
	session = &builder->sessions[id];
	process->sid = t2_builder_keep(builder, component);
	process->pid = read_pid(component, component_len);
	process->host = read_host(builder, component, component_len);
	process->image_ns = read_sid_time(component, component_len);
	if (!slash)
		return id;
	process->parent =
		t2_map_get(&builder->store->sids, t2_sid_hash(sid, (size_t)(slash - sid)));
	if (process->parent != T2_MAP_NONE)
		return id;
	process->parent = T2_ROOT;
	session->prefix = t2_strings_keep(&builder->store->strings, sid, (size_t)(slash - sid));
	if (!session->prefix)
		builder->is_out_of_memory = true;
	return id;
}

static uint32_t find_session(struct t2_builder *builder, const char *sid)
{
	size_t len = strlen(sid);
	uint64_t hash = t2_sid_hash(sid, len);
	uint32_t id = t2_map_get(&builder->store->sids, hash);

	return id != T2_MAP_NONE ? id : add_session(builder, sid, len, hash);
}

/* --- times -------------------------------------------------------------------- */

/* When it was; T2_NEVER if the line does not tell and nothing before it did. */
static int64_t time_of(struct t2_session *session, const struct t2_event *event)
{
	bool has_abs = event->abs_ns <= (uint64_t)T2_TIME_MAX / 2;
	int64_t abs_ns = has_abs ? (int64_t)event->abs_ns : 0;
	int64_t time_ns = session->last_ns;

	if (event->wall_ns <= (uint64_t)T2_TIME_MAX) {
		time_ns = (int64_t)event->wall_ns;
		if (session->origin_ns == T2_NEVER)
			session->origin_ns = time_ns - abs_ns;
	} else if (has_abs && session->origin_ns != T2_NEVER) {
		time_ns = session->origin_ns + abs_ns;
	}
	if (time_ns > session->last_ns)
		session->last_ns = time_ns;
	return time_ns;
}

static int64_t duration_of(uint64_t ns)
{
	return ns <= (uint64_t)T2_TIME_MAX / 2 ? (int64_t)ns : T2_NEVER;
}

static int32_t to_i32(int64_t number)
{
	return number >= 0 && number <= INT32_MAX ? (int32_t)number : -1;
}

static uint32_t to_u32(int64_t number)
{
	if (number < 0)
		return 0;
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX - 1;
}

/* --- strings ------------------------------------------------------------------ */

/* All strings of a list one behind the other; in the event they often are already. */
static const char *keep_list(struct t2_builder *builder, const char *const *list, uint32_t *ret_nr)
{
	const char *kept = NULL;
	size_t len = 0, nr = 0;
	bool is_joined = true;
	char *copy, *at;

	*ret_nr = 0;
	for (; list && list[nr]; nr++) {
		is_joined = is_joined && list[nr] == list[0] + len;
		len += strlen(list[nr]) + 1;
	}
	if (!nr || nr >= UINT32_MAX)
		return NULL;
	*ret_nr = (uint32_t)nr;
	if (is_joined)
		return t2_strings_keep(&builder->store->strings, list[0], len - 1);
	at = copy = malloc(len);
	for (size_t i = 0; copy && i < nr; i++)
		at = stpcpy(at, list[i]) + 1;
	if (copy)
		kept = t2_strings_keep(&builder->store->strings, copy, len - 1);
	free(copy);
	return kept;
}

static void set_argv(struct t2_builder *builder, const char *const *list, const char **ret_argv,
		     uint32_t *ret_argc)
{
	*ret_argv = keep_list(builder, list, ret_argc);
	if (*ret_argc && !*ret_argv) {
		builder->is_out_of_memory = true;
		*ret_argc = 0;
	}
}

static uint8_t find_class(struct t2_builder *builder, const char *name)
{
	struct t2_trace_store *store = builder->store;
	const char *kept = t2_builder_keep(builder, name ? name : "");
	unsigned i;

	for (i = 1; i < store->nr_classes; i++) {
		if (store->classes[i] == kept)
			return (uint8_t)i;
	}
	if (!kept || !*kept || i > UINT8_MAX)
		return 0;
	store->classes[store->nr_classes++] = kept;
	return (uint8_t)i;
}

/* --- records ------------------------------------------------------------------ */

static uint32_t add_record(struct t2_builder *builder, uint32_t parent, int64_t time_ns)
{
	void *grown = t2_builder_grow(builder, builder->records, builder->nr_records,
				      &builder->max_records, sizeof(*builder->records));

	if (!grown)
		return T2_NO_PROCESS;
	builder->records = grown;
	builder->records[builder->nr_records] = (struct t2_record){
		.start_ns = time_ns,
		.end_ns = T2_NEVER,
		.parent = parent,
		.process = T2_NO_PROCESS,
		.child_id = -1,
		.pid = -1,
		.code = -1,
	};
	return builder->nr_records++;
}

static uint64_t record_key(uint32_t parent, int32_t child_id)
{
	return (uint64_t)parent << 32 | (uint32_t)child_id;
}

/* A record that is there already is not begun again. */
static struct t2_record *begin_child(struct t2_builder *builder, uint32_t id, int64_t child_id,
				     int64_t time_ns)
{
	int32_t number = to_i32(child_id);
	uint32_t at;

	if (number < 0 || t2_map_get(&builder->record_ids, record_key(id, number)) != T2_MAP_NONE) {
		builder->trace->stats.nr_ignored++;
		return NULL;
	}
	at = add_record(builder, id, time_ns);
	if (at == T2_NO_PROCESS)
		return NULL;
	if (!t2_map_put(&builder->record_ids, record_key(id, number), at))
		builder->is_out_of_memory = true;
	builder->records[at].child_id = number;
	return &builder->records[at];
}

/* Without a time of its own the end is as long after the start as it says. */
static int64_t end_of_child(struct t2_session *session, const struct t2_record *record,
			    const struct t2_event *event, int64_t time_ns)
{
	int64_t duration_ns = duration_of(event->rel_ns);

	if (event->wall_ns <= (uint64_t)T2_TIME_MAX || record->start_ns == T2_NEVER ||
	    duration_ns == T2_NEVER)
		return time_ns;
	time_ns = record->start_ns + duration_ns;
	if (time_ns > session->last_ns)
		session->last_ns = time_ns;
	return time_ns;
}

/* The record of a child that ends. One that nobody saw begin has lasted @rel_ns. */
static struct t2_record *find_child(struct t2_builder *builder, uint32_t id, int64_t child_id,
				    int64_t time_ns, uint64_t rel_ns)
{
	int32_t number = to_i32(child_id);
	int64_t duration_ns = duration_of(rel_ns);
	uint32_t at;

	at = number < 0 ? T2_MAP_NONE : t2_map_get(&builder->record_ids, record_key(id, number));
	if (at != T2_MAP_NONE)
		return &builder->records[at];
	if (time_ns != T2_NEVER && duration_ns != T2_NEVER)
		time_ns -= duration_ns;
	return begin_child(builder, id, child_id, time_ns);
}

static void take_child_start(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
			     int64_t time_ns)
{
	struct t2_record *record;

	record = begin_child(builder, id, event->u.child_start.child_id, time_ns);
	if (!record)
		return;
	record->child_class = find_class(builder, event->u.child_start.child_class);
	set_argv(builder, event->u.child_start.argv, &record->argv, &record->argc);
}

static void take_child_exit(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
			    int64_t time_ns)
{
	int64_t pid = event->u.child_exit.pid, code = event->u.child_exit.code;
	struct t2_record *record;

	record = find_child(builder, id, event->u.child_exit.child_id, time_ns, event->rel_ns);
	if (!record)
		return;
	if (record->has_exit) {
		builder->trace->stats.nr_ignored++;
		return;
	}
	record->has_exit = true;
	record->end_ns = end_of_child(&builder->sessions[id], record, event, time_ns);
	record->pid = to_i32(pid);
	record->code = to_i32(code);
	record->is_unstarted = pid == -1 && code == -1;
	if (record->is_unstarted)
		builder->trace->processes[id].nr_failed_execs++;
	if (event->u.child_exit.user_ns == T2_NO_TIME || event->u.child_exit.sys_ns == T2_NO_TIME)
		return;
	record->has_rusage = true;
	record->user_ns = event->u.child_exit.user_ns;
	record->sys_ns = event->u.child_exit.sys_ns;
	record->max_rss_kb = to_u32(event->u.child_exit.max_rss_kb);
}

static void take_child_ready(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
			     int64_t time_ns)
{
	struct t2_record *record;

	record = find_child(builder, id, event->u.child_ready.child_id, time_ns, event->rel_ns);
	if (!record || record->has_exit)
		return;
	record->is_released = true;
	record->end_ns = end_of_child(&builder->sessions[id], record, event, time_ns);
	record->pid = to_i32(event->u.child_ready.pid);
}

static void take_exec(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
		      int64_t time_ns)
{
	uint32_t at = add_record(builder, id, time_ns);
	struct t2_process *process = &builder->trace->processes[id];
	struct t2_record *record;

	if (at == T2_NO_PROCESS)
		return;
	if (builder->sessions[id].exec != T2_NO_PROCESS)
		builder->records[builder->sessions[id].exec].is_void = true;
	record = &builder->records[at];
	record->is_exec = true;
	record->exe = t2_builder_keep(builder, event->u.exec.exe);
	set_argv(builder, event->u.exec.argv, &record->argv, &record->argc);
	builder->sessions[id].exec = at;
	process->end = T2_END_EXEC;
	process->end_ns = time_ns;
}

/* It only tells of failures. */
static void take_exec_result(struct t2_builder *builder, uint32_t id)
{
	struct t2_process *process = &builder->trace->processes[id];

	process->nr_failed_execs++;
	if (builder->sessions[id].exec == T2_NO_PROCESS)
		return;
	builder->records[builder->sessions[id].exec].is_void = true;
	builder->sessions[id].exec = T2_NO_PROCESS;
	if (process->end != T2_END_EXEC)
		return;
	process->end = T2_END_UNKNOWN;
	process->end_ns = T2_NEVER;
}

/* --- the process itself -------------------------------------------------------- */

static void take_begin(struct t2_builder *builder, uint32_t id, int64_t time_ns)
{
	struct t2_process *process = &builder->trace->processes[id];

	if (builder->sessions[id].has_begun) {
		process->is_repeated = true;
		return;
	}
	builder->sessions[id].has_begun = true;
	if (time_ns != T2_NEVER)
		process->image_ns = time_ns;
}

static void take_start(struct t2_builder *builder, uint32_t id, const struct t2_event *event)
{
	struct t2_process *process = &builder->trace->processes[id];
	int64_t abs_ns = duration_of(event->abs_ns);

	if (process->argv)
		return;
	set_argv(builder, event->u.start.argv, &process->argv, &process->argc);
	/* git says "version" only when it is ready to; it began earlier. */
	if (abs_ns != T2_NEVER && event->wall_ns <= (uint64_t)T2_TIME_MAX) {
		process->image_ns = (int64_t)event->wall_ns - abs_ns;
		builder->sessions[id].origin_ns = process->image_ns;
	}
}

static void take_end(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
		     int64_t time_ns)
{
	struct t2_process *process = &builder->trace->processes[id];

	builder->sessions[id].end_abs_ns = duration_of(event->abs_ns);
	process->end_ns = time_ns;
	if (process->end == T2_END_SIGNAL)
		return;
	process->end = T2_END_EXIT;
	process->code = to_i32(event->u.exit.code);
}

static void take_signal(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
			int64_t time_ns)
{
	struct t2_process *process = &builder->trace->processes[id];
	int64_t signo = event->u.signal.signo;

	builder->sessions[id].end_abs_ns = duration_of(event->abs_ns);
	process->end_ns = time_ns;
	process->end = T2_END_SIGNAL;
	process->signo = signo > 0 && signo < 128 ? (uint8_t)signo : 0;
	process->code = 128 + process->signo;
}

/* --- usage -------------------------------------------------------------------- */

static uint64_t us_to_ns(int64_t us)
{
	if (us < 0)
		return 0;
	return (uint64_t)(us < T2_TIME_MAX / 1000000 ? us : T2_TIME_MAX / 1000000) * 1000;
}

static void set_usage(struct t2_rusage *usage, const char *key, int64_t number)
{
	static const struct {
		const char *key;
		size_t offset;
	} counts[] = {
		{"max_rss_kb", offsetof(struct t2_rusage, max_rss_kb)},
		{"minor_faults", offsetof(struct t2_rusage, minor_faults)},
		{"major_faults", offsetof(struct t2_rusage, major_faults)},
		{"in_blocks", offsetof(struct t2_rusage, in_blocks)},
		{"out_blocks", offsetof(struct t2_rusage, out_blocks)},
		{"voluntary_switches", offsetof(struct t2_rusage, voluntary_switches)},
		{"involuntary_switches", offsetof(struct t2_rusage, involuntary_switches)},
	};

	if (!strcmp(key, "user_us"))
		usage->user_ns = us_to_ns(number);
	else if (!strcmp(key, "sys_us"))
		usage->sys_ns = us_to_ns(number);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (!strcmp(key, counts[i].key))
			*(uint32_t *)((char *)usage + counts[i].offset) = to_u32(number);
	}
}

/* The next member's key; NULL at the end of the object, or at an error. */
static const char *next_key(struct t2_json_reader *json, bool is_first)
{
	const char *key;

	if (t2_json_peek(json) == '}')
		return t2_json_take(json, '}', NULL) ? NULL : NULL;
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
	size_t len;

	if (!t2_json_take(json, '{', NULL))
		return false;
	while ((key = next_key(json, is_first))) {
		is_first = false;
		if (!t2_json_read_number(json, &text, &len))
			return false;
		if (t2_scalar_to_i64(text, len, &number) == T2_SCALAR_OK)
			set_usage(usage, key, number);
		json->room = room;
	}
	return !json->error;
}

static void take_rusage(struct t2_builder *builder, uint32_t id, const char *text)
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

/* --- regions ------------------------------------------------------------------ */

static void enter_region(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
			 int64_t time_ns)
{
	void *grown = t2_builder_grow(builder, builder->regions, builder->nr_regions,
				      &builder->max_regions, sizeof(*builder->regions));
	struct t2_open_region *open;

	if (!grown)
		return;
	builder->regions = grown;
	open = &builder->regions[builder->nr_regions];
	open->outer = builder->sessions[id].open_region;
	open->region = (struct t2_region){
		.category = t2_builder_keep(builder, event->u.region.category),
		.label = t2_builder_keep(builder, event->u.region.label),
		.msg = t2_builder_keep(builder, event->u.region.msg),
		.thread = t2_builder_keep(builder, event->thread),
		.start_ns = time_ns,
		.end_ns = T2_NEVER,
		.process = id,
		.nesting = (uint16_t)(event->nesting < UINT16_MAX ? event->nesting : UINT16_MAX),
		.is_incomplete = true,
	};
	builder->sessions[id].open_region = builder->nr_regions++;
}

/* The innermost of its thread with that name; what was left open in it stays so.
 * Only so many are looked at: nobody nests deeper in good faith. */
static void leave_region(struct t2_builder *builder, uint32_t id, const struct t2_event *event,
			 int64_t time_ns)
{
	const char *label = t2_builder_keep(builder, event->u.region.label);
	const char *thread = t2_builder_keep(builder, event->thread);
	uint32_t *at = &builder->sessions[id].open_region;

	for (int nr = 0; nr < 256 && *at != T2_NO_PROCESS; nr++) {
		struct t2_open_region *open = &builder->regions[*at];

		if (open->region.thread == thread && open->region.label == label) {
			open->region.end_ns = time_ns;
			open->region.is_incomplete = false;
			*at = open->outer;
			return;
		}
		at = &open->outer;
	}
	builder->trace->stats.nr_ignored++;
}

/* --- events ------------------------------------------------------------------- */

static void take_param(struct t2_builder *builder, uint32_t id, const struct t2_event *event)
{
	struct t2_process *process = &builder->trace->processes[id];

	if (event->u.def_param.param && !strcmp(event->u.def_param.param, "cwd") && !process->cwd)
		process->cwd = t2_builder_keep(builder, event->u.def_param.value);
}

static void take_data(struct t2_builder *builder, uint32_t id, const struct t2_event *event)
{
	if (event->u.data_json.category && !strcmp(event->u.data_json.category, "process") &&
	    event->u.data_json.key && !strcmp(event->u.data_json.key, "rusage") &&
	    event->u.data_json.value)
		take_rusage(builder, id, event->u.data_json.value);
}

void t2_builder_event(struct t2_builder *builder, const struct t2_event *event)
{
	uint32_t id = find_session(builder, event->sid);
	struct t2_process *process;
	int64_t time_ns;

	if (id == T2_NO_PROCESS)
		return;
	process = &builder->trace->processes[id];
	time_ns = time_of(&builder->sessions[id], event);
	switch (event->kind) {
	case T2_EVENT_VERSION:
		take_begin(builder, id, time_ns);
		break;
	case T2_EVENT_START:
		take_start(builder, id, event);
		break;
	case T2_EVENT_EXIT:
	case T2_EVENT_ATEXIT:
		take_end(builder, id, event, time_ns);
		break;
	case T2_EVENT_SIGNAL:
		take_signal(builder, id, event, time_ns);
		break;
	case T2_EVENT_ERROR:
		process->error = t2_builder_keep(builder, event->u.error.msg);
		break;
	case T2_EVENT_CMD_PATH:
		process->exe = t2_builder_keep(builder, event->u.cmd_path.path);
		break;
	case T2_EVENT_CMD_NAME:
		process->name = t2_builder_keep(builder, event->u.cmd_name.name);
		break;
	case T2_EVENT_DEF_PARAM:
		take_param(builder, id, event);
		break;
	case T2_EVENT_CHILD_START:
		take_child_start(builder, id, event, time_ns);
		break;
	case T2_EVENT_CHILD_EXIT:
		take_child_exit(builder, id, event, time_ns);
		break;
	case T2_EVENT_CHILD_READY:
		take_child_ready(builder, id, event, time_ns);
		break;
	case T2_EVENT_EXEC:
		take_exec(builder, id, event, time_ns);
		break;
	case T2_EVENT_EXEC_RESULT:
		take_exec_result(builder, id);
		break;
	case T2_EVENT_THREAD_START:
		process->nr_threads++;
		break;
	case T2_EVENT_REGION_ENTER:
		enter_region(builder, id, event, time_ns);
		break;
	case T2_EVENT_REGION_LEAVE:
		leave_region(builder, id, event, time_ns);
		break;
	case T2_EVENT_DATA_JSON:
		take_data(builder, id, event);
		break;
	case T2_EVENT_TOO_MANY_FILES:
		builder->trace->stats.nr_discarded++;
		break;
	default:
		break;
	}
}
