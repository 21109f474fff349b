/* SPDX-License-Identifier: MIT */
#include "command/analysis_build.h"

#include <stdlib.h>
#include <string.h>

#define NR_BUCKETS 60

/* --- who waits for whom --------------------------------------------------------- */

static void find_coordinators(struct t2_work *work, uint32_t root)
{
	const struct t2_trace *trace = work->trace;
	uint32_t begin = root == T2_ROOT ? T2_ROOT + 1 : root;

	for (uint32_t id = begin; id < trace->processes[root].end_id; id++) {
		const struct t2_process *process = &trace->processes[id];
		struct t2_life *life = &work->lives[id];

		life->is_counted = !process->is_unstarted;
		if (id == root || process->parent == T2_ROOT)
			life->coordinator = T2_ROOT;
		else if (process->is_exec)
			life->coordinator = work->lives[process->parent].coordinator;
		else
			life->coordinator = process->parent;
		life->is_released =
			id != root && (process->is_exec ? work->lives[process->parent].is_released
							: process->is_released);
	}
}

static void find_window(struct t2_work *work)
{
	const struct t2_trace *trace = work->trace;
	struct t2_analysis *analysis = work->analysis;
	bool is_first = true;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];

		if (!work->lives[id].is_counted || work->lives[id].coordinator != T2_ROOT)
			continue;
		if (is_first || process->start_ns < analysis->start_ns)
			analysis->start_ns = process->start_ns;
		if (is_first || process->end_ns > analysis->end_ns)
			analysis->end_ns = process->end_ns;
		is_first = false;
	}
	analysis->wall_ns = analysis->end_ns - analysis->start_ns;
}

static int64_t clip(const struct t2_analysis *analysis, int64_t time_ns)
{
	return t2_later(analysis->start_ns, t2_earlier(time_ns, analysis->end_ns));
}

static void clip_lives(struct t2_work *work)
{
	struct t2_analysis *analysis = work->analysis;

	for (uint32_t id = 1; id < work->trace->nr_processes; id++) {
		const struct t2_process *process = &work->trace->processes[id];
		struct t2_life *life = &work->lives[id];

		if (!life->is_counted)
			continue;
		life->start_ns = clip(analysis, process->start_ns);
		life->end_ns = clip(analysis, process->end_ns);
		analysis->usage[id].total_ns = life->end_ns - life->start_ns;
		analysis->nr_processes +=
			!process->is_exec || !work->lives[process->parent].is_counted;
		analysis->nr_outlived += process->end_ns > analysis->end_ns;
	}
	work->lives[T2_ROOT].start_ns = analysis->start_ns;
	work->lives[T2_ROOT].end_ns = analysis->end_ns;
}

/* Those that wait for nobody but the same one, in the order of their starts. */
static bool link_lives(struct t2_work *work)
{
	uint32_t nr_processes = work->trace->nr_processes, nr = 0;
	struct t2_sort_item *items = malloc(nr_processes * sizeof(*items));
	bool is_sorted;

	if (!items)
		return false;
	for (uint32_t id = 1; id < nr_processes; id++) {
		if (work->lives[id].is_counted)
			items[nr++] =
				(struct t2_sort_item){.key = work->lives[id].start_ns, .value = id};
	}
	is_sorted = t2_sort(items, nr);
	for (uint32_t i = nr; is_sorted && i-- > 0;) {
		struct t2_life *life = &work->lives[items[i].value];

		life->next = work->lives[life->coordinator].first;
		work->lives[life->coordinator].first = items[i].value;
	}
	free(items);
	return is_sorted;
}

/* --- who is busy when ----------------------------------------------------------- */

static void add_busy(struct t2_work *work, uint32_t id, int64_t from_ns, int64_t to_ns)
{
	if (from_ns >= to_ns)
		return;
	work->analysis->usage[id].self_ns += to_ns - from_ns;
	work->edges[work->nr_edges++] = (struct t2_sort_item){from_ns, id, 1};
	work->edges[work->nr_edges++] = (struct t2_sort_item){to_ns, id, -1};
}

/* What is left of its life without those of its children. */
static void find_busy(struct t2_work *work, uint32_t id)
{
	const struct t2_life *life = &work->lives[id];
	int64_t from_ns = life->start_ns;

	for (uint32_t child = life->first; child; child = work->lives[child].next) {
		const struct t2_life *other = &work->lives[child];

		if (other->start_ns >= other->end_ns || other->is_released)
			continue;
		add_busy(work, id, from_ns, t2_earlier(other->start_ns, life->end_ns));
		from_ns = t2_later(from_ns, other->end_ns);
	}
	add_busy(work, id, from_ns, life->end_ns);
}

/* At most one time before each child and one after the last. */
static bool find_all_busy(struct t2_work *work)
{
	uint32_t nr = work->trace->nr_processes;
	__int128 busy_ns = 0;

	work->edges = malloc((size_t)nr * 4 * sizeof(*work->edges));
	if (!work->edges)
		return false;
	for (uint32_t id = 1; id < nr; id++) {
		if (work->lives[id].is_counted)
			find_busy(work, id);
		busy_ns += work->analysis->usage[id].self_ns;
	}
	work->analysis->busy_ns = t2_saturate(busy_ns);
	return t2_sort(work->edges, work->nr_edges);
}

