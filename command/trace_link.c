/* SPDX-License-Identifier: MIT */
/*
 * Which process is the child that a parent told of? It has the parent's session id
 * before its own, and the pid the parent waited for. Where there was no wait, or pids
 * mean something else (containers), the arguments must be the same; where those
 * differ, too (scripts), the order decides.
 *
 * What remains are processes that were seen from outside only.
 */
#include "command/sort.h"
#include "command/trace_build.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum key { BY_PID, BY_ARGV, BY_PARENT };

/* --- parents ------------------------------------------------------------------ */

/* The longest part of @prefix that is a session: its length; 0 if none is. */
static size_t find_ancestor(const struct t2_builder *builder, const char *prefix, uint32_t *ret_id)
{
	size_t best = 0, hashed = 0, len = strlen(prefix);
	XXH3_state_t state;

	*ret_id = T2_ROOT;
	XXH3_64bits_reset(&state);
	while (hashed < len) {
		const char *slash = memchr(prefix + hashed + 1, '/', len - hashed - 1);
		size_t end = slash ? (size_t)(slash - prefix) : len;
		uint32_t id;

		XXH3_64bits_update(&state, prefix + hashed, end - hashed);
		id = t2_map_get(&builder->store->sids, XXH3_64bits_digest(&state));
		if (id != T2_MAP_NONE) {
			*ret_id = id;
			best = end;
		}
		hashed = end;
	}
	return best;
}

/* Parents may come later than their children, or not at all. */
static void find_parents(struct t2_builder *builder)
{
	struct t2_trace *trace = builder->trace;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		struct t2_process *process = &trace->processes[id];
		const char *prefix = builder->sessions[id].prefix;
		size_t missing;
		char *sid;

		if (!prefix)
			continue;
		missing = find_ancestor(builder, prefix, &process->parent);
		if (process->parent != T2_ROOT && missing == strlen(prefix))
			continue;
		process->is_orphan = true;
		missing += process->parent != T2_ROOT;
		sid = malloc(strlen(prefix) - missing + strlen(process->sid) + 2);
		if (!sid) {
			builder->is_out_of_memory = true;
			return;
		}
		stpcpy(stpcpy(stpcpy(sid, prefix + missing), "/"), process->sid);
		process->sid = t2_builder_keep(builder, sid);
		free(sid);
	}
}

/* --- records and sessions ----------------------------------------------------- */

static int64_t make_key(enum key by, uint32_t parent, int32_t pid, const char *argv)
{
	struct {
		uint64_t parent;
		const char *argv;
	} both = {parent, argv};

	if (by == BY_PID)
		return (int64_t)((uint64_t)parent << 32 | (uint32_t)pid);
	return by == BY_ARGV ? (int64_t)XXH3_64bits(&both, sizeof(both)) : (int64_t)parent;
}

/* A process keeps its pid when it executes something. */
static int32_t pid_of(const struct t2_builder *builder, const struct t2_record *record)
{
	return record->is_exec ? builder->trace->processes[record->parent].pid : record->pid;
}

static bool is_wanted(const struct t2_builder *builder, const struct t2_record *record, enum key by)
{
	if (record->is_void || record->is_unstarted || record->process != T2_NO_PROCESS)
		return false;
	if (by == BY_PID)
		return pid_of(builder, record) >= 0;
	return by == BY_ARGV || pid_of(builder, record) < 0;
}

static struct t2_sort_item *sort_records(struct t2_builder *builder, enum key by, uint32_t *ret_nr)
{
	struct t2_sort_item *items = malloc((builder->nr_records + 1) * sizeof(*items));
	uint32_t nr = 0;

	for (uint32_t i = 0; items && i < builder->nr_records; i++) {
		if (is_wanted(builder, &builder->records[i], by))
			items[nr++] = (struct t2_sort_item){.key = builder->records[i].start_ns,
							    .value = i};
	}
	*ret_nr = nr;
	if (!items || !t2_sort(items, nr)) {
		free(items);
		return NULL;
	}
	for (uint32_t i = 0; i < nr; i++) {
		const struct t2_record *record = &builder->records[items[i].value];

		items[i].key = make_key(by, record->parent, pid_of(builder, record), record->argv);
	}
	if (t2_sort(items, nr))
		return items;
	free(items);
	return NULL;
}

