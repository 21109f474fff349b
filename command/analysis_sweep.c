/* SPDX-License-Identifier: MIT */
/*
 * From the start to the end, from one change of who is busy to the next.
 *
 * The share of a process of the wall clock is the sum of dt / n over the times it is
 * busy. One running sum for all of them does it: a process has what that grew by
 * while it was busy. It is kept in parts of a nanosecond, and rounded for all
 * processes together, so that their shares still add up.
 */
#include "command/analysis_build.h"
#include "command/grow.h"

#include <stdlib.h>
#include <string.h>

#define FRACTION_BITS 32

typedef unsigned __int128 fixed;

struct sweep {
	struct t2_work *work;
	fixed *shares; /* by id */
	fixed share;   /* of whoever is always busy */
	int64_t time_ns;
	uint32_t nr_busy;
	uint64_t busy_ids; /* their sum: who it is, if it is one */
	uint32_t bucket;

	/* The serial stretch at hand. */
	int64_t *tallies;  /* by id: busy for so long in it */
	uint32_t *tallied; /* whose tallies are not 0 */
	uint32_t nr_tallied;
	bool is_serial;
	uint32_t max_stretches;
};

/* --- serial stretches ----------------------------------------------------------- */

static bool begin_stretch(struct sweep *sweep)
{
	struct t2_analysis *analysis = sweep->work->analysis;
	struct t2_stretch *stretches;

	stretches = t2_grow(analysis->stretches, analysis->nr_stretches, &sweep->max_stretches,
			    sizeof(*stretches));
	if (!stretches)
		return false;
	analysis->stretches = stretches;
	analysis->stretches[analysis->nr_stretches++] =
		(struct t2_stretch){.start_ns = sweep->time_ns, .process = T2_ROOT};
	sweep->is_serial = true;
	return true;
}

static void end_stretch(struct sweep *sweep)
{
	struct t2_analysis *analysis = sweep->work->analysis;
	struct t2_stretch *stretch;

	if (!sweep->is_serial)
		return;
	sweep->is_serial = false;
	stretch = &analysis->stretches[analysis->nr_stretches - 1];
	stretch->end_ns = sweep->time_ns;
	analysis->serial_ns += stretch->end_ns - stretch->start_ns;
	while (sweep->nr_tallied) {
		uint32_t id = sweep->tallied[--sweep->nr_tallied];

		if (sweep->tallies[id] > stretch->process_ns) {
			stretch->process_ns = sweep->tallies[id];
			stretch->process = id;
		}
		sweep->tallies[id] = 0;
	}
}

static bool stretch_by(struct sweep *sweep, int64_t dt_ns)
{
	uint32_t id = (uint32_t)sweep->busy_ids;

	if (sweep->nr_busy > 1) {
		end_stretch(sweep);
		return true;
	}
	if (!sweep->is_serial && !begin_stretch(sweep))
		return false;
	if (!sweep->nr_busy)
		return true;
	if (!sweep->tallies[id])
		sweep->tallied[sweep->nr_tallied++] = id;
	sweep->tallies[id] += dt_ns;
	return true;
}

/* --- time passes ---------------------------------------------------------------- */

/* Where a bucket ends. */
static int64_t bucket_end(const struct t2_analysis *analysis, uint32_t bucket)
{
	return analysis->start_ns +
	       (int64_t)((__int128)analysis->wall_ns * (bucket + 1) / analysis->nr_buckets);
}

static void fill_buckets(struct sweep *sweep, int64_t until_ns)
{
	struct t2_analysis *analysis = sweep->work->analysis;
	int64_t from_ns = sweep->time_ns;

	while (from_ns < until_ns) {
		int64_t to_ns = t2_earlier(until_ns, bucket_end(analysis, sweep->bucket));
		int64_t *bucket_ns = &analysis->bucket_ns[sweep->bucket];

		*bucket_ns = t2_saturate(*bucket_ns + (__int128)(to_ns - from_ns) * sweep->nr_busy);
		from_ns = to_ns;
		if (from_ns == bucket_end(analysis, sweep->bucket) &&
		    sweep->bucket + 1 < analysis->nr_buckets)
			sweep->bucket++;
	}
}

