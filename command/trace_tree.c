/* SPDX-License-Identifier: MIT */
/*
 * New ids: in preorder, siblings by their start. Then a subtree is a range of ids,
 * and what goes up or down the tree is a loop.
 */
#include "command/sort.h"
#include "command/trace_build.h"

#include <stdlib.h>
#include <string.h>

/* The children of a process that are outside and may hold others. */
struct outside {
	uint32_t process;     /* ends last; 0: none */
	int64_t other_end_ns; /* of the one that ends last but for that */
};

struct tree {
	struct t2_sort_item *by_start;
	struct outside *outsides; /* by id of the parent */
	uint32_t *first, *next;	  /* children and siblings; 0: none */
	uint32_t *new_ids;
};

/* --- sessions inside of what is outside ------------------------------------------ */

static void move_cpu(uint64_t *from, uint64_t *to, uint64_t ns)
{
	*from = *from > ns ? *from - ns : 0;
	*to += ns;
}

/* What was measured of the parent as a whole is in part its child's. */
static void adopt(struct t2_process *parent, const struct t2_process *process)
{
	move_cpu(&parent->self.user_ns, &parent->children.user_ns,
		 process->self.user_ns + process->children.user_ns);
	move_cpu(&parent->self.sys_ns, &parent->children.sys_ns,
		 process->self.sys_ns + process->children.sys_ns);
	parent->cpu_ns = parent->self.user_ns + parent->self.sys_ns;
	parent->total_cpu_ns = parent->cpu_ns + parent->children.user_ns + parent->children.sys_ns;
}

/*
 * A session that its parent does not know has another parent, one that passed the
 * environment on and told nothing. If it was born while one child was alive that
 * is outside, and no other such, it is that.
 */
static void find_hidden_parent(struct t2_builder *builder, uint32_t id, struct outside *outsides)
{
	struct t2_process *process = &builder->trace->processes[id];
	struct outside *outside = &outsides[process->parent];
	struct t2_process *held = &builder->trace->processes[outside->process];

	if (process->is_outside && !process->is_unstarted && !process->is_incomplete) {
		if (!outside->process || process->end_ns > held->end_ns) {
			outside->other_end_ns = outside->process ? held->end_ns : T2_NEVER;
			outside->process = id;
		} else if (process->end_ns > outside->other_end_ns) {
			outside->other_end_ns = process->end_ns;
		}
		return;
	}
	if (process->is_outside || process->is_exec || process->is_orphan ||
	    builder->sessions[id].record != T2_NO_PROCESS || process->parent == T2_ROOT)
		return;
	if (!outside->process || held->host != process->host || held->end_ns < process->start_ns ||
	    outside->other_end_ns >= process->start_ns)
		return;
	process->parent = outside->process;
	adopt(held, process);
}

/* --- ids ---------------------------------------------------------------------- */

static void link_children(struct t2_builder *builder, struct tree *tree)
{
	struct t2_trace *trace = builder->trace;
	uint32_t nr = trace->nr_processes - 1;

	for (uint32_t i = 0; i < nr; i++) {
		tree->by_start[i].value = builder->order[i + 1];
		tree->by_start[i].key = trace->processes[builder->order[i + 1]].start_ns;
	}
	if (!t2_sort(tree->by_start, nr)) {
		builder->is_out_of_memory = true;
		return;
	}
	for (uint32_t i = 0; i < nr; i++)
		find_hidden_parent(builder, tree->by_start[i].value, tree->outsides);
	for (uint32_t i = nr; i-- > 0;) {
		uint32_t id = tree->by_start[i].value;
		uint32_t parent = trace->processes[id].parent;

		tree->next[id] = tree->first[parent];
		tree->first[parent] = id;
	}
}

static void number(struct t2_trace *trace, struct tree *tree)
{
	uint32_t id = T2_ROOT, nr = 0;

	for (;;) {
		struct t2_process *process = &trace->processes[id];

		tree->new_ids[id] = nr++;
		if (id != T2_ROOT) {
			struct t2_process *parent = &trace->processes[process->parent];

			process->depth = parent->depth + 1;
			parent->nr_children += !process->is_exec;
		}
		if (tree->first[id]) {
			id = tree->first[id];
			continue;
		}
		trace->processes[id].end_id = nr;
		while (id != T2_ROOT && !tree->next[id]) {
			id = trace->processes[id].parent;
			trace->processes[id].end_id = nr;
		}
		if (id == T2_ROOT)
			return;
		id = tree->next[id];
	}
}