/* --- CPU time and memory -------------------------------------------------------- */

static void count_cpu(struct t2_work *work, unsigned nr_cpus)
{
	struct t2_analysis *analysis = work->analysis;
	__int128 there_ns = (__int128)analysis->wall_ns * nr_cpus;

	for (uint32_t id = 1; id < work->trace->nr_processes; id++) {
		if (work->lives[id].is_counted)
			analysis->cpu_ns += work->trace->processes[id].cpu_ns;
	}
	if (there_ns > 0)
		analysis->cpu_ppm =
			(uint64_t)t2_saturate((__int128)analysis->cpu_ns * 1000000 / there_ns);
}

static bool count_rss(struct t2_work *work)
{
	struct t2_analysis *analysis = work->analysis;
	uint32_t nr_processes = work->trace->nr_processes;
	struct t2_sort_item *items = malloc((size_t)nr_processes * 2 * sizeof(*items));
	uint64_t sum_kb = 0;
	size_t nr = 0;
	bool is_sorted;

	if (!items)
		return false;
	for (uint32_t id = 1; id < nr_processes; id++) {
		const struct t2_life *life = &work->lives[id];
		uint32_t rss_kb = work->trace->processes[id].self.max_rss_kb;

		if (!life->is_counted)
			continue;
		if (rss_kb > analysis->max_rss_kb) {
			analysis->max_rss_kb = rss_kb;
			analysis->max_rss_process = id;
		}
		if (life->start_ns == life->end_ns)
			continue;
		/* Where one ends and another begins, the end comes first. */
		items[nr++] = (struct t2_sort_item){life->end_ns * 2, id, -1};
		items[nr++] = (struct t2_sort_item){life->start_ns * 2 + 1, id, 1};
	}
	is_sorted = t2_sort(items, nr);
	for (size_t i = 0; is_sorted && i < nr; i++) {
		uint32_t rss_kb = work->trace->processes[items[i].value].self.max_rss_kb;

		sum_kb = items[i].more > 0 ? sum_kb + rss_kb : sum_kb - rss_kb;
		if (sum_kb > analysis->sum_rss_bound_kb)
			analysis->sum_rss_bound_kb = sum_kb;
	}
	free(items);
	return is_sorted;
}

/* --- all of it ---------------------------------------------------------------- */

static bool analyse(struct t2_work *work, const struct t2_analysis_opts *opts)
{
	struct t2_analysis *analysis = work->analysis;
	uint32_t nr = work->trace->nr_processes;

	analysis->nr_buckets = opts->nr_buckets ? opts->nr_buckets : NR_BUCKETS;
	analysis->bucket_ns = calloc(analysis->nr_buckets, sizeof(*analysis->bucket_ns));
	analysis->usage = calloc(nr, sizeof(*analysis->usage));
	work->lives = calloc(nr, sizeof(*work->lives));
	if (!analysis->bucket_ns || !analysis->usage || !work->lives)
		return false;
	find_coordinators(work, opts->root < nr ? opts->root : T2_ROOT);
	find_window(work);
	clip_lives(work);
	if (!link_lives(work) || !find_all_busy(work))
		return false;
	count_cpu(work, opts->nr_cpus);
	return count_rss(work) && t2_analysis_sweep(work) && t2_analysis_chain(work);
}

struct t2_analysis *t2_analyse(const struct t2_trace *trace, const struct t2_analysis_opts *opts)
{
	static const struct t2_analysis_opts defaults;
	struct t2_work work = {.trace = trace, .analysis = calloc(1, sizeof(*work.analysis))};
	bool is_done;

	is_done = work.analysis && analyse(&work, opts ? opts : &defaults);
	free(work.lives);
	free(work.edges);
	if (is_done)
		return work.analysis;
	t2_analysis_free(work.analysis);
	return NULL;
}

void t2_analysis_free(struct t2_analysis *analysis)
{
	if (!analysis)
		return;
	free(analysis->usage);
	free(analysis->at);
	free(analysis->bucket_ns);
	free(analysis->stretches);
	free(analysis->links);
	free(analysis);
}

int64_t t2_analysis_at(const struct t2_analysis *analysis, uint32_t low, uint32_t high)
{
	int64_t sum_ns = 0;

	for (uint32_t n = low; n < analysis->nr_at && n <= high; n++)
		sum_ns += analysis->at[n];
	return sum_ns;
}

uint32_t t2_analysis_median(const struct t2_analysis *analysis)
{
	int64_t sum_ns = 0;
	uint32_t n;

	for (n = 0; n + 1 < analysis->nr_at; n++) {
		sum_ns += analysis->at[n];
		if (sum_ns >= analysis->wall_ns - sum_ns)
			break;
	}
	return n;
}
