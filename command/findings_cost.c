/* SPDX-License-Identifier: MIT */
/*
 * Findings about what starting, waiting and memory cost, and what cannot be known.
 */
#include "command/columns.h"
#include "command/findings_build.h"
#include "command/groups.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* From where on something is worth a line. Shares are parts of a million. */
static const struct {
	uint32_t spawns; /* 004: processes; their share that is short, and what it costs */
	int64_t spawn_ms, spawns_ppm, spawns_cost_ppm;
	int64_t idle_ns, idle_ppm, idle_cpu_ppm; /* 005: a long step and its CPU time */
	int64_t memory_ppm;			 /* 006: of the machine's */
	uint32_t failed_execs;			 /* 008: at least one per process, too */
} limits = {
	.spawns = 100,
	.spawn_ms = 5,
	.spawns_ppm = 200000,
	.spawns_cost_ppm = 10000,
	.idle_ns = T2_SECOND,
	.idle_ppm = 100000,
	.idle_cpu_ppm = 200000,
	.memory_ppm = 900000,
	.failed_execs = 100,
};

/* --- many short ones -------------------------------------------------------------------- */

static bool is_short(const struct t2_view *view, uint32_t id)
{
	return t2_view_shows(view, id) && !view->trace->processes[id].is_unstarted &&
	       view->analysis->usage[id].total_ns < limits.spawn_ms * T2_MS;
}

/* ", most of them rm, cat and sed" */
static void name_short_ones(const struct t2_view *view, char *out, size_t size)
{
	const struct t2_options by_count = {.sort = {t2_group_column("count")}, .nr_sort = 1};
	struct t2_view part = *view;
	struct t2_groups groups = {0};
	size_t len = 0;

	*out = '\0';
	part.is_shown = calloc(view->trace->nr_processes, 1);
	if (!part.is_shown)
		return;
	for (uint32_t id = 1; id < view->trace->nr_processes; id++)
		part.is_shown[id] = is_short(view, id);
	if (t2_groups_count(&groups, &part))
		t2_groups_sort(&groups, &by_count);
	for (uint32_t i = 0; i < groups.nr && i < 3 && len < size; i++) {
		const char *before =
			i ? i + 1 < groups.nr && i < 2 ? ", " : " and " : ", most of them ";
		char name[T2_FINDING_NAME_ROOM];

		t2_text_elide(name, sizeof(name), groups.groups[i].name, 20,
			      view->options->is_unicode);
		len += (size_t)snprintf(out + len, size - len, "%s%s", before, name);
	}
	t2_groups_free(&groups);
	free(part.is_shown);
}

bool t2_find_spawns(const struct t2_view *view, char *out)
{
	uint32_t nr = 0, nr_short = 0;
	int64_t cost_ns = 0;
	struct t2_words words;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		if (!t2_view_shows(view, id) || view->trace->processes[id].is_unstarted)
			continue;
		nr++;
		if (!is_short(view, id))
			continue;
		nr_short++;
		cost_ns += view->analysis->usage[id].weighted_ns;
	}
	if (nr < limits.spawns || t2_text_ppm(nr_short, nr) < limits.spawns_ppm ||
	    t2_finding_share(view, cost_ns) < limits.spawns_cost_ppm)
		return false;
	t2_finding_time(view, &words, cost_ns);
	name_short_ones(view, words.name, sizeof(words.name));
	snprintf(out, T2_FINDING_ROOM, "%s of %s processes took less than %dms: %s (%s of wall)%s",
		 t2_text_count(words.count, nr_short), t2_text_count(words.other, nr),
		 (int)limits.spawn_ms, words.time, words.share, words.name);
	return true;
}

/* --- waiting ---------------------------------------------------------------------------- */

/* Its share of the clock is asked, not its life: others may have had the CPUs. */
static bool is_idle(const struct t2_view *view, uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];
	const struct t2_usage *usage = &view->analysis->usage[id];

	return (process->has_rusage || process->has_reaped_rusage) &&
	       usage->weighted_ns >= limits.idle_ns &&
	       t2_finding_share(view, usage->weighted_ns) >= limits.idle_ppm &&
	       t2_text_ppm((int64_t)process->cpu_ns, usage->self_ns) < limits.idle_cpu_ppm;
}

/* Whether it was rather made to wait than that it waited by itself. */
static bool was_preempted(const struct t2_process *process)
{
	return process->self.involuntary_switches > process->self.voluntary_switches;
}