/* Every process to its place, along the circles in which they stand in for each other. */
static void permute(struct t2_trace *trace, uint32_t *new_ids)
{
	for (uint32_t id = 0; id < trace->nr_processes; id++) {
		struct t2_process *process = &trace->processes[id];

		process->parent = new_ids[process->parent];
		if (process->next_exec != T2_NO_PROCESS)
			process->next_exec = new_ids[process->next_exec];
	}
	for (uint32_t id = 0; id < trace->nr_processes; id++) {
		while (new_ids[id] != id) {
			uint32_t to = new_ids[id];
			struct t2_process process = trace->processes[to];

			trace->processes[to] = trace->processes[id];
			trace->processes[id] = process;
			new_ids[id] = new_ids[to];
			new_ids[to] = to;
		}
	}
}

static void rename_sids(struct t2_trace *trace, const uint32_t *new_ids)
{
	struct t2_map *sids = &trace->store->sids;

	for (uint32_t i = 0; i < sids->size; i++) {
		if (sids->values[i] != T2_MAP_NONE)
			sids->values[i] = new_ids[sids->values[i]];
	}
}

/* --- regions ------------------------------------------------------------------ */

static void close_region(const struct t2_trace *trace, struct t2_region *region)
{
	const struct t2_process *process = &trace->processes[region->process];
	int64_t offset_ns = trace->hosts[process->host].offset_ns;

	if (region->start_ns == T2_NEVER)
		region->start_ns = process->image_ns;
	else
		region->start_ns += offset_ns;
	if (region->end_ns == T2_NEVER)
		region->end_ns = process->end_ns;
	else
		region->end_ns += offset_ns;
	if (region->end_ns < region->start_ns)
		region->end_ns = region->start_ns;
}

/* Their processes have the new ids, but not yet their places. */
static void sort_regions(struct t2_builder *builder)
{
	struct t2_trace *trace = builder->trace;
	uint32_t nr = builder->nr_regions;
	struct t2_sort_item *items = malloc((nr + 1) * sizeof(*items));
	bool is_sorted;

	trace->regions = malloc((nr + 1) * sizeof(*trace->regions));
	builder->is_out_of_memory |= !items || !trace->regions;
	if (!builder->is_out_of_memory) {
		for (uint32_t i = 0; i < nr; i++)
			items[i] = (struct t2_sort_item){
				.key = builder->regions[i].region.start_ns,
				.value = i,
			};
		is_sorted = t2_sort(items, nr);
		for (uint32_t i = 0; i < nr; i++)
			items[i].key = builder->regions[items[i].value].region.process;
		is_sorted = is_sorted && t2_sort(items, nr);
		builder->is_out_of_memory |= !is_sorted;
	}
	for (uint32_t i = 0; !builder->is_out_of_memory && i < nr; i++) {
		struct t2_region *region = &trace->regions[i];
		struct t2_process *process;

		*region = builder->regions[items[i].value].region;
		process = &trace->processes[region->process];
		if (!process->nr_regions++)
			process->first_region = i;
	}
	trace->nr_regions = nr;
	free(items);
}

/* --- all of it ---------------------------------------------------------------- */

static void count(struct t2_trace *trace)
{
	struct t2_trace_stats *stats = &trace->stats;

	stats->nr_processes = trace->nr_processes - 1;
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];

		stats->nr_outside += process->is_outside && !process->is_unstarted;
		stats->nr_incomplete += process->is_incomplete;
		stats->nr_orphans += process->is_orphan;
		stats->nr_unstarted += process->is_unstarted;
		stats->nr_backwards += process->is_backwards;
		stats->nr_repeated += process->is_repeated;
	}
}

static void renumber(struct t2_builder *builder, struct tree *tree)
{
	struct t2_trace *trace = builder->trace;

	number(trace, tree);
	for (uint32_t i = 0; i < builder->nr_regions; i++) {
		struct t2_region *region = &builder->regions[i].region;

		close_region(trace, region);
		region->process = tree->new_ids[region->process];
	}
	rename_sids(trace, tree->new_ids);
	permute(trace, tree->new_ids);
	sort_regions(builder);
	count(trace);
}

void t2_builder_tree(struct t2_builder *builder)
{
	uint32_t nr = builder->trace->nr_processes;
	struct tree tree = {
		.by_start = calloc(nr, sizeof(*tree.by_start)),
		.outsides = calloc(nr, sizeof(*tree.outsides)),
		.first = calloc(nr, sizeof(*tree.first)),
		.next = calloc(nr, sizeof(*tree.next)),
		.new_ids = malloc(nr * sizeof(*tree.new_ids)),
	};

	builder->is_out_of_memory |=
		!tree.by_start || !tree.outsides || !tree.first || !tree.next || !tree.new_ids;
	if (!builder->is_out_of_memory)
		link_children(builder, &tree);
	if (!builder->is_out_of_memory)
		renumber(builder, &tree);
	free(tree.by_start);
	free(tree.outsides);
	free(tree.first);
	free(tree.next);
	free(tree.new_ids);
}
