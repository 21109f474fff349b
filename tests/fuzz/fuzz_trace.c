/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a file with a trace, packed or not: the model of it is a tree, its
 * analysis keeps the laws that every analysis keeps, and every process has a name.
 */
#include "command/key.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void check_tree(const struct t2_trace *trace)
{
	char out[64], name[64];

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		const struct t2_process *parent = &trace->processes[process->parent];

		hold(process->parent < id && id < parent->end_id);
		hold(process->end_id > id && process->end_id <= parent->end_id);
		hold(process->start_ns <= process->end_ns);
		hold(process->first_region + process->nr_regions <= trace->nr_regions);
		hold(process->host < trace->nr_hosts);
		hold(t2_key_name(process, name, sizeof(name)) > 0);
		t2_key_output(process, out, sizeof(out));
		t2_key_source(process, out, sizeof(out));
		t2_key_command(process, out, sizeof(out));
		t2_key_normal(process, "/build", out, sizeof(out));
		t2_key_hash(process, NULL, id);
		t2_trace_sid(trace, id, out, sizeof(out));
	}
}

static void check_analysis(const struct t2_trace *trace, uint32_t root)
{
	const struct t2_analysis_opts opts = {.root = root, .nr_buckets = 7, .nr_cpus = 3};
	struct t2_analysis *analysis = t2_analyse(trace, &opts);
	int64_t sum_ns = analysis->nobody_ns, at_ns = analysis->start_ns;

	for (uint32_t id = 0; id < trace->nr_processes; id++) {
		hold(analysis->usage[id].self_ns >= 0);
		hold(analysis->usage[id].weighted_ns >= 0);
		sum_ns += analysis->usage[id].weighted_ns;
	}
	hold(sum_ns == analysis->wall_ns);
	hold(t2_analysis_at(analysis, 0, UINT32_MAX) == analysis->wall_ns);
	hold(t2_analysis_median(analysis) < analysis->nr_at);
	for (uint32_t i = 0; i < analysis->nr_links; i++) {
		hold(analysis->links[i].start_ns == at_ns);
		at_ns = analysis->links[i].end_ns;
	}
	hold(at_ns == analysis->end_ns);
	t2_analysis_free(analysis);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct t2_trace *trace = fuzz_trace_of(bytes, len);

	check_tree(trace);
	check_analysis(trace, T2_ROOT);
	check_analysis(trace, trace->nr_processes / 2);
	t2_trace_free(trace);
	return 0;
}
