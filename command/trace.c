/* SPDX-License-Identifier: MIT */
#include "command/trace.h"

#include "command/grow.h"
#include "command/source.h"
#include "command/trace_build.h"
#include "formatters/event_reader.h"
#include "preload/event.h"

#include <stdlib.h>
#include <string.h>

void *t2_builder_grow(struct t2_builder *builder, void *array, uint32_t nr, uint32_t *max,
		      size_t size)
{
	void *larger = t2_grow(array, nr, max, size);

	if (!larger)
		builder->is_out_of_memory = true;
	return larger;
}

const char *t2_builder_keep(struct t2_builder *builder, const char *str)
{
	const char *kept = str ? t2_strings_keep(&builder->store->strings, str, strlen(str)) : NULL;

	if (str && !kept)
		builder->is_out_of_memory = true;
	return kept;
}

uint32_t t2_builder_add(struct t2_builder *builder)
{
	struct t2_trace *trace = builder->trace;
	uint32_t id = trace->nr_processes;
	uint32_t max = builder->max_processes;
	void *grown;

	grown = t2_builder_grow(builder, trace->processes, id, &max, sizeof(*trace->processes));
	if (!grown)
		return T2_NO_PROCESS;
	trace->processes = grown;
	max = builder->max_processes;
	grown = t2_builder_grow(builder, builder->sessions, id, &max, sizeof(*builder->sessions));
	if (!grown)
		return T2_NO_PROCESS;
	builder->sessions = grown;
	builder->max_processes = max;
	trace->processes[id] = (struct t2_process){
		.start_ns = T2_NEVER,
		.image_ns = T2_NEVER,
		.end_ns = T2_NEVER,
		.next_exec = T2_NO_PROCESS,
		.nr_threads = 1,
		.pid = -1,
		.code = -1,
		.child_id = -1,
	};
	builder->sessions[id] = (struct t2_session){
		.origin_ns = T2_NEVER,
		.last_ns = T2_NEVER,
		.end_abs_ns = T2_NEVER,
		.exec = T2_NO_PROCESS,
		.open_region = T2_NO_PROCESS,
		.record = T2_NO_PROCESS,
	};
	trace->nr_processes++;
	return id;
}

/* --- lines -------------------------------------------------------------------- */

bool t2_reader_has_room(struct t2_event_reader *reader, size_t len)
{
	size_t size = T2_EVENT_READER_ROOM(len);
	void *room;

	if (reader->room_size >= size)
		return true;
	room = realloc(reader->room, size);
	if (!room)
		return false;
	reader->room = room;
	reader->room_size = size;
	return true;
}

static void take_line(struct t2_builder *builder, struct t2_source *source,
		      struct t2_event_reader *reader, const struct t2_trace_opts *opts,
		      const struct t2_line *line)
{
	struct t2_trace_stats *stats = &builder->trace->stats;
	enum t2_event_read result;
	struct t2_event event;

	stats->nr_lines++;
	if (!t2_reader_has_room(reader, line->len)) {
		builder->is_out_of_memory = true;
		return;
	}
	result = t2_event_read(reader, line->text, line->len, &event);
	if (result == T2_EVENT_READ_OK && event.sid && *event.sid) {
		stats->nr_events++;
		if (opts && opts->on_event)
			opts->on_event(opts->on_event_arg, &event);
		t2_builder_event(builder, &event);
	} else if (result == T2_EVENT_READ_UNKNOWN) {
		stats->nr_unknown++;
	} else if (result == T2_EVENT_READ_CUT && line->has_no_end) {
		stats->nr_cut++;
		t2_source_complain(source, line, "the line has no end: cut, or still written");
	} else {
		stats->nr_broken++;
		t2_source_complain(source, line,
				   result ? reader->message : "the event is of no session");
	}
}

static bool begin(struct t2_builder *builder)
{
	struct t2_trace *trace = calloc(1, sizeof(*trace));

	builder->trace = trace;
	if (!trace)
		return false;
	builder->store = trace->store = calloc(1, sizeof(*trace->store));
	if (!trace->store || t2_builder_add(builder) != T2_ROOT)
		return false;
	trace->store->classes[0] = "";
	trace->store->nr_classes = 1;
	trace->processes[T2_ROOT].sid = t2_builder_keep(builder, "");
	return !builder->is_out_of_memory;
}

static void end(struct t2_builder *builder)
{
	free(builder->sessions);
	free(builder->records);
	free(builder->regions);
	free(builder->order);
	t2_map_free(&builder->record_ids);
	t2_map_free(&builder->host_ids);
}

struct t2_trace *t2_trace_read(struct t2_source *source, const struct t2_trace_opts *opts)
{
	struct t2_builder builder = {0};
	struct t2_event_reader reader;
	struct t2_source_stats stats;
	struct t2_line line;

	t2_event_reader_init(&reader);
	builder.is_out_of_memory = !begin(&builder);
	while (!builder.is_out_of_memory && t2_source_next(source, &line))
		take_line(&builder, source, &reader, opts, &line);
	free(reader.room);
	if (!builder.is_out_of_memory)
		t2_builder_link(&builder);
	if (!builder.is_out_of_memory)
		t2_builder_clock(&builder);
	if (!builder.is_out_of_memory)
		t2_builder_tree(&builder);
	end(&builder);
	if (builder.is_out_of_memory) {
		t2_trace_free(builder.trace);
		return NULL;
	}
	t2_source_get_stats(source, &stats);
	builder.trace->stats.nr_bytes = stats.nr_bytes;
	return builder.trace;
}

void t2_trace_free(struct t2_trace *trace)
{
	if (!trace)
		return;
	if (trace->store) {
		t2_strings_free(&trace->store->strings);
		t2_map_free(&trace->store->sids);
		free(trace->store);
	}
	free(trace->processes);
	free(trace->regions);
	free(trace->hosts);
	free(trace);
}

/* --- questions ---------------------------------------------------------------- */

uint32_t t2_trace_find(const struct t2_trace *trace, const char *sid)
{
	uint32_t id = t2_map_get(&trace->store->sids, t2_sid_hash(sid, strlen(sid)));

	return id == T2_MAP_NONE ? T2_NO_PROCESS : id;
}

size_t t2_trace_sid(const struct t2_trace *trace, uint32_t id, char *out, size_t size)
{
	size_t len = 0, at;

	for (uint32_t i = id; i != T2_ROOT; i = trace->processes[i].parent) {
		const struct t2_process *process = &trace->processes[i];

		if (!process->is_outside)
			len += strlen(process->sid) + (process->parent != T2_ROOT);
	}
	if (size)
		out[len < size ? len : size - 1] = '\0';
	at = len;
	for (uint32_t i = id; i != T2_ROOT; i = trace->processes[i].parent) {
		const struct t2_process *process = &trace->processes[i];
		size_t part = process->is_outside ? 0 : strlen(process->sid);

		at -= part;
		for (size_t n = 0; n < part && at + n + 1 < size; n++)
			out[at + n] = process->sid[n];
		if (process->is_outside || process->parent == T2_ROOT)
			continue;
		at--;
		if (at + 1 < size)
			out[at] = '/';
	}
	return len;
}

const char *t2_child_class(const struct t2_trace *trace, uint8_t child_class)
{
	return child_class < trace->store->nr_classes ? trace->store->classes[child_class] : "";
}

const char *t2_process_arg(const struct t2_process *process, uint32_t n)
{
	const char *arg = process->argv;

	if (n >= process->argc)
		return NULL;
	for (; n; n--)
		arg += strlen(arg) + 1;
	return arg;
}
