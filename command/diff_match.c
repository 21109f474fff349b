/* SPDX-License-Identifier: MIT */
#include "command/diff.h"

#include "command/key.h"
#include "command/view.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define COMMAND_MAX ((size_t)4096)

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
static uint32_t add_entry(struct t2_diff *diff, const char *command, const char *source,
			  const char *name)
{
	struct t2_diff_entry entry = {.command = keep(diff, command),
				      .source = keep(diff, source),
				      .name = keep(diff, name)};

	if (!entry.command || !entry.source || !entry.name ||
	    (diff->nr == diff->max && !grow(diff)))
		return T2_MAP_NONE;
	memset(sum_of(diff, diff->nr, 0), 0, diff->nr_runs * sizeof(struct t2_diff_sum));
	diff->entries[diff->nr] = entry;
	return diff->nr++;
}

bool t2_diff_init(struct t2_diff *diff, uint32_t nr_base, uint32_t nr_runs)
{
	*diff = (struct t2_diff){.nr_base = nr_base, .nr_runs = nr_runs};
	return add_entry(diff, "", "", "") == T2_DIFF_WHOLE;
}

static uint32_t find_entry(struct t2_diff *diff, const struct t2_process *process,
			   const char *prefix, uint64_t hash)
{
	uint32_t id = t2_map_get(&diff->ids, hash);
	char command[COMMAND_MAX], source[COMMAND_MAX], name[COMMAND_MAX];

	if (id != T2_MAP_NONE)
		return id;
	t2_key_normal(process, prefix, command, sizeof(command));
	t2_key_source(process, source, sizeof(source));
	t2_key_name(process, name, sizeof(name));
	id = add_entry(diff, *command ? command : name, source, name);
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

/* Of the whole, all images of a process are one, as t2 report counts them. */
static void count(struct t2_diff *diff, uint32_t run, uint32_t entry, const struct t2_view *view,
		  uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];
	const struct t2_usage *usage = &view->analysis->usage[id];
	struct t2_diff_sum sum = {.values = {
					  [T2_METRIC_SELF] = usage->self_ns,
					  [T2_METRIC_TOTAL] = usage->total_ns,
					  [T2_METRIC_CPU] = (int64_t)process->cpu_ns,
					  [T2_METRIC_RSS] = rss_kb(process),
					  [T2_METRIC_COUNT] = 1,
				  }};

	add_sum(sum_of(diff, entry, run), &sum);
	sum.values[T2_METRIC_COUNT] = !process->is_exec || !t2_view_shows(view, process->parent);
	add_sum(sum_of(diff, T2_DIFF_WHOLE, run), &sum);
}

/* The directory of the build: where the first process was. */
static const char *find_prefix(const struct t2_view *view)
{
	uint32_t first = view->root == T2_ROOT ? t2_first_child(T2_ROOT) : view->root;

	return first < view->trace->nr_processes ? view->trace->processes[first].cwd : NULL;
}

/* The ancestors are programs: another option for make is no other build. */
static uint64_t hash_path(const struct t2_process *process, uint64_t parent)
{
	char name[COMMAND_MAX];
	size_t len = t2_key_name(process, name, sizeof(name));

	return XXH3_64bits_withSeed(name, len < sizeof(name) ? len : sizeof(name) - 1, parent);
}

