/* SPDX-License-Identifier: MIT */
/*
 * Sessions and records, as the lines tell of them. Lines of different processes
 * come in any order, those of one session nearly in theirs.
 */
#include "command/trace_build.h"
#include "preload/event.h"

#include <stdlib.h>
#include <string.h>

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
	record->max_rss_kb = t2_to_u32(event->u.child_exit.max_rss_kb);
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
		t2_builder_rusage(builder, id, event->u.data_json.value);
}

void t2_builder_event(struct t2_builder *builder, const struct t2_event *event)
{
	uint32_t id = t2_builder_session(builder, event->sid);
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