static struct t2_sort_item *sort_sessions(struct t2_builder *builder, enum key by, uint32_t *ret_nr)
{
	struct t2_trace *trace = builder->trace;
	struct t2_sort_item *items = malloc(trace->nr_processes * sizeof(*items));
	uint32_t nr = 0;

	for (uint32_t id = 1; items && id < trace->nr_processes; id++) {
		if (builder->sessions[id].record == T2_NO_PROCESS &&
		    !trace->processes[id].is_orphan)
			items[nr++] = (struct t2_sort_item){.key = trace->processes[id].image_ns,
							    .value = id};
	}
	*ret_nr = nr;
	if (!items || !t2_sort(items, nr)) {
		free(items);
		return NULL;
	}
	for (uint32_t i = 0; i < nr; i++) {
		const struct t2_process *process = &trace->processes[items[i].value];

		items[i].key = make_key(by, process->parent, process->pid, process->argv);
	}
	if (t2_sort(items, nr))
		return items;
	free(items);
	return NULL;
}

/* Whether the session may have begun then: -1 is too early, 1 too late. Clocks of
 * several hosts cannot be compared yet. */
static int compare_time(const struct t2_builder *builder, const struct t2_record *record,
			const struct t2_process *process)
{
	int64_t began_ns = process->image_ns;

	if (process->host != builder->trace->processes[record->parent].host || began_ns == T2_NEVER)
		return 0;
	if (record->start_ns != T2_NEVER && began_ns < record->start_ns - T2_CLOCK_SLACK_NS)
		return -1;
	return record->end_ns != T2_NEVER && began_ns > record->end_ns + T2_CLOCK_SLACK_NS;
}

static void join(struct t2_builder *builder, enum key by)
{
	uint32_t nr_records, nr_sessions, r = 0, s = 0;
	struct t2_sort_item *records = sort_records(builder, by, &nr_records);
	struct t2_sort_item *sessions = sort_sessions(builder, by, &nr_sessions);

	builder->is_out_of_memory |= !records || !sessions;
	while (records && sessions && r < nr_records && s < nr_sessions) {
		struct t2_record *record = &builder->records[records[r].value];
		uint32_t id = sessions[s].value;
		const struct t2_process *process = &builder->trace->processes[id];
		int order = 0;

		if (records[r].key != sessions[s].key)
			order = records[r].key < sessions[s].key ? 1 : -1;
		else if (process->parent == record->parent)
			order = compare_time(builder, record, process);
		if (order <= 0)
			s++;
		if (order >= 0)
			r++;
		if (order || process->parent != record->parent)
			continue;
		record->process = id;
		builder->sessions[id].record = (uint32_t)(record - builder->records);
	}
	free(records);
	free(sessions);
}

/* --- what is outside ---------------------------------------------------------- */

static void add_outside(struct t2_builder *builder, uint32_t at)
{
	uint32_t id = t2_builder_add(builder);
	struct t2_record *record = &builder->records[at];
	struct t2_process *process;

	if (id == T2_NO_PROCESS)
		return;
	process = &builder->trace->processes[id];
	process->parent = record->parent;
	process->is_outside = true;
	process->is_unstarted = record->is_unstarted;
	process->sid = t2_builder_keep(builder, "");
	process->exe = record->exe;
	process->argv = record->argv;
	process->argc = record->argc;
	process->pid = pid_of(builder, record);
	process->host = builder->trace->processes[record->parent].host;
	process->cwd = builder->trace->processes[record->parent].cwd;
	process->image_ns = record->start_ns;
	record->process = id;
	builder->sessions[id].record = at;
}

static void add_all_outside(struct t2_builder *builder)
{
	for (uint32_t at = 0; at < builder->nr_records && !builder->is_out_of_memory; at++) {
		if (!builder->records[at].is_void && builder->records[at].process == T2_NO_PROCESS)
			add_outside(builder, at);
	}
}

/* --- what a record tells of its process ----------------------------------------- */

static void apply_record(struct t2_builder *builder, uint32_t id, const struct t2_record *record)
{
	struct t2_process *process = &builder->trace->processes[id];

	process->start_ns = record->start_ns;
	process->child_id = record->child_id;
	process->child_class = record->child_class;
	process->is_released = record->is_released;
	process->is_exec = record->is_exec;
	if (record->is_exec)
		builder->trace->processes[record->parent].next_exec = id;
	if (record->has_exit && !record->is_unstarted)
		process->reaped_ns = record->end_ns;
	else if (process->is_outside && record->end_ns != T2_NEVER)
		process->end_ns = record->end_ns;
}

