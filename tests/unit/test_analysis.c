/* SPDX-License-Identifier: MIT */
/*
 * command/analysis*.c: traces worked out by hand, and laws that hold for any, on
 * random ones, beside a slow account that goes by the definition.
 */
#include "command/analysis.h"
#include "tests/unit/model.h"

#include <inttypes.h>

static struct t2_analysis *analyse(const struct t2_trace *trace, uint32_t root)
{
	const struct t2_analysis_opts opts = {.root = root, .nr_buckets = 10, .nr_cpus = 2};
	struct t2_analysis *analysis = t2_analyse(trace, &opts);

	cr_assert_not_null(analysis);
	return analysis;
}

static void expect_usage(const struct t2_analysis *analysis, uint32_t id, int total_ms, int self_ms,
			 int weighted_ms)
{
	const struct t2_usage *usage = &analysis->usage[id];

	cr_expect_eq(usage->total_ns, total_ms * MS, "%u total %" PRId64, id, usage->total_ns);
	cr_expect_eq(usage->self_ns, self_ms * MS, "%u self %" PRId64, id, usage->self_ns);
	cr_expect_eq(usage->weighted_ns, weighted_ms * MS, "%u weighted %" PRId64, id,
		     usage->weighted_ns);
}

struct wanted_link {
	int start_ms, end_ms;
	const char *name;
};

static void expect_links(const struct t2_trace *trace, const struct t2_analysis *analysis,
			 const struct wanted_link *wanted, uint32_t nr)
{
	cr_assert_eq(analysis->nr_links, nr, "%u links", analysis->nr_links);
	for (uint32_t i = 0; i < nr; i++) {
		const struct t2_link *link = &analysis->links[i];
		const char *name = trace->processes[link->process].argv;

		cr_expect_eq(link->start_ns - analysis->start_ns, wanted[i].start_ms * MS, "%u", i);
		cr_expect_eq(link->end_ns - analysis->start_ns, wanted[i].end_ms * MS, "%u", i);
		cr_expect_str_eq(name ? name : "", wanted[i].name);
	}
}

#define EXPECT_LINKS(trace, analysis, wanted)                                                      \
	expect_links(trace, analysis, wanted, sizeof(wanted) / sizeof(*(wanted)))

Test(analysis, shares_time_among_those_that_are_busy)
{
	struct t2_trace *trace = model_load("overlap");
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);
	const int buckets_ms[] = {10, 10, 10, 20, 20, 20, 10, 10, 10, 10};
	const struct t2_stretch *stretches = analysis->stretches;

	cr_expect_eq(analysis->wall_ns, 100 * MS);
	expect_usage(analysis, 1, 100, 20, 20);
	expect_usage(analysis, 2, 50, 50, 35);
	expect_usage(analysis, 3, 60, 60, 45);
	cr_expect_eq(analysis->nobody_ns, 0);
	cr_expect_eq(analysis->busy_ns, 130 * MS);
	cr_assert_eq(analysis->nr_at, 3);
	cr_expect_eq(analysis->at[1], 70 * MS);
	cr_expect_eq(analysis->at[2], 30 * MS);
	cr_expect_eq(t2_analysis_at(analysis, 1, 99), 100 * MS);
	cr_expect_eq(t2_analysis_median(analysis), 1);
	for (unsigned i = 0; i < 10; i++)
		cr_expect_eq(analysis->bucket_ns[i], buckets_ms[i] * MS, "bucket %u", i);
	cr_assert_eq(analysis->nr_stretches, 2);
	cr_expect_eq(stretches[0].end_ns - analysis->start_ns, 30 * MS);
	cr_expect_eq(stretches[0].process, 2);
	cr_expect_eq(stretches[0].process_ns, 20 * MS);
	cr_expect_eq(stretches[1].start_ns - analysis->start_ns, 60 * MS);
	cr_expect_eq(stretches[1].process, 3);
	cr_expect_eq(analysis->serial_ns, 70 * MS);
	cr_expect_eq(analysis->cpu_ns, 103 * MS);
	cr_expect_eq(analysis->cpu_ppm, 515000);
	cr_expect_eq(analysis->max_rss_kb, 3000);
	cr_expect_eq(analysis->max_rss_process, 3);
	cr_expect_eq(analysis->sum_rss_bound_kb, 4500);
	t2_analysis_free(analysis);
	model_free(trace);
}

