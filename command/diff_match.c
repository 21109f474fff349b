/* SPDX-License-Identifier: MIT */
#include "command/diff.h"

#include "command/key.h"
#include "command/view.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define COMMAND_MAX ((size_t)4096)
#define WHOLE 0 /* the entry of all of it */

static struct t2_diff_sum *sum_of(const struct t2_diff *diff, uint32_t entry, uint32_t run)
{
	return &diff->sums[(size_t)entry * diff->nr_runs + run];
}

/* --- entries ------------------------------------------------------------------ */

static bool grow(struct t2_diff *diff)
{
	uint32_t max = diff->max * 2 + 64;
	void *entries = realloc(diff->entries, max * sizeof(*diff->entries));
	void *sums;

	if (!entries)
		return false;
	diff->entries = entries;
	sums = realloc(diff->sums, (size_t)max * diff->nr_runs * sizeof(*diff->sums));
	if (!sums)
		return false;
	diff->sums = sums;
	diff->max = max;
	return true;
}

static const char *keep(struct t2_diff *diff, const char *text)
{
	return t2_strings_keep(&diff->strings, text, strlen(text));
}

/* Returns the new entry, or T2_MAP_NONE without memory. */
static uint32_t add_entry(struct t2_diff *diff, const char *command, const char *name)
{
	struct t2_diff_entry entry = {.command = keep(diff, command), .name = keep(diff, name)};

	if (!entry.command || !entry.name || (diff->nr == diff->max && !grow(diff)))
		return T2_MAP_NONE;
	memset(sum_of(diff, diff->nr, 0), 0, diff->nr_runs * sizeof(struct t2_diff_sum));
	diff->entries[diff->nr] = entry;
	return diff->nr++;
}

bool t2_diff_init(struct t2_diff *diff, uint32_t nr_base, uint32_t nr_runs)
{
	*diff = (struct t2_diff){.nr_base = nr_base, .nr_runs = nr_runs};
	return add_entry(diff, "", "") == WHOLE;
}

static uint32_t find_entry(struct t2_diff *diff, const struct t2_process *process,
			   const char *prefix, uint64_t hash)
{
	uint32_t id = t2_map_get(&diff->ids, hash);
	char command[COMMAND_MAX], name[COMMAND_MAX];

	if (id != T2_MAP_NONE)
		return id;
	t2_key_normal(process, prefix, command, sizeof(command));
	t2_key_name(process, name, sizeof(name));
	id = add_entry(diff, *command ? command : name, name);
	return id != T2_MAP_NONE && t2_map_put(&diff->ids, hash, id) ? id : T2_MAP_NONE;
}

/* --- runs --------------------------------------------------------------------- */

static int64_t rss_kb(const struct t2_process *process)
{
	return process->has_rusage ? process->self.max_rss_kb : process->reaped_max_rss_kb;
}

static void add_sum(struct t2_diff_sum *to, const struct t2_diff_sum *sum)
{
	for (int i = 0; i < T2_METRIC_NR; i++) {
		if (i != T2_METRIC_RSS)
			to->values[i] += sum->values[i];
	}
	if (to->values[T2_METRIC_RSS] < sum->values[T2_METRIC_RSS])
		to->values[T2_METRIC_RSS] = sum->values[T2_METRIC_RSS];
}

static void count(struct t2_diff *diff, uint32_t run, uint32_t entry,
		  const struct t2_process *process, const struct t2_usage *usage)
{
	const struct t2_diff_sum sum = {.values = {
						[T2_METRIC_SELF] = usage->self_ns,
						[T2_METRIC_TOTAL] = usage->total_ns,
						[T2_METRIC_CPU] = (int64_t)process->cpu_ns,
						[T2_METRIC_RSS] = rss_kb(process),
						[T2_METRIC_COUNT] = 1,
					}};

	add_sum(sum_of(diff, entry, run), &sum);
	add_sum(sum_of(diff, WHOLE, run), &sum);
}

/* The directory of the build: where the first process was. */
static const char *find_prefix(const struct t2_view *view)
{
	uint32_t first = view->root == T2_ROOT ? t2_first_child(T2_ROOT) : view->root;

	return first < view->trace->nr_processes ? view->trace->processes[first].cwd : NULL;
}

bool t2_diff_add(struct t2_diff *diff, uint32_t run, const struct t2_view *view)
{
	const struct t2_trace *trace = view->trace;
	const char *prefix = find_prefix(view);
	uint64_t *hashes = calloc(trace->nr_processes, sizeof(*hashes));
	bool is_fine = hashes;

	for (uint32_t id = 1; is_fine && id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		uint32_t entry;

		hashes[id] = t2_key_hash(process, prefix, hashes[process->parent]);
		if (!t2_view_shows(view, id))
			continue;
		entry = find_entry(diff, process, prefix, hashes[id]);
		is_fine = entry != T2_MAP_NONE;
		if (is_fine)
			count(diff, run, entry, process, &view->analysis->usage[id]);
	}
	if (is_fine)
		sum_of(diff, WHOLE, run)->values[T2_METRIC_TOTAL] = view->analysis->wall_ns;
	free(hashes);
	return is_fine;
}

/* --- matching ----------------------------------------------------------------- */

