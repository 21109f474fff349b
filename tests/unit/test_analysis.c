/* SPDX-License-Identifier: MIT */
/* command/analysis*.c: traces worked out by hand. */
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