bool t2_find_idle(const struct t2_view *view, char *out)
{
	const struct t2_usage *usage = view->analysis->usage;
	uint32_t longest = T2_ROOT;
	struct t2_words words;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		if (is_idle(view, id) &&
		    (!longest || usage[id].weighted_ns > usage[longest].weighted_ns))
			longest = id;
	}
	if (!longest)
		return false;
	t2_finding_command(view, longest, words.name);
	t2_text_duration(words.time, usage[longest].self_ns);
	t2_text_duration(words.other, (int64_t)view->trace->processes[longest].cpu_ns);
	snprintf(out, T2_FINDING_ROOM, "`%s` took %s and %s of CPU: %s", words.name, words.time,
		 words.other,
		 was_preempted(&view->trace->processes[longest])
			 ? "it was ready, and others had the CPUs, or there is a limit on them"
			 : "it waits for a disk, the network, a lock or a sleep");
	return true;
}

/* --- memory ----------------------------------------------------------------------------- */

static bool was_killed(const struct t2_process *process)
{
	return (process->end == T2_END_SIGNAL && process->signo == SIGKILL) ||
	       (process->is_outside && process->code == 128 + SIGKILL);
}

static uint32_t rss_of(const struct t2_process *process)
{
	return process->self.max_rss_kb > process->reaped_max_rss_kb ? process->self.max_rss_kb
								     : process->reaped_max_rss_kb;
}

/* Of those that were killed, the one that needed most; T2_ROOT: none. */
static uint32_t find_killed(const struct t2_view *view, uint32_t *ret_nr)
{
	const struct t2_process *processes = view->trace->processes;
	uint32_t largest = T2_ROOT;

	*ret_nr = 0;
	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		if (!was_killed(&processes[id]) || !t2_view_shows(view, id))
			continue;
		++*ret_nr;
		if (!largest || rss_of(&processes[id]) > rss_of(&processes[largest]))
			largest = id;
	}
	return largest;
}

static void say_killed(const struct t2_view *view, uint32_t id, uint32_t nr, char *out)
{
	const struct t2_process *process = &view->trace->processes[id];
	struct t2_words words;

	t2_finding_name(view, id, words.name);
	snprintf(out, T2_FINDING_ROOM,
		 "SIGKILL ended %s process%s, %s %s after %s with a peak RSS of %s: either there "
		 "was no memory left, or somebody sent it",
		 t2_text_count(words.count, nr), nr == 1 ? "" : "es",
		 nr == 1 ? "namely" : "the largest", words.name,
		 t2_text_duration(words.time, process->end_ns - process->start_ns),
		 t2_text_bytes(words.other, rss_of(process)));
}

bool t2_find_memory(const struct t2_view *view, char *out)
{
	uint64_t sum_kb = view->analysis->sum_rss_bound_kb, all_kb = view->options->memory_kb;
	uint32_t nr, killed = find_killed(view, &nr);
	struct t2_words words;

	if (killed) {
		say_killed(view, killed, nr, out);
		return true;
	}
	if (!all_kb || t2_text_ppm((int64_t)sum_kb, (int64_t)all_kb) < limits.memory_ppm)
		return false;
	snprintf(out, T2_FINDING_ROOM,
		 "the peaks of all that ran at one time sum to %s, of %s of memory%s: if it swaps, "
		 "a lower -j or fewer links at a time help",
		 t2_text_bytes(words.count, sum_kb), t2_text_bytes(words.other, all_kb),
		 view->options->has_memory ? "" : " here");
	return true;
}

/* --- what failed to start or be seen ------------------------------------------------------ */

bool t2_find_failed_execs(const struct t2_view *view, char *out)
{
	uint64_t nr = 0, nr_processes = 0;
	uint32_t worst = T2_ROOT;
	struct t2_words words;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		const struct t2_process *process = &view->trace->processes[id];

		nr_processes++;
		nr += process->nr_failed_execs;
		if (!worst ||
		    process->nr_failed_execs > view->trace->processes[worst].nr_failed_execs)
			worst = id;
	}
	if (nr < limits.failed_execs || nr < nr_processes)
		return false;
	t2_finding_name(view, worst, words.name);
	snprintf(out, T2_FINDING_ROOM,
		 "%s tries to start a program failed, most of them by %s: is PATH long?",
		 t2_text_count(words.count, nr), words.name);
	return true;
}

bool t2_find_outside(const struct t2_view *view, char *out)
{
	uint32_t nr = view->trace->stats.nr_outside;
	struct t2_words words;

	if (nr)
		snprintf(out, T2_FINDING_ROOM,
			 "%s process%s (static, setuid or other machines) could not be looked into",
			 t2_text_count(words.count, nr), nr == 1 ? "" : "es");
	return nr;
}
