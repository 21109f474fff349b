/* SPDX-License-Identifier: MIT */
/*
 * One clock for all hosts, an end for every process, and who used which CPU time.
 *
 * What a parent tells of a child on another host was before and after what the child
 * tells. So all such children together say between which numbers the difference of
 * two clocks lies; the middle is taken, or none if that may be.
 */
#include "command/trace_build.h"

#include <stdlib.h>
#include <string.h>

/* While hosts are compared. */
struct clock {
	int64_t low, high; /* how much has to be added to its times */
	uint32_t first;	   /* crossing from it; 0: none */
	bool is_queued, is_fixed;
};

/* A child on another host than its parent. */
struct crossing {
	uint32_t process;
	uint32_t next; /* of the same parent's host; 0: none */
};

/* What the descendants of a process add up to. */
struct sum {
	int64_t end_ns;
	uint64_t user_ns, sys_ns; /* of children that were waited for */
};

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t clamp(int64_t time_ns)
{
	return max(0, min(time_ns, T2_TIME_MAX));
}

/* Differences of what is clamped fit, and so do sums of two of them. */
static int64_t shift(int64_t time_ns, int64_t offset_ns)
{
	return time_ns == T2_NEVER ? T2_NEVER : clamp(clamp(time_ns) + offset_ns);
}

/* --- hosts -------------------------------------------------------------------- */

/* What one child tells of the difference to its parent's host. */
static void narrow(struct clock *clock, const struct t2_trace *trace,
		   const struct t2_process *process)
{
	const struct t2_process *parent = &trace->processes[process->parent];
	int64_t offset_ns = trace->hosts[parent->host].offset_ns;
	int64_t after_ns = process->start_ns != T2_NEVER ? process->start_ns : parent->image_ns;
	int64_t before_ns = process->reaped_ns ? process->reaped_ns : parent->end_ns;

	if (after_ns != T2_NEVER && process->image_ns != T2_NEVER)
		clock->low = max(clock->low, shift(after_ns, offset_ns) - clamp(process->image_ns));
	if (before_ns != T2_NEVER && process->end_ns != T2_NEVER)
		clock->high =
			min(clock->high, shift(before_ns, offset_ns) - clamp(process->end_ns));
}

static int64_t choose_offset(const struct clock *clock)
{
	if (clock->low <= 0 && clock->high >= 0)
		return 0;
	if (clock->low == INT64_MIN)
		return clock->high;
	if (clock->high == INT64_MAX)
		return clock->low;
	return clock->low + (clock->high - clock->low) / 2;
}

/* The crossings by the host they start from. */
static void collect_crossings(const struct t2_trace *trace, struct clock *clocks,
			      struct crossing *crossings)
{
	uint32_t nr = 1;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		struct clock *from = &clocks[trace->processes[process->parent].host];

		if (process->parent == T2_ROOT || from == &clocks[process->host])
			continue;
		crossings[nr] = (struct crossing){id, from->first};
		from->first = nr++;
	}
}

/* From one host, whose clock is as right as any, to all that are below it. */
static void compare_from(struct t2_trace *trace, uint32_t host, struct clock *clocks,
			 const struct crossing *crossings, uint32_t *queue)
{
	uint32_t nr_queued = 0;

	queue[nr_queued++] = host;
	clocks[host].is_queued = true;
	for (uint32_t i = 0; i < nr_queued; i++) {
		struct clock *from = &clocks[queue[i]];

		from->is_fixed = true;
		trace->hosts[queue[i]].offset_ns = choose_offset(from);
		for (uint32_t at = from->first; at; at = crossings[at].next) {
			const struct t2_process *process = &trace->processes[crossings[at].process];
			struct clock *to = &clocks[process->host];

			if (!to->is_fixed)
				narrow(to, trace, process);
			if (!to->is_queued)
				queue[nr_queued++] = process->host;
			to->is_queued = true;
		}
	}
}

static void compare_hosts(struct t2_builder *builder)
{
	struct t2_trace *trace = builder->trace;
	struct clock *clocks = calloc(trace->nr_hosts, sizeof(*clocks));
	struct crossing *crossings = malloc(trace->nr_processes * sizeof(*crossings));
	uint32_t *queue = malloc(trace->nr_hosts * sizeof(*queue));

	builder->is_out_of_memory |= !clocks || !crossings || !queue;
	if (!builder->is_out_of_memory) {
		for (uint32_t i = 0; i < trace->nr_hosts; i++) {
			clocks[i].low = INT64_MIN;
			clocks[i].high = INT64_MAX;
		}
		collect_crossings(trace, clocks, crossings);
		for (uint32_t id = 1; id < trace->nr_processes; id++) {
			const struct t2_process *process = &trace->processes[id];

			if (process->parent == T2_ROOT && !clocks[process->host].is_queued)
				compare_from(trace, process->host, clocks, crossings, queue);
		}
	}
	free(clocks);
	free(crossings);
	free(queue);
}

/* --- times -------------------------------------------------------------------- */

static void shift_process(struct t2_trace *trace, uint32_t id)
{
	struct t2_process *process = &trace->processes[id];
	int64_t own_ns = trace->hosts[process->host].offset_ns;
	int64_t parent_ns = own_ns;

	if (process->parent != T2_ROOT)
		parent_ns = trace->hosts[trace->processes[process->parent].host].offset_ns;
	process->image_ns = shift(process->image_ns, own_ns);
	process->end_ns = shift(process->end_ns, own_ns);
	process->start_ns = shift(process->start_ns, parent_ns);
	if (process->reaped_ns)
		process->reaped_ns =
			process->reaped_ns == T2_NEVER ? 0 : shift(process->reaped_ns, parent_ns);
	process->is_clock_fixed = own_ns != 0;
}