Test(analysis, finds_what_the_end_waited_for)
{
	const struct wanted_link overlap[] = {
		{0, 10, "make"}, {10, 30, "cc"}, {30, 90, "cc"}, {90, 100, "make"}};
	const struct wanted_link nested[] = {
		{0, 10, "sh"},	{10, 20, "cc"},	 {20, 50, "cc1"}, {50, 60, "cc"},   {60, 75, "as"},
		{75, 80, "cc"}, {80, 100, "sh"}, {100, 120, ""},  {120, 150, "ls"},
	};
	const struct wanted_link exec[] = {
		{0, 10, "sh"}, {10, 20, "env"}, {20, 70, "prog"}, {70, 100, "sh"}};
	struct t2_trace *trace = model_load("overlap");
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);

	EXPECT_LINKS(trace, analysis, overlap);
	t2_analysis_free(analysis);
	model_free(trace);
	trace = model_load("nested");
	analysis = analyse(trace, T2_ROOT);
	EXPECT_LINKS(trace, analysis, nested);
	t2_analysis_free(analysis);
	model_free(trace);
	trace = model_load("exec");
	analysis = analyse(trace, T2_ROOT);
	EXPECT_LINKS(trace, analysis, exec);
	t2_analysis_free(analysis);
	model_free(trace);
}

/* --- a build whose dependencies are known ----------------------------------------- */

struct job {
	const char *name;
	int start_ms, end_ms; /* end -1: left behind by make */
};

static void put_event(FILE *out, const char *name, int ms)
{
	fprintf(out,
		"{\"event\":\"%s\",\"sid\":\"20260101T000000.000001Z-H00000001-P00000001\","
		"\"time\":\"2026-01-01T00:00:00.%06dZ\"",
		name, ms * 1000);
}

/* make from 0 to @end_ms, which starts the jobs and waits for them. */
static struct t2_trace *make_of(const struct job *jobs, int nr, int end_ms)
{
	struct t2_trace *trace;
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	put_event(out, "version", 0);
	fputs("}\n", out);
	put_event(out, "start", 0);
	fputs(",\"argv\":[\"make\"]}\n", out);
	for (int i = 0; i < nr; i++) {
		bool is_left = jobs[i].end_ms < 0;

		put_event(out, "child_start", jobs[i].start_ms);
		fprintf(out, ",\"child_id\":%d,\"argv\":[\"%s\"]}\n", i, jobs[i].name);
		put_event(out, is_left ? "child_ready" : "child_exit",
			  is_left ? end_ms : jobs[i].end_ms);
		fprintf(out, ",\"child_id\":%d,\"pid\":%d,\"%s}\n", i, i + 2,
			is_left ? "ready\":\"ready\"" : "code\":0");
	}
	put_event(out, "atexit", end_ms);
	fputs(",\"code\":0}\n", out);
	fclose(out);
	trace = model_text(text, len);
	free(text);
	return trace;
}

/* -j2: a and b need gen, c needs a, d needs b and c, and link needs all of them. */
Test(analysis, finds_the_chain_of_known_dependencies)
{
	const struct job jobs[] = {{"gen", 1, 20}, {"a", 21, 50},  {"b", 22, 90},
				   {"c", 51, 80},  {"d", 92, 140}, {"link", 143, 190}};
	const struct wanted_link wanted[] = {
		{0, 1, "make"},	    {1, 20, "gen"},	{20, 22, "make"},
		{22, 90, "b"},	    {90, 92, "make"},	{92, 140, "d"},
		{140, 143, "make"}, {143, 190, "link"}, {190, 191, "make"}};
	struct t2_trace *trace = make_of(jobs, 6, 191);
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);

	EXPECT_LINKS(trace, analysis, wanted);
	t2_analysis_free(analysis);
	model_free(trace);
}

