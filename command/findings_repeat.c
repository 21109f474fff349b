/* SPDX-License-Identifier: MIT */
/*
 * Findings about what was done more than once.
 */
#include "command/findings_build.h"
#include "command/map.h"

#include <stdlib.h>
#include <string.h>

/* From where on something is worth a line. Shares are parts of a million. */
static const struct {
	uint32_t repeats; /* 003: runs of one command, and what they cost */
	int64_t repeats_ns, repeats_ppm;
	int64_t retries_ns; /* 007: what was spent in vain */
} limits = {
	.repeats = 10,
	.repeats_ns = 100 * T2_MS,
	.repeats_ppm = 10000,
	.retries_ns = 100 * T2_MS,
};

/* --- the same again ------------------------------------------------------------------ */

/* One command line in one directory. */
struct repeat {
	uint32_t first, failed; /* failed: the last one that did, not yet repaired; or 0 */
	uint32_t count;
	int64_t weighted_ns;
	int64_t vain_ns; /* of the failed ones, not yet repaired */
};

struct repeats {
	struct t2_map map;
	struct repeat *all;
	uint32_t nr;
	uint32_t nr_retries, retried; /* failed, then done under the same parent */
	int64_t retries_ns;
};

/* Strings of a trace are equal if their addresses are. */
static uint64_t repeat_key(const struct t2_process *process)
{
	uint64_t key = (uintptr_t)process->argv * UINT64_C(0x9e3779b97f4a7c15);

	return key ^ (uintptr_t)process->cwd;
}

/*
 * Whether @id came right after @failed, which its parent had started as well, with nothing
 * but a pause between. Whoever did something in between may have mended it: configure
 * compiles one program after the other under one name.
 */
static bool is_retry(const struct t2_view *view, uint32_t failed, uint32_t id)
{
	const struct t2_trace *trace = view->trace;
	const struct t2_process *before = &trace->processes[failed];
	char name[T2_FINDING_NAME_ROOM];

	if (before->parent != trace->processes[id].parent ||
	    before->end_ns > trace->processes[id].start_ns)
		return false;
	for (uint32_t other = before->end_id; other < id; other = t2_next_sibling(trace, other)) {
		t2_finding_name(view, other, name);
		if (strcmp(name, "sleep") != 0 && strcmp(name, "date") != 0)
			return false;
	}
	return true;
}

static void note_end(struct repeats *repeats, struct repeat *repeat, const struct t2_view *view,
		     uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];

	if (repeat->failed && !is_retry(view, repeat->failed, id)) {
		repeat->failed = 0;
		repeat->vain_ns = 0;
	}
	if (t2_has_failed(process)) {
		repeat->failed = id;
		repeat->vain_ns += process->end_ns - process->start_ns;
		return;
	}
	if (!repeat->failed || process->end != T2_END_EXIT)
		return;
	repeats->nr_retries++;
	repeats->retried = id;
	repeats->retries_ns += repeat->vain_ns;
	repeat->failed = 0;
	repeat->vain_ns = 0;
}

static bool count_repeats(struct repeats *repeats, const struct t2_view *view)
{
	const struct t2_trace *trace = view->trace;

	repeats->all = calloc(trace->nr_processes, sizeof(*repeats->all));
	for (uint32_t id = 1; repeats->all && id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		uint64_t key = repeat_key(process);
		uint32_t index;

		if (!process->argv || process->is_unstarted || process->end == T2_END_EXEC ||
		    t2_view_is_fork(view, id) || !t2_view_shows(view, id))
			continue;
		index = t2_map_get(&repeats->map, key);
		if (index == T2_MAP_NONE) {
			index = repeats->nr++;
			repeats->all[index].first = id;
			if (!t2_map_put(&repeats->map, key, index))
				return false;
		}
		repeats->all[index].count++;
		repeats->all[index].weighted_ns += view->analysis->usage[id].weighted_ns;
		note_end(repeats, &repeats->all[index], view, id);
	}
	return repeats->all;
}

static void free_repeats(struct repeats *repeats)
{
	t2_map_free(&repeats->map);
	free(repeats->all);
}

bool t2_find_repeats(const struct t2_view *view, char *out)
{
	struct repeats repeats = {0};
	const struct repeat *worst = NULL;
	struct t2_words words;
	bool is_counted = count_repeats(&repeats, view);

	for (uint32_t i = 0; is_counted && i < repeats.nr; i++) {
		const struct repeat *repeat = &repeats.all[i];

		if (repeat->count >= limits.repeats &&
		    (!worst || repeat->weighted_ns > worst->weighted_ns))
			worst = repeat;
	}
	if (worst && (worst->weighted_ns < limits.repeats_ns ||
		      t2_finding_share(view, worst->weighted_ns) < limits.repeats_ppm))
		worst = NULL;
	if (worst) {
		t2_finding_command(view, worst->first, words.name);
		t2_finding_time(view, &words, worst->weighted_ns);
		snprintf(out, T2_FINDING_ROOM,
			 "`%s` ran %s times in one directory: %s (%s of wall)", words.name,
			 t2_text_count(words.count, worst->count), words.time, words.share);
	}
	free_repeats(&repeats);
	return worst;
}

bool t2_find_retries(const struct t2_view *view, char *out)
{
	struct repeats repeats = {0};
	bool is_found = count_repeats(&repeats, view) && repeats.retries_ns >= limits.retries_ns;
	struct t2_words words;

	if (is_found) {
		t2_finding_command(view, repeats.retried, words.name);
		t2_finding_time(view, &words, repeats.retries_ns);
		snprintf(out, T2_FINDING_ROOM,
			 "%s failed and %s repeated with success: %s spent in vain; such as `%s`",
			 repeats.nr_retries == 1
				 ? "1 command"
				 : strcat(t2_text_count(words.count, repeats.nr_retries),
					  " commands"),
			 repeats.nr_retries == 1 ? "was" : "were", words.time, words.name);
	}
	free_repeats(&repeats);
	return is_found;
}