static bool is_there(const struct t2_diff *diff, uint32_t entry, bool is_base)
{
	uint32_t run = is_base ? 0 : diff->nr_base;
	uint32_t end = is_base ? diff->nr_base : diff->nr_runs;

	for (; run < end; run++) {
		if (sum_of(diff, entry, run)->values[T2_METRIC_COUNT])
			return true;
	}
	return false;
}

/* Names and hashes of commands share the map. */
static uint64_t name_key(const char *name)
{
	return XXH3_64bits_withSeed(name, strlen(name), UINT64_C(0x6e616d65));
}

/* The entry of a name that both sides have only in commands without a partner. */
static uint32_t name_entry(struct t2_diff *diff, const char *name)
{
	uint32_t id = t2_map_get(&diff->ids, name_key(name));

	if (id != T2_MAP_NONE)
		return id;
	id = add_entry(diff, name, name);
	if (id == T2_MAP_NONE || !t2_map_put(&diff->ids, name_key(name), id))
		return T2_MAP_NONE;
	diff->entries[id].is_by_name = true;
	return id;
}

/* Which sides have lone commands of a name: bit 0 the base, bit 1 the new one. */
static bool note_sides(const struct t2_diff *diff, struct t2_map *sides, uint32_t nr)
{
	for (uint32_t i = WHOLE + 1; i < nr; i++) {
		bool in_base = is_there(diff, i, true), in_new = is_there(diff, i, false);
		uint64_t key = name_key(diff->entries[i].name);
		uint32_t bits = t2_map_get(sides, key);

		if (in_base == in_new)
			continue;
		if (!t2_map_put(sides, key, (bits == T2_MAP_NONE ? 0 : bits) | (in_base ? 1 : 2)))
			return false;
	}
	return true;
}

bool t2_diff_match(struct t2_diff *diff)
{
	uint32_t nr = diff->nr;
	struct t2_map sides = {0};
	bool is_fine = note_sides(diff, &sides, nr);

	for (uint32_t i = WHOLE + 1; is_fine && i < nr; i++) {
		uint32_t entry;

		if (is_there(diff, i, true) == is_there(diff, i, false) ||
		    t2_map_get(&sides, name_key(diff->entries[i].name)) != 3)
			continue;
		entry = name_entry(diff, diff->entries[i].name);
		is_fine = entry != T2_MAP_NONE;
		for (uint32_t run = 0; is_fine && run < diff->nr_runs; run++)
			add_sum(sum_of(diff, entry, run), sum_of(diff, i, run));
		diff->entries[i].is_merged = true;
	}
	t2_map_free(&sides);
	return is_fine;
}

/* --- answers ------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void t2_diff_stat(const struct t2_diff *diff, uint32_t entry, enum t2_metric metric, bool is_base,
		  struct t2_diff_stat *ret_stat)
{
	uint32_t begin = is_base ? 0 : diff->nr_base;
	uint32_t nr = is_base ? diff->nr_base : diff->nr_runs - diff->nr_base;
	int64_t few[16];
	int64_t *values = nr <= sizeof(few) / sizeof(*few) ? few : calloc(nr, sizeof(*values));

	*ret_stat = (struct t2_diff_stat){.is_there = is_there(diff, entry, is_base)};
	if (!values || !nr)
		return;
	for (uint32_t i = 0; i < nr; i++)
		values[i] = sum_of(diff, entry, begin + i)->values[metric];
	qsort(values, nr, sizeof(*values), compare);
	ret_stat->min = values[0];
	ret_stat->max = values[nr - 1];
	ret_stat->median = nr % 2 ? values[nr / 2]
				  : values[nr / 2 - 1] + (values[nr / 2] - values[nr / 2 - 1]) / 2;
	if (values != few)
		free(values);
}

static bool exceeds(int64_t change, int64_t base, const struct t2_diff_threshold *threshold)
{
	int64_t size = change < 0 ? -change : change;

	if (!size || size < threshold->ns)
		return false;
	return (double)size * 1e6 >= (double)base * (double)threshold->ppm;
}

enum t2_verdict t2_diff_judge(const struct t2_diff *diff, uint32_t entry, enum t2_metric metric,
			      const struct t2_diff_threshold *threshold)
{
	struct t2_diff_stat base, now;
	int64_t change;

	t2_diff_stat(diff, entry, metric, true, &base);
	t2_diff_stat(diff, entry, metric, false, &now);
	change = now.median - base.median;
	if (!base.is_there && !now.is_there)
		return T2_VERDICT_SAME;
	if (!base.is_there || !now.is_there) {
		if (base.max < threshold->ns && now.max < threshold->ns)
			return T2_VERDICT_SAME;
		return base.is_there ? T2_VERDICT_GONE : T2_VERDICT_NEW;
	}
	if (!exceeds(change, base.median, threshold))
		return T2_VERDICT_SAME;
	if (now.min > base.max)
		return T2_VERDICT_SLOWER;
	return now.max < base.min ? T2_VERDICT_FASTER : T2_VERDICT_SAME;
}

void t2_diff_free(struct t2_diff *diff)
{
	free(diff->entries);
	free(diff->sums);
	t2_map_free(&diff->ids);
	t2_strings_free(&diff->strings);
}