/* make had nothing to do from 50 to 100 but to wait for b; from 20 to 60 for nobody. */
Test(analysis, charges_a_long_gap_to_whom_the_coordinator_waits_for)
{
	const struct job jobs[] = {{"a", 0, 20}, {"b", 60, 150}, {"c", 61, 70}, {"d", 100, 190}};
	const struct wanted_link wanted[] = {
		{0, 20, "a"},	{20, 60, "make"}, {60, 61, "b"},      {61, 70, "c"},
		{70, 100, "b"}, {100, 190, "d"},  {190, 200, "make"},
	};
	struct t2_trace *trace = make_of(jobs, 4, 200);
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);

	EXPECT_LINKS(trace, analysis, wanted);
	t2_analysis_free(analysis);
	model_free(trace);
}

/* A server that is still there when its parent ends kept nobody waiting. */
Test(analysis, does_not_wait_for_a_child_that_was_left_behind)
{
	const struct job jobs[] = {{"server", 10, -1}, {"test", 30, 80}};
	const struct wanted_link wanted[] = {{0, 30, "make"}, {30, 80, "test"}, {80, 100, "make"}};
	struct t2_trace *trace = make_of(jobs, 2, 100);
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);

	expect_usage(analysis, 1, 100, 50, 30);
	expect_usage(analysis, 2, 90, 90, 45);
	expect_usage(analysis, 3, 50, 50, 25);
	EXPECT_LINKS(trace, analysis, wanted);
	t2_analysis_free(analysis);
	model_free(trace);
}

Test(analysis, counts_the_time_in_which_nobody_is_busy)
{
	struct t2_trace *trace = model_load("nested");
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);

	cr_expect_eq(analysis->wall_ns, 150 * MS);
	expect_usage(analysis, 1, 100, 30, 30);
	expect_usage(analysis, 2, 70, 25, 25);
	expect_usage(analysis, 3, 30, 30, 30);
	expect_usage(analysis, 4, 15, 15, 15);
	expect_usage(analysis, 5, 30, 30, 30);
	cr_expect_eq(analysis->nobody_ns, 20 * MS);
	cr_expect_eq(analysis->at[0], 20 * MS);
	cr_assert_eq(analysis->nr_stretches, 1);
	cr_expect_eq(analysis->serial_ns, 150 * MS);
	t2_analysis_free(analysis);
	model_free(trace);
}

Test(analysis, of_one_process_is_of_what_is_below_it)
{
	struct t2_trace *trace = model_load("nested");
	struct t2_analysis *analysis = analyse(trace, 2);

	cr_expect_eq(analysis->wall_ns, 70 * MS);
	cr_expect_eq(analysis->nr_processes, 3);
	expect_usage(analysis, 1, 0, 0, 0);
	expect_usage(analysis, 2, 70, 25, 25);
	expect_usage(analysis, 3, 30, 30, 30);
	expect_usage(analysis, 5, 0, 0, 0);
	t2_analysis_free(analysis);
	model_free(trace);
}

/* Failed attempts are no processes; one image after the other is one child. */
Test(analysis, takes_images_of_one_process_for_one_child)
{
	struct t2_trace *trace = model_load("outside");
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);

	cr_expect_eq(analysis->wall_ns, 100 * MS);
	expect_usage(analysis, 1, 100, 25, 25);
	expect_usage(analysis, 2, 40, 30, 30);
	expect_usage(analysis, 3, 10, 10, 10);
	expect_usage(analysis, 4, 5, 5, 5);
	expect_usage(analysis, 5, 30, 30, 30);
	expect_usage(analysis, 6, 0, 0, 0);
	cr_expect_eq(analysis->cpu_ns, 40 * MS);
	cr_expect_eq(analysis->nr_processes, 4);
	t2_analysis_free(analysis);
	model_free(trace);
}

Test(analysis, of_nothing_is_zero)
{
	struct t2_trace *trace = model_text("", 0);
	struct t2_analysis *analysis = analyse(trace, T2_ROOT);

	cr_expect_eq(analysis->wall_ns, 0);
	cr_expect_eq(analysis->nr_links, 0);
	cr_expect_eq(analysis->nr_stretches, 0);
	cr_expect_eq(t2_analysis_median(analysis), 0);
	t2_analysis_free(analysis);
	model_free(trace);
}

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
	for (unsigned seed = 0; seed < 300; seed++) {
		uint64_t cpu_us;
		struct t2_trace *trace = random_trace(seed, &cpu_us);
		struct t2_analysis *analysis = analyse(trace, T2_ROOT);

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
