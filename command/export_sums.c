/* SPDX-License-Identifier: MIT */
/*
 * Like processes added up: folded stacks, and the table of programs in Markdown.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/analysis.h"
#include "command/export.h"
#include "command/key.h"
#include "command/map.h"
#include "command/sort.h"
#include "command/strings.h"
#include "command/table.h"
#include "command/text.h"
#include "command/trace.h"

#define NAME_MAX_LEN 256
#define NO_NODE UINT32_MAX

/* A program below another; without parents, a program. */
struct node {
	const char *name;
	uint32_t parent;
	uint64_t count;
	int64_t self_ns, weighted_ns;
	uint64_t cpu_ns;
	uint32_t max_rss_kb;
};

struct sums {
	const struct t2_trace *trace;
	const struct t2_analysis *analysis;
	struct t2_strings strings;
	struct t2_map ids; /* by parent and name */
	struct node *nodes;
	uint32_t nr, max;
	uint32_t *node_of; /* of each process */
};

static uint32_t add_node(struct sums *sums, uint32_t parent, const char *name)
{
	if (sums->nr == sums->max) {
		uint32_t max = sums->max * 2 + 64;
		struct node *nodes = realloc(sums->nodes, max * sizeof(*nodes));

		if (!nodes)
			return NO_NODE;
		sums->nodes = nodes;
		sums->max = max;
	}
	sums->nodes[sums->nr] = (struct node){.name = name, .parent = parent};
	return sums->nr++;
}

static uint32_t find_node(struct sums *sums, uint32_t parent, const struct t2_process *process)
{
	char text[NAME_MAX_LEN];
	size_t len = t2_key_name(process, text, sizeof(text));
	const char *name;
	uint64_t key;
	uint32_t id;

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	name = t2_strings_keep(&sums->strings, text, len);
	if (!name)
		return NO_NODE;
	/* Addresses have at most 48 bits that differ; the product spreads them. */
	key = (uint64_t)(uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15) +
	      parent * UINT64_C(0xc2b2ae3d27d4eb4f);
	id = t2_map_get(&sums->ids, key);
	if (id != T2_MAP_NONE)
		return id;
	id = add_node(sums, parent, name);
	return id != NO_NODE && t2_map_put(&sums->ids, key, id) ? id : NO_NODE;
}

static void count(struct node *node, const struct t2_process *process, const struct t2_usage *usage)
{
	uint32_t rss_kb =
		process->has_rusage ? process->self.max_rss_kb : process->reaped_max_rss_kb;

	node->count++;
	node->self_ns += usage->self_ns;
	node->weighted_ns += usage->weighted_ns;
	node->cpu_ns += process->cpu_ns;
	if (node->max_rss_kb < rss_kb)
		node->max_rss_kb = rss_kb;
}

/* Add up all processes, by their names, and by those of their ancestors if @by_stack. */
static bool add_up(struct sums *sums, bool by_stack)
{
	const struct t2_trace *trace = sums->trace;

	sums->node_of = calloc(trace->nr_processes, sizeof(*sums->node_of));
	if (!sums->node_of)
		return false;
	sums->node_of[T2_ROOT] = NO_NODE;
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		uint32_t parent = by_stack ? sums->node_of[process->parent] : NO_NODE;
		uint32_t node = find_node(sums, parent, process);

		if (node == NO_NODE)
			return false;
		sums->node_of[id] = node;
		count(&sums->nodes[node], process, &sums->analysis->usage[id]);
	}
	return true;
}

/* --- folded stacks -------------------------------------------------------------- */

static void put_name(FILE *out, const char *name)
{
	char clean[4 * NAME_MAX_LEN];

	t2_text_clean(clean, sizeof(clean), name, true);
	for (const char *at = clean; *at; at++)
		putc(*at == ';' ? ':' : *at, out);
}

static void put_stack(FILE *out, const struct sums *sums, uint32_t id, uint32_t *path)
{
	uint32_t nr = 0;

	for (; id != NO_NODE; id = sums->nodes[id].parent)
		path[nr++] = id;
	while (nr) {
		put_name(out, sums->nodes[path[--nr]].name);
		if (nr)
			putc(';', out);
	}
}

/*
 * Nanoseconds are rounded so that the sum of all is the rounded sum: what one line
 * leaves over goes to the next.
 */
