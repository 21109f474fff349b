/* SPDX-License-Identifier: MIT */
/*
 * command/analysis*.c: laws that hold for any trace, on random ones, beside a slow account
 * that goes by the definition.
 */
#include "command/analysis.h"
#include "tests/unit/model.h"

#include <inttypes.h>

/* --- random trees --------------------------------------------------------------- */

static uint64_t random_state;

static unsigned draw(unsigned below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 11) % below;
}

struct writer {
	FILE *out;
	unsigned nr, max;
	uint64_t cpu_us; /* of all */
};

static void put_time(FILE *out, unsigned us)
{
	fprintf(out, "\"time\":\"2026-01-01T00:%02u:%02u.%06uZ\"", us / 60000000, us / 1000000 % 60,
		us % 1000000);
}

/*
 * A process that lives from @from to @to, and its children's CPU time. Now and then
 * one says nothing of its end, is only seen from outside, or begins or ends when its
 * parent does not live.
 */
static unsigned put_process(struct writer *writer, const char *parent, unsigned from, unsigned to,
			    unsigned depth)
{
	FILE *out = writer->out;
	unsigned number = ++writer->nr, own_us = draw(1000), children_us = 0;
	bool is_silent = !draw(20);
	char sid[600];

	snprintf(sid, sizeof(sid), "%.500s%s20260101T000000.%06uZ-H00000001-P%08x", parent,
		 *parent ? "/" : "", number, number);
	fprintf(out, "{\"event\":\"version\",\"sid\":\"%s\",", sid);
	put_time(out, from);
	fprintf(out, "}\n{\"event\":\"start\",\"sid\":\"%s\",\"argv\":[\"p%u\"]}\n", sid, number);
	for (unsigned child = 0; depth < 9 && child < 8 && writer->nr < writer->max && draw(4);
	     child++) {
		unsigned begin = from + draw((to - from) * 9 / 8 + 1) - draw(from / 8 + 1);
		unsigned end = begin + draw((to - from) + 2);
		unsigned pid = writer->nr + 1, used_us = draw(1000);
		bool is_outside = !draw(10);

		fprintf(out, "{\"event\":\"child_start\",\"sid\":\"%s\",\"child_id\":%u,", sid,
			child);
		put_time(out, begin);
		fprintf(out, ",\"argv\":[\"p%u\"]}\n", pid);
		if (is_outside) {
			writer->nr++;
			writer->cpu_us += used_us;
		} else {
			used_us = put_process(writer, sid, begin + draw(end - begin + 1), end,
					      depth + 1);
		}
		children_us += used_us;
		fprintf(out, "{\"event\":\"child_exit\",\"sid\":\"%s\",\"child_id\":%u,", sid,
			child);
		put_time(out, end + draw(100));
		fprintf(out, ",\"pid\":%u,\"code\":0,\"t_user\":0.%06u,\"t_sys\":0}\n", pid,
			used_us);
	}
	writer->cpu_us += own_us;
	if (!is_silent) {
		fprintf(out,
			"{\"event\":\"data_json\",\"sid\":\"%s\",\"category\":\"process\",\"key\":"
			"\"rusage\",\"value\":{\"self\":{\"user_us\":%u},\"children\":{\"user_us\":"
			"%u}}}\n{\"event\":\"atexit\",\"sid\":\"%s\",\"code\":0,",
			sid, own_us, children_us, sid);
		put_time(out, to);
		fputs("}\n", out);
	} else if (!*parent) {
		writer->cpu_us -= own_us; /* nobody told */
	}
	return own_us + children_us;
}

static struct t2_trace *random_trace(unsigned seed, uint64_t *ret_cpu_us)
{
	struct writer writer = {.max = 5 + seed % 80};
	struct t2_trace *trace;
	char *text;
	size_t len;

	random_state = 88172645463325252U + seed * 7919U;
	writer.out = open_memstream(&text, &len);
	for (unsigned roots = 1 + seed % 3, at = 0; roots; roots--) {
		put_process(&writer, "", at, at + 100000, 0);
		at += 60000 + draw(100000);
	}
	fclose(writer.out);
	trace = model_text(text, len);
	cr_assert_str_eq(model_messages, "");
	cr_assert_eq(trace->nr_processes, writer.nr + 1, "seed %u", seed);
	free(text);
	*ret_cpu_us = writer.cpu_us;
	return trace;
}

/* --- the account by the definition ------------------------------------------------ */

/* By the definition: it lives at that time, and none of its children does. */
static bool is_busy(const struct t2_trace *trace, uint32_t id, int64_t time_ns)
{
	const struct t2_process *process = &trace->processes[id];

	if (time_ns < process->start_ns || time_ns >= process->end_ns)
		return false;
	for (uint32_t child = id + 1; child < process->end_id; child++) {
		const struct t2_process *other = &trace->processes[child];

		if (other->parent == id && time_ns >= other->start_ns && time_ns < other->end_ns)
			return false;
	}
	return true;
}