/* The kernel has counted for the pid, so it is the last image that it tells of. */
static void apply_exit(struct t2_builder *builder, uint32_t id, const struct t2_record *record)
{
	struct t2_process *process = &builder->trace->processes[id];
	int64_t reaped_ns = process->reaped_ns;

	if (!record->has_exit || record->is_exec)
		return;
	while (process->next_exec != T2_NO_PROCESS) {
		process->reaped_ns = 0;
		process = &builder->trace->processes[process->next_exec];
	}
	process->reaped_ns = reaped_ns;
	if (record->has_rusage) {
		process->has_reaped_rusage = true;
		process->reaped_user_ns = record->user_ns;
		process->reaped_sys_ns = record->sys_ns;
		process->reaped_max_rss_kb = record->max_rss_kb;
	}
	if (record->code < 0 || process->code == record->code)
		return;
	/* It did not say so itself, or was killed right after. */
	process->code = record->code;
	process->end = T2_END_EXIT;
	if (record->code > 128 && record->code <= 192 && !process->is_outside) {
		process->end = T2_END_SIGNAL;
		process->signo = (uint8_t)(record->code - 128);
	}
}

/* Sessions in one process are images of it, also where nobody told of an exec. */
static void find_silent_execs(struct t2_builder *builder)
{
	struct t2_trace *trace = builder->trace;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		struct t2_process *process = &trace->processes[id];
		struct t2_process *parent = &trace->processes[process->parent];

		if (process->parent == T2_ROOT || process->is_orphan || process->is_outside ||
		    builder->sessions[id].record != T2_NO_PROCESS || process->pid < 0 ||
		    process->pid != parent->pid || process->host != parent->host ||
		    parent->end != T2_END_UNKNOWN || parent->next_exec != T2_NO_PROCESS)
			continue;
		process->is_exec = true;
		parent->next_exec = id;
		parent->end = T2_END_EXEC;
		parent->end_ns = process->image_ns;
	}
}

/* --- all of it ---------------------------------------------------------------- */

/* Parents before their children, breadth first. */
static void order_processes(struct t2_builder *builder)
{
	struct t2_trace *trace = builder->trace;
	uint32_t nr = trace->nr_processes, nr_ordered = 0;
	uint32_t *first = malloc(nr * sizeof(*first));
	uint32_t *next = malloc(nr * sizeof(*next));

	builder->order = malloc(nr * sizeof(*builder->order));
	builder->is_out_of_memory |= !first || !next || !builder->order;
	if (!builder->is_out_of_memory) {
		memset(first, 0, nr * sizeof(*first));
		for (uint32_t id = nr - 1; id > 0; id--) {
			next[id] = first[trace->processes[id].parent];
			first[trace->processes[id].parent] = id;
		}
		builder->order[nr_ordered++] = T2_ROOT;
		for (uint32_t i = 0; i < nr_ordered; i++) {
			for (uint32_t id = first[builder->order[i]]; id; id = next[id])
				builder->order[nr_ordered++] = id;
		}
	}
	free(first);
	free(next);
}

void t2_builder_link(struct t2_builder *builder)
{
	find_parents(builder);
	for (uint32_t i = 0; i < builder->nr_records; i++) {
		struct t2_record *record = &builder->records[i];

		if (record->is_exec && builder->trace->processes[record->parent].end != T2_END_EXEC)
			record->is_void = true;
	}
	for (enum key by = BY_PID; by <= BY_PARENT && !builder->is_out_of_memory; by++)
		join(builder, by);
	if (!builder->is_out_of_memory)
		add_all_outside(builder);
	if (builder->is_out_of_memory)
		return;
	for (uint32_t i = 0; i < builder->nr_records; i++) {
		if (builder->records[i].process != T2_NO_PROCESS)
			apply_record(builder, builder->records[i].process, &builder->records[i]);
	}
	find_silent_execs(builder);
	for (uint32_t i = 0; i < builder->nr_records; i++) {
		if (builder->records[i].process != T2_NO_PROCESS)
			apply_exit(builder, builder->records[i].process, &builder->records[i]);
	}
	order_processes(builder);
}