static void put_stacks(FILE *out, const struct sums *sums, enum t2_export_weight weight,
		       uint32_t *path)
{
	uint64_t rest_ns = 0;

	for (uint32_t id = 0; id < sums->nr; id++) {
		const struct node *node = &sums->nodes[id];
		uint64_t value = node->count;

		if (weight != T2_EXPORT_COUNT) {
			rest_ns += weight == T2_EXPORT_CPU ? node->cpu_ns : (uint64_t)node->self_ns;
			value = rest_ns / 1000;
			rest_ns %= 1000;
		}
		if (!value)
			continue;
		put_stack(out, sums, id, path);
		fprintf(out, " %" PRIu64 "\n", value);
	}
}

static bool write_folded(struct sums *sums, const struct t2_export_opts *opts)
{
	uint32_t *path;

	if (!add_up(sums, true))
		return false;
	path = calloc((size_t)sums->nr + 1, sizeof(*path));
	if (!path)
		return false;
	put_stacks(opts->out, sums, opts->weight, path);
	free(path);
	return true;
}

/* --- Markdown ------------------------------------------------------------------- */

static const struct t2_column columns[] = {
	{.name = "weighted", .title = "weighted", .kind = T2_KIND_DURATION},
	{.name = "share", .title = "%", .kind = T2_KIND_PERCENT},
	{.name = "count", .title = "count", .kind = T2_KIND_COUNT},
	{.name = "self", .title = "self", .kind = T2_KIND_DURATION},
	{.name = "cpu", .title = "cpu", .kind = T2_KIND_DURATION},
	{.name = "max_rss", .title = "rss max", .kind = T2_KIND_BYTES},
	{.name = "command", .title = "command", .kind = T2_KIND_TEXT},
};

static bool put_row(struct t2_table *table, const struct sums *sums, const struct node *node)
{
	t2_table_number(table, node->weighted_ns);
	t2_table_number(table, t2_text_ppm(node->weighted_ns, sums->analysis->wall_ns));
	t2_table_number(table, (int64_t)node->count);
	t2_table_number(table, node->self_ns);
	t2_table_number(table, (int64_t)node->cpu_ns);
	t2_table_number(table, node->max_rss_kb ? node->max_rss_kb : T2_UNKNOWN);
	t2_table_text(table, node->name);
	return t2_table_row(table, false);
}

static bool put_table(struct sums *sums, const struct t2_export_opts *opts,
		      struct t2_sort_item *items)
{
	const struct t2_table_opts table_opts = {.format = T2_FORMAT_MD};
	struct t2_table *table;
	bool is_fine;

	for (uint32_t i = 0; i < sums->nr; i++)
		items[i] = (struct t2_sort_item){.key = -sums->nodes[i].weighted_ns, .value = i};
	if (!t2_sort(items, sums->nr))
		return false;
	table = t2_table_begin(opts->out, &table_opts, columns, sizeof(columns) / sizeof(*columns),
			       "t2 export");
	is_fine = table;
	for (uint32_t i = 0; is_fine && i < sums->nr && (!opts->nr_rows || i < opts->nr_rows); i++)
		is_fine = put_row(table, sums, &sums->nodes[items[i].value]);
	t2_table_end(table);
	return is_fine;
}

static bool write_markdown(struct sums *sums, const struct t2_export_opts *opts)
{
	struct t2_sort_item *items;
	bool is_fine;

	if (!add_up(sums, false))
		return false;
	items = calloc((size_t)sums->nr + 1, sizeof(*items));
	is_fine = items && put_table(sums, opts, items);
	free(items);
	return is_fine;
}

/* -------------------------------------------------------------------------------- */

static bool export(struct t2_source *source, const struct t2_export_opts *opts,
		   bool (*write)(struct sums *sums, const struct t2_export_opts *opts))
{
	struct t2_trace *trace = t2_trace_read(source, NULL);
	struct t2_analysis *analysis = trace ? t2_analyse(trace, NULL) : NULL;
	struct sums sums = {.trace = trace, .analysis = analysis};
	bool is_fine = analysis && write(&sums, opts);

	free(sums.node_of);
	free(sums.nodes);
	t2_map_free(&sums.ids);
	t2_strings_free(&sums.strings);
	t2_analysis_free(analysis);
	t2_trace_free(trace);
	return is_fine;
}

bool t2_export_folded(struct t2_source *source, const struct t2_export_opts *opts)
{
	return export(source, opts, write_folded);
}

bool t2_export_markdown(struct t2_source *source, const struct t2_export_opts *opts)
{
	return export(source, opts, write_markdown);
}
