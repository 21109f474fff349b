/* SPDX-License-Identifier: MIT */
/*
 * Processes added up by their names and those of all above them: folded stacks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/export.h"
#include "command/grow.h"
#include "command/map.h"
#include "command/strings.h"
#include "command/text.h"
#include "command/view.h"

#define NAME_MAX_LEN 256
#define NO_NODE UINT32_MAX

/* A program below others. */
struct node {
	const char *name;
	uint32_t parent;
	uint64_t count, self_ns, cpu_ns;
};

struct stacks {
	const struct t2_view *view;
	struct t2_strings strings;
	struct t2_map ids; /* by parent and name */
	struct node *nodes;
	uint32_t nr, max;
	uint32_t *node_of; /* of each process */
};

static uint32_t add_node(struct stacks *stacks, uint32_t parent, const char *name)
{
	struct node *nodes = t2_grow(stacks->nodes, stacks->nr, &stacks->max, sizeof(*nodes));

	if (!nodes)
		return NO_NODE;
	stacks->nodes = nodes;
	stacks->nodes[stacks->nr] = (struct node){.name = name, .parent = parent};
	return stacks->nr++;
}

static uint32_t find_node(struct stacks *stacks, uint32_t parent, uint32_t process)
{
	char text[NAME_MAX_LEN];
	size_t len = t2_view_key(stacks->view, process, text, sizeof(text));
	const char *name;
	uint64_t key;
	uint32_t id;

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	name = t2_strings_keep(&stacks->strings, text, len);
	if (!name)
		return NO_NODE;
	/* Addresses have at most 48 bits that differ; the product spreads them. */
	key = (uint64_t)(uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15) +
	      parent * UINT64_C(0xc2b2ae3d27d4eb4f);
	id = t2_map_get(&stacks->ids, key);
	if (id != T2_MAP_NONE)
		return id;
	id = add_node(stacks, parent, name);
	return id != NO_NODE && t2_map_put(&stacks->ids, key, id) ? id : NO_NODE;
}

static void count(struct node *node, const struct t2_view *view, uint32_t id)
{
	node->count++;
	node->self_ns += (uint64_t)view->analysis->usage[id].self_ns;
	node->cpu_ns += view->trace->processes[id].cpu_ns;
}

/* What is not shown is still above what is. */
static bool add_up(struct stacks *stacks)
{
	const struct t2_view *view = stacks->view;
	const struct t2_trace *trace = view->trace;
	uint32_t id = view->root == T2_ROOT ? t2_first_child(T2_ROOT) : view->root;

	stacks->node_of = calloc(trace->nr_processes, sizeof(*stacks->node_of));
	if (!stacks->node_of)
		return false;
	for (; id < trace->processes[view->root].end_id; id++) {
		uint32_t above = trace->processes[id].parent;
		bool is_first = above == T2_ROOT || id == view->root;
		uint32_t parent = is_first ? NO_NODE : stacks->node_of[above];
		uint32_t node = find_node(stacks, parent, id);

		if (node == NO_NODE)
			return false;
		stacks->node_of[id] = node;
		if (t2_view_shows(view, id))
			count(&stacks->nodes[node], view, id);
	}
	return true;
}

static void put_name(FILE *out, const char *name)
{
	char clean[4 * NAME_MAX_LEN];

	t2_text_clean(clean, sizeof(clean), name, true);
	for (const char *at = clean; *at; at++)
		putc(*at == ';' ? ':' : *at, out);
}

static void put_stack(FILE *out, const struct stacks *stacks, uint32_t id, uint32_t *path)
{
	uint32_t nr = 0;

	for (; id != NO_NODE; id = stacks->nodes[id].parent)
		path[nr++] = id;
	while (nr) {
		put_name(out, stacks->nodes[path[--nr]].name);
		if (nr)
			putc(';', out);
	}
}

/*
 * Nanoseconds are rounded so that the sum of all is the rounded sum: what one line
 * leaves over goes to the next.
 */
static void put_stacks(FILE *out, const struct stacks *stacks, enum t2_export_weight weight,
		       uint32_t *path)
{
	uint64_t rest_ns = 0;

	for (uint32_t id = 0; id < stacks->nr; id++) {
		const struct node *node = &stacks->nodes[id];
		uint64_t value = node->count;

		if (weight != T2_EXPORT_COUNT) {
			rest_ns += weight == T2_EXPORT_CPU ? node->cpu_ns : node->self_ns;
			value = rest_ns / 1000;
			rest_ns %= 1000;
		}
		if (!value)
			continue;
		put_stack(out, stacks, id, path);
		fprintf(out, " %" PRIu64 "\n", value);
	}
}

bool t2_export_folded(const struct t2_view *view, const struct t2_export_opts *opts)
{
	struct stacks stacks = {.view = view};
	uint32_t *path = NULL;
	bool is_fine;

	if (add_up(&stacks))
		path = calloc((size_t)stacks.nr + 1, sizeof(*path));
	is_fine = path;
	if (is_fine)
		put_stacks(opts->out, &stacks, opts->weight, path);
	free(stacks.node_of);
	free(stacks.nodes);
	t2_map_free(&stacks.ids);
	t2_strings_free(&stacks.strings);
	free(path);
	return is_fine;
}