bool t2_diff_add(struct t2_diff *diff, uint32_t run, const struct t2_view *view)
{
	const struct t2_trace *trace = view->trace;
	const char *prefix = find_prefix(view);
	uint64_t *paths = calloc(trace->nr_processes, sizeof(*paths));
	bool is_fine = paths;

	for (uint32_t id = 1; is_fine && id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		uint64_t above = paths[process->parent];
		uint32_t entry;

		paths[id] = hash_path(process, above);
		if (!t2_view_shows(view, id) || process->is_unstarted)
			continue;
		entry = find_entry(diff, process, prefix, t2_key_hash(process, prefix, above));
		is_fine = entry != T2_MAP_NONE;
		if (is_fine)
			count(diff, run, entry, view, id);
	}
	if (is_fine)
		sum_of(diff, T2_DIFF_WHOLE, run)->values[T2_METRIC_TOTAL] = view->analysis->wall_ns;
	free(paths);
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

/* What lone commands are matched by, from the more to the less exact. */
enum pass { BY_SOURCE, BY_NAME, NR_PASSES };

/* NULL if it is not to be matched in this pass. */
static const char *label_of(const struct t2_diff_entry *entry, enum pass pass)
{
	if (entry->is_merged)
		return NULL;
	if (pass == BY_NAME)
		return entry->name;
	return strcmp(entry->source, entry->name) ? entry->source : NULL;
}

/* Labels and hashes of commands share the map. */
static uint64_t label_key(const char *label)
{
	return XXH3_64bits_withSeed(label, strlen(label), UINT64_C(0x6c6162656c));
}

/* The entry for a label that both sides have only in commands without a partner. */
static uint32_t label_entry(struct t2_diff *diff, const char *label, const char *name)
{
	uint32_t id = t2_map_get(&diff->ids, label_key(label));

	if (id != T2_MAP_NONE)
		return id;
	id = add_entry(diff, label, label, name);
	if (id == T2_MAP_NONE || !t2_map_put(&diff->ids, label_key(label), id))
		return T2_MAP_NONE;
	diff->entries[id].is_by_label = true;
	return id;
}

/* The label of an entry that only one side has, or NULL. */
static const char *lone_label(const struct t2_diff *diff, uint32_t entry, enum pass pass)
{
	if (is_there(diff, entry, true) == is_there(diff, entry, false))
		return NULL;
	return label_of(&diff->entries[entry], pass);
}

/* Which sides have lone commands of a label: bit 0 the base, bit 1 the new one. */
static bool note_sides(const struct t2_diff *diff, enum pass pass, struct t2_map *sides)
{
	for (uint32_t i = T2_DIFF_WHOLE + 1; i < diff->nr; i++) {
		const char *label = lone_label(diff, i, pass);
		uint32_t bit = is_there(diff, i, true) ? 1 : 2, bits;

		if (!label)
			continue;
		bits = t2_map_get(sides, label_key(label));
		if (!t2_map_put(sides, label_key(label), (bits == T2_MAP_NONE ? 0 : bits) | bit))
			return false;
	}
	return true;
}

/* Returns false without memory. */
static bool match_pass(struct t2_diff *diff, enum pass pass)
{
	uint32_t nr = diff->nr;
	struct t2_map sides = {0};
	bool is_fine = note_sides(diff, pass, &sides);

	for (uint32_t i = T2_DIFF_WHOLE + 1; is_fine && i < nr; i++) {
		const char *label = lone_label(diff, i, pass);
		uint32_t entry;

		if (!label || t2_map_get(&sides, label_key(label)) != 3)
			continue;
		entry = label_entry(diff, label, diff->entries[i].name);
		is_fine = entry != T2_MAP_NONE;
		for (uint32_t run = 0; is_fine && run < diff->nr_runs; run++)
			add_sum(sum_of(diff, entry, run), sum_of(diff, i, run));
		diff->entries[i].is_merged = true;
	}
	t2_map_free(&sides);
	return is_fine;
}

bool t2_diff_match(struct t2_diff *diff)
{
	return match_pass(diff, BY_SOURCE) && match_pass(diff, BY_NAME);
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

/* --- what changed ------------------------------------------------------------- */

/* The entries that became @verdict, the largest changes first. */
static bool collect_verdict(struct t2_diff_changes *changes, enum t2_verdict verdict)
{
	const struct t2_diff *diff = changes->diff;
	size_t begin = changes->nr;

	for (uint32_t i = T2_DIFF_WHOLE + 1; i < diff->nr; i++) {
		struct t2_diff_stat base, now;
		int64_t change;

		if (diff->entries[i].is_merged ||
		    t2_diff_judge(diff, i, changes->metric, &changes->threshold) != verdict)
			continue;
		t2_diff_stat(diff, i, changes->metric, true, &base);
		t2_diff_stat(diff, i, changes->metric, false, &now);
		change = now.median - base.median;
		changes->items[changes->nr++] = (struct t2_sort_item){
			.key = change < 0 ? change : -change, .value = i, .more = (int32_t)verdict};
	}
	return t2_sort(changes->items + begin, changes->nr - begin);
}

bool t2_diff_collect(struct t2_diff_changes *changes)
{
	changes->nr = 0;
	changes->whole =
		t2_diff_judge(changes->diff, T2_DIFF_WHOLE, T2_METRIC_TOTAL, &changes->threshold);
	changes->items = calloc(changes->diff->nr, sizeof(*changes->items));
	if (!changes->items)
		return false;
	for (int verdict = T2_VERDICT_SLOWER; verdict < T2_VERDICT_SAME; verdict++) {
		if (!collect_verdict(changes, (enum t2_verdict)verdict))
			return false;
	}
	return true;
}

void t2_diff_free(struct t2_diff *diff)
{
	free(diff->entries);
	free(diff->sums);
	t2_map_free(&diff->ids);
	t2_strings_free(&diff->strings);
}