static int compare_times(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

/* From one start or end to the next, each process for itself. */
static void check_by_definition(const struct t2_trace *trace, const struct t2_analysis *analysis,
				unsigned seed)
{
	uint32_t nr = trace->nr_processes, nr_times = 0;
	int64_t *times = malloc(nr * 2 * sizeof(*times)), *self = calloc(nr, sizeof(*self));
	double *weighted = calloc(nr, sizeof(*weighted));
	bool *busy = malloc(nr * sizeof(*busy));

	for (uint32_t id = 1; id < nr; id++) {
		times[nr_times++] = trace->processes[id].start_ns;
		times[nr_times++] = trace->processes[id].end_ns;
	}
	qsort(times, nr_times, sizeof(*times), compare_times);
	for (uint32_t i = 0; i + 1 < nr_times && times[i] < analysis->end_ns; i++) {
		int64_t end_ns = times[i + 1] < analysis->end_ns ? times[i + 1] : analysis->end_ns;
		unsigned nr_busy = 0;

		for (uint32_t id = 1; id < nr; id++)
			nr_busy += busy[id] = is_busy(trace, id, times[i]);
		for (uint32_t id = 1; id < nr; id++) {
			self[id] += busy[id] * (end_ns - times[i]);
			if (busy[id])
				weighted[id] += (double)(end_ns - times[i]) / nr_busy;
		}
	}
	for (uint32_t id = 1; id < nr; id++) {
		double off = weighted[id] - (double)analysis->usage[id].weighted_ns;

		cr_expect_eq(self[id], analysis->usage[id].self_ns, "seed %u: %u", seed, id);
		cr_expect(off > -2 && off < 2, "seed %u: %u is off by %f", seed, id, off);
	}
	free(times);
	free(self);
	free(weighted);
	free(busy);
}

/* --- laws ----------------------------------------------------------------------- */

static void check_sums(const struct t2_trace *trace, const struct t2_analysis *analysis,
		       unsigned seed)
{
	int64_t weighted_ns = analysis->nobody_ns, self_ns = 0, at_ns = 0, busy_ns = 0, sum_ns = 0;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_usage *usage = &analysis->usage[id];

		weighted_ns += usage->weighted_ns;
		self_ns += usage->self_ns;
		cr_expect(usage->self_ns >= 0 && usage->self_ns <= usage->total_ns, "seed %u",
			  seed);
		cr_expect_geq(usage->weighted_ns, 0);
	}
	cr_expect_eq(weighted_ns, analysis->wall_ns, "seed %u", seed);
	cr_expect_eq(self_ns, analysis->busy_ns, "seed %u", seed);
	for (uint32_t n = 0; n < analysis->nr_at; n++) {
		at_ns += analysis->at[n];
		busy_ns += analysis->at[n] * n;
	}
	cr_expect_eq(at_ns, analysis->wall_ns, "seed %u", seed);
	cr_expect_eq(busy_ns, analysis->busy_ns, "seed %u", seed);
	for (uint32_t i = 0; i < analysis->nr_buckets; i++)
		sum_ns += analysis->bucket_ns[i];
	cr_expect_eq(sum_ns, analysis->busy_ns, "seed %u", seed);
	cr_expect_eq(analysis->serial_ns, t2_analysis_at(analysis, 0, 1), "seed %u", seed);
}

/* For how long @link is of a process that waits for a child meanwhile. */
static int64_t waiting_ns(const struct t2_trace *trace, const struct t2_link *link)
{
	int64_t longest_ns = 0;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *child = &trace->processes[id];
		int64_t from_ns = child->start_ns, to_ns = child->end_ns;

		if (child->parent != link->process)
			continue;
		if (from_ns < link->start_ns)
			from_ns = link->start_ns;
		if (to_ns > link->end_ns)
			to_ns = link->end_ns;
		if (to_ns - from_ns > longest_ns)
			longest_ns = to_ns - from_ns;
	}
	return longest_ns;
}

/* The chain has no gap, and nobody in it is dead, or waits for long. */
static void check_chain(const struct t2_trace *trace, const struct t2_analysis *analysis,
			unsigned seed)
{
	int64_t at_ns = analysis->start_ns;

	for (uint32_t i = 0; i < analysis->nr_links; i++) {
		const struct t2_link *link = &analysis->links[i];

		cr_expect_eq(link->start_ns, at_ns, "seed %u: link %u", seed, i);
		cr_expect_gt(link->end_ns, link->start_ns);
		cr_expect_geq(link->start_ns, trace->processes[link->process].start_ns);
		cr_expect_leq(link->end_ns, trace->processes[link->process].end_ns);
		cr_expect_leq(waiting_ns(trace, link), 2 * MS, "seed %u: link %u", seed, i);
		at_ns = link->end_ns;
	}
	cr_expect_eq(at_ns, analysis->end_ns, "seed %u", seed);
}

static void check_tree(const struct t2_trace *trace, unsigned seed)
{
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		const struct t2_process *parent = &trace->processes[process->parent];

		cr_expect(process->parent < id && id < parent->end_id, "seed %u: %u", seed, id);
		cr_expect(process->end_id > id && process->end_id <= parent->end_id, "seed %u: %u",
			  seed, id);
		cr_expect_eq(process->depth, parent->depth + 1);
		cr_expect_leq(process->start_ns, process->end_ns);
	}
}

Test(analysis, keeps_its_laws_on_any_tree)
{
	const struct t2_analysis_opts opts = {.root = T2_ROOT, .nr_buckets = 10, .nr_cpus = 2};

	for (unsigned seed = 0; seed < 300; seed++) {
		uint64_t cpu_us;
		struct t2_trace *trace = random_trace(seed, &cpu_us);
		struct t2_analysis *analysis = t2_analyse(trace, &opts);

		cr_assert_not_null(analysis);
		check_tree(trace, seed);
		check_sums(trace, analysis, seed);
		check_chain(trace, analysis, seed);
		check_by_definition(trace, analysis, seed);
		cr_expect_eq(analysis->cpu_ns, cpu_us * 1000, "seed %u: %" PRIu64, seed,
			     analysis->cpu_ns);
		cr_expect_eq(analysis->nr_processes, trace->nr_processes - 1);
		t2_analysis_free(analysis);
		model_free(trace);
	}
}
