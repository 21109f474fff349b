/* SPDX-License-Identifier: MIT */
#include "command/groups.h"

#include "command/columns.h"
#include "command/grow.h"
#include "command/key.h"
#include "command/map.h"

#include <stdlib.h>
#include <string.h>

#define KEY_ROOM 4096
/* Shares are in the order of the times whatever they are of: parts of a million of this are ns. */
#define ANY_WALL_NS 1000000

static void add(struct t2_group *group, const struct t2_view *view, uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];
	const struct t2_usage *usage = &view->analysis->usage[id];

	group->count++;
	group->nr_failed += t2_has_failed(process);
	group->self_ns += usage->self_ns;
	group->total_ns += usage->total_ns;
	group->weighted_ns += usage->weighted_ns;
	group->cpu_ns += (int64_t)process->cpu_ns;
	group->io_kb += t2_io_kb(process);
	if (process->self.max_rss_kb > group->max_rss_kb)
		group->max_rss_kb = process->self.max_rss_kb;
	if (usage->total_ns < group->max_ns && group->longest)
		return;
	if (!group->longest || usage->total_ns > group->max_ns)
		group->longest = id;
	group->max_ns = usage->total_ns;
}

/* The group of @name, which is kept; NULL without memory. */
static struct t2_group *find(struct t2_groups *groups, struct t2_map *map, uint32_t *max,
			     const char *name)
{
	uint32_t index = t2_map_get(map, (uintptr_t)name);
	void *larger;

	if (index != T2_MAP_NONE)
		return &groups->groups[index];
	larger = t2_grow(groups->groups, groups->nr, max, sizeof(*groups->groups));
	if (!larger)
		return NULL;
	groups->groups = larger;
	if (!t2_map_put(map, (uintptr_t)name, groups->nr))
		return NULL;
	groups->groups[groups->nr] = (struct t2_group){.name = name};
	return &groups->groups[groups->nr++];
}

/* What is seen of the command lines of compilers where they are cut. */
static bool keep_brief(struct t2_groups *groups, struct t2_group *group, const struct t2_view *view,
		       uint32_t id)
{
	char brief[KEY_ROOM];
	size_t len;

	if (view->options->by != T2_BY_CMD || group->count)
		return true;
	len = t2_key_brief(&view->trace->processes[id], view->options->is_unicode, brief,
			   sizeof(brief));
	/* One that is as long as that has no more room than the line itself. */
	if (!len || len >= sizeof(brief))
		return true;
	group->brief = t2_strings_keep(&groups->strings, brief, len);
	return group->brief;
}

static bool count(struct t2_groups *groups, const struct t2_view *view, struct t2_map *map)
{
	char key[KEY_ROOM];
	uint32_t max = 0;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		struct t2_group *group;
		const char *name;
		size_t len;

		if (view->trace->processes[id].is_unstarted)
			continue;
		if (!t2_view_shows(view, id)) {
			groups->hidden_ns += view->analysis->usage[id].weighted_ns;
			groups->nr_hidden += view->analysis->usage[id].total_ns > 0;
			continue;
		}
		len = t2_view_key(view, id, key, sizeof(key));
		name = t2_strings_keep(&groups->strings, key,
				       len < sizeof(key) ? len : sizeof(key) - 1);
		group = name ? find(groups, map, &max, name) : NULL;
		if (!group || !keep_brief(groups, group, view, id))
			return false;
		add(group, view, id);
	}
	return true;
}

bool t2_groups_count(struct t2_groups *groups, const struct t2_view *view)
{
	struct t2_map map = {0};
	bool is_done;

	*groups = (struct t2_groups){0};
	is_done = count(groups, view, &map);
	t2_map_free(&map);
	return is_done;
}

/* --- order ------------------------------------------------------------------------ */

struct order {
	const unsigned *columns;
	unsigned nr_columns;
};

static int compare(const void *left, const void *right, void *arg)
{
	const struct t2_group *a = left, *b = right;
	const struct order *order = arg;

	for (unsigned i = 0; i < order->nr_columns; i++) {
		const struct t2_column *column = &t2_group_columns[order->columns[i]];
		int64_t x = column->number(&(struct t2_group_row){a, ANY_WALL_NS, false});
		int64_t y = column->number(&(struct t2_group_row){b, ANY_WALL_NS, false});

		if (x != y)
			return x > y ? -1 : 1;
	}
	return strcmp(a->name, b->name);
}

void t2_groups_sort(struct t2_groups *groups, const struct t2_options *options)
{
	const unsigned by_weight = t2_group_column("weighted");
	struct order order = {&by_weight, 1};

	if (options->nr_sort)
		order = (struct order){options->sort, options->nr_sort};
	if (groups->nr)
		qsort_r(groups->groups, groups->nr, sizeof(*groups->groups), compare, &order);
}

void t2_groups_free(struct t2_groups *groups)
{
	free(groups->groups);
	t2_strings_free(&groups->strings);
}