/* Parents come first. */
static void find_start(struct t2_builder *builder, uint32_t id)
{
	struct t2_process *process = &builder->trace->processes[id];
	int64_t last_ns = builder->sessions[id].last_ns;

	if (process->image_ns == T2_NEVER)
		process->image_ns = process->start_ns;
	if (process->image_ns == T2_NEVER)
		process->image_ns = last_ns;
	if (process->image_ns == T2_NEVER)
		process->image_ns = max(0, builder->trace->processes[process->parent].image_ns);
	if (process->start_ns == T2_NEVER || process->start_ns > process->image_ns)
		process->start_ns = process->image_ns;
}

/* Children come first; what they told is in *@sum. */
static void find_end(struct t2_builder *builder, uint32_t id, const struct sum *sum)
{
	struct t2_process *process = &builder->trace->processes[id];
	const struct t2_session *session = &builder->sessions[id];
	int64_t offset_ns = builder->trace->hosts[process->host].offset_ns;

	if (process->end_ns == T2_NEVER && process->reaped_ns)
		process->end_ns = max(process->reaped_ns, process->start_ns);
	if (process->end_ns == T2_NEVER) {
		process->end_ns = max(process->start_ns, shift(session->last_ns, offset_ns));
		process->end_ns = max(process->end_ns, sum->end_ns);
		process->is_incomplete = true;
	}
	if (process->is_outside && !process->reaped_ns && !process->is_unstarted)
		process->is_incomplete = true;
	if (process->end_ns >= process->start_ns)
		return;
	process->is_backwards = true;
	process->end_ns = process->start_ns;
	if (session->end_abs_ns != T2_NEVER)
		process->end_ns = clamp(process->image_ns + session->end_abs_ns);
}

/* --- CPU time ----------------------------------------------------------------- */

/* The first image of the process. */
static uint32_t first_image(const struct t2_trace *trace, uint32_t id)
{
	while (trace->processes[id].is_exec)
		id = trace->processes[id].parent;
	return id;
}

static void add_waited(const struct t2_trace *trace, uint32_t id, struct sum *sums)
{
	const struct t2_process *process = &trace->processes[id];
	struct sum *sum;

	if (!process->has_reaped_rusage)
		return;
	sum = &sums[trace->processes[first_image(trace, id)].parent];
	sum->user_ns += process->reaped_user_ns;
	sum->sys_ns += process->reaped_sys_ns;
}

static uint64_t without(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* It told nothing itself: own is what the children did not use, if that is known. */
static void derive_self(const struct t2_trace *trace, struct t2_process *process, uint32_t id,
			const struct sum *sums)
{
	struct t2_rusage *children = &process->children;

	children->user_ns = sums[id].user_ns;
	children->sys_ns = sums[id].sys_ns;
	while (trace->processes[id].is_exec) {
		id = trace->processes[id].parent;
		children->user_ns += sums[id].user_ns;
		children->sys_ns += sums[id].sys_ns;
	}
	process->self.user_ns = without(process->reaped_user_ns, children->user_ns);
	process->self.sys_ns = without(process->reaped_sys_ns, children->sys_ns);
	process->self.max_rss_kb = process->reaped_max_rss_kb;
}

static void count_cpu(const struct t2_trace *trace, uint32_t id, const struct sum *sums)
{
	struct t2_process *process = &trace->processes[id];
	uint64_t reaped_ns = process->reaped_user_ns + process->reaped_sys_ns;
	uint64_t children_ns;

	if (!process->has_rusage && process->next_exec == T2_NO_PROCESS)
		derive_self(trace, process, id, sums);
	children_ns = process->children.user_ns + process->children.sys_ns;
	process->cpu_ns = process->self.user_ns + process->self.sys_ns;
	if (process->has_reaped_rusage && reaped_ns > process->cpu_ns + children_ns)
		process->cpu_ns = reaped_ns - children_ns;
	process->total_cpu_ns = process->cpu_ns + children_ns;
}

/* --- all of it ---------------------------------------------------------------- */

static void find_times(struct t2_builder *builder, struct sum *sums)
{
	struct t2_trace *trace = builder->trace;
	struct t2_process *root = &trace->processes[T2_ROOT];

	for (uint32_t i = 1; i < trace->nr_processes; i++) {
		shift_process(trace, builder->order[i]);
		find_start(builder, builder->order[i]);
		add_waited(trace, builder->order[i], sums);
	}
	root->start_ns = trace->nr_processes > 1 ? T2_TIME_MAX : 0;
	root->end_ns = 0;
	for (uint32_t i = trace->nr_processes - 1; i > 0; i--) {
		uint32_t id = builder->order[i];
		const struct t2_process *process = &trace->processes[id];

		find_end(builder, id, &sums[id]);
		count_cpu(trace, id, sums);
		sums[process->parent].end_ns = max(sums[process->parent].end_ns, process->end_ns);
		root->start_ns = min(root->start_ns, process->start_ns);
		root->end_ns = max(root->end_ns, process->end_ns);
	}
	root->image_ns = root->start_ns;
}

void t2_builder_clock(struct t2_builder *builder)
{
	struct t2_trace *trace = builder->trace;
	struct sum *sums = calloc(trace->nr_processes, sizeof(*sums));

	if (trace->nr_hosts > 1)
		compare_hosts(builder);
	builder->is_out_of_memory |= !sums;
	if (!builder->is_out_of_memory)
		find_times(builder, sums);
	free(sums);
}