static bool pass_time(struct sweep *sweep, int64_t until_ns)
{
	int64_t dt_ns = until_ns - sweep->time_ns;

	if (!dt_ns)
		return true;
	if (!stretch_by(sweep, dt_ns))
		return false;
	fill_buckets(sweep, until_ns);
	sweep->work->analysis->at[sweep->nr_busy] += dt_ns;
	if (sweep->nr_busy)
		sweep->share += ((fixed)dt_ns << FRACTION_BITS) / sweep->nr_busy;
	sweep->time_ns = until_ns;
	return true;
}

static void change(struct sweep *sweep, const struct t2_sort_item *edge)
{
	if (edge->more > 0) {
		sweep->shares[edge->value] -= sweep->share;
		sweep->busy_ids += edge->value;
		sweep->nr_busy++;
	} else {
		sweep->shares[edge->value] += sweep->share;
		sweep->busy_ids -= edge->value;
		sweep->nr_busy--;
	}
}

static bool sweep_all(struct sweep *sweep)
{
	const struct t2_work *work = sweep->work;

	sweep->time_ns = work->analysis->start_ns;
	for (size_t i = 0; i < work->nr_edges; i++) {
		if (!pass_time(sweep, work->edges[i].key))
			return false;
		change(sweep, &work->edges[i]);
	}
	if (!pass_time(sweep, work->analysis->end_ns))
		return false;
	end_stretch(sweep);
	return true;
}

/* --- before and after ----------------------------------------------------------- */

/* The most that are ever busy; those that stop and begin at one moment never are
 * together, but for a moment in our own account. */
static uint32_t count_busiest(const struct t2_work *work)
{
	uint32_t nr_busy = 0, most = 0;

	for (size_t i = 0; i < work->nr_edges; i++) {
		nr_busy = work->edges[i].more > 0 ? nr_busy + 1 : nr_busy - 1;
		if (i + 1 < work->nr_edges && work->edges[i + 1].key == work->edges[i].key)
			continue;
		if (nr_busy > most)
			most = nr_busy;
	}
	return most;
}

/* What was lost in the running sum is less than the ones it was divided by; the
 * largest share can bear it. */
static void round_shares(struct sweep *sweep)
{
	struct t2_analysis *analysis = sweep->work->analysis;
	struct t2_usage *largest = &analysis->usage[T2_ROOT];
	int64_t given_ns = 0;
	fixed sum = 0;

	for (uint32_t id = 1; id < sweep->work->trace->nr_processes; id++) {
		struct t2_usage *usage = &analysis->usage[id];

		sum += sweep->shares[id];
		usage->weighted_ns = (int64_t)(sum >> FRACTION_BITS) - given_ns;
		given_ns += usage->weighted_ns;
		if (usage->weighted_ns > largest->weighted_ns)
			largest = usage;
	}
	analysis->nobody_ns = analysis->at[0];
	if (given_ns)
		largest->weighted_ns += analysis->wall_ns - analysis->nobody_ns - given_ns;
}

bool t2_analysis_sweep(struct t2_work *work)
{
	struct t2_analysis *analysis = work->analysis;
	uint32_t nr = work->trace->nr_processes;
	struct sweep sweep = {
		.work = work,
		.shares = calloc(nr, sizeof(*sweep.shares)),
		.tallies = calloc(nr, sizeof(*sweep.tallies)),
		.tallied = malloc(nr * sizeof(*sweep.tallied)),
	};
	bool is_done = false;

	analysis->nr_at = count_busiest(work) + 1;
	analysis->at = calloc(analysis->nr_at, sizeof(*analysis->at));
	if (analysis->at && sweep.shares && sweep.tallies && sweep.tallied) {
		is_done = sweep_all(&sweep);
		round_shares(&sweep);
	}
	free(sweep.shares);
	free(sweep.tallies);
	free(sweep.tallied);
	return is_done;
}
