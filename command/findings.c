/* SPDX-License-Identifier: MIT */
#include "command/findings.h"

#include "command/key.h"
#include "command/map.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 256
#define SECOND INT64_C(1000000000)
#define MS INT64_C(1000000)

/* From where on something is worth a line. Shares are parts of a million. */
static const struct {
	int64_t parallelism_ppm; /* 001: busy below make over its time */
	int64_t make_ns, make_ppm;
	int64_t stretch_ns, stretch_ppm; /* 002: the longest serial stretch */
	uint32_t repeats;		 /* 003: runs of one command, and what they cost */
	int64_t repeats_ppm;
	uint32_t spawns; /* 004: processes; their share that is short, and what it costs */
	int64_t spawn_ns, spawns_ppm, spawns_cost_ppm;
	int64_t idle_ns, idle_ppm, idle_cpu_ppm; /* 005: a long step and its CPU time */
	int64_t retries_ns;			 /* 007: what was spent in vain */
	uint32_t failed_execs;			 /* 008: at least one per process, too */
	int64_t crowded_ppm;			 /* 009: for so long more than 3/2 of the CPUs */
} limits = {
	.parallelism_ppm = 1100000,
	.make_ns = SECOND,
	.make_ppm = 100000,
	.stretch_ns = 100 * MS,
	.stretch_ppm = 100000,
	.repeats = 10,
	.repeats_ppm = 10000,
	.spawns = 100,
	.spawn_ns = 5 * MS,
	.spawns_ppm = 200000,
	.spawns_cost_ppm = 10000,
	.idle_ns = SECOND,
	.idle_ppm = 100000,
	.idle_cpu_ppm = 200000,
	.retries_ns = 100 * MS,
	.failed_execs = 100,
	.crowded_ppm = 200000,
};

/* Numbers as words, so that a sentence can have several. */
struct words {
	char time[T2_TEXT_MAX], share[T2_TEXT_MAX], count[T2_TEXT_MAX], other[T2_TEXT_MAX];
	char name[NAME_ROOM];
};

static void name_of(const struct t2_view *view, uint32_t id, char out[NAME_ROOM])
{
	t2_key_name(&view->trace->processes[id], out, NAME_ROOM);
}

static int64_t share_of(const struct t2_view *view, int64_t ns)
{
	return t2_text_ppm(ns, view->analysis->wall_ns);
}

static bool say_time(const struct t2_view *view, struct words *words, int64_t ns)
{
	t2_text_duration(words->time, ns);
	t2_text_percent(words->share, share_of(view, ns));
	return true;
}

/* --- how much at a time ------------------------------------------------------------- */

static bool is_make(const struct t2_view *view, uint32_t id)
{
	static const char *const names[] = {"make", "gmake", "ninja", "samu"};
	char name[NAME_ROOM];

	name_of(view, id, name);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* Busy time below @id over its own, in parts of a million. */
static int64_t parallelism(const struct t2_view *view, uint32_t id)
{
	int64_t busy_ns = 0;

	for (uint32_t i = id; i < view->trace->processes[id].end_id; i++)
		busy_ns += view->analysis->usage[i].self_ns;
	return t2_text_ppm(busy_ns, view->analysis->usage[id].total_ns);
}

static bool find_lonely_make(const struct t2_view *view, char *out)
{
	const struct t2_trace *trace = view->trace;
	struct words words;

	for (uint32_t id = 1; id < trace->nr_processes && view->options->nr_cpus > 1; id++) {
		int64_t total_ns = view->analysis->usage[id].total_ns;

		if (total_ns < limits.make_ns || share_of(view, total_ns) < limits.make_ppm ||
		    trace->processes[id].nr_children < 2 || !is_make(view, id))
			continue;
		if (parallelism(view, id) <= limits.parallelism_ppm) {
			name_of(view, id, words.name);
			say_time(view, &words, total_ns);
			snprintf(out, T2_FINDING_ROOM,
				 "%s ran one command at a time for %s (%s of wall) with %u CPUs: "
				 "try -j%u",
				 words.name, words.time, words.share, view->options->nr_cpus,
				 view->options->nr_cpus);
			return true;
		}
		id = trace->processes[id].end_id - 1;
	}
	return false;
}

static bool find_stretch(const struct t2_view *view, char *out)
{
	const struct t2_analysis *analysis = view->analysis;
	const struct t2_stretch *longest = NULL;
	struct words words;
	const char *where;
	int64_t ns = 0;

	for (uint32_t i = 0; i < analysis->nr_stretches; i++) {
		const struct t2_stretch *stretch = &analysis->stretches[i];

		if (stretch->end_ns - stretch->start_ns > ns) {
			longest = stretch;
			ns = stretch->end_ns - stretch->start_ns;
		}
	}
	/* Where never two were busy, all of it is one. */
	if (!longest || analysis->nr_at <= 2 || ns < limits.stretch_ns ||
	    share_of(view, ns) < limits.stretch_ppm || longest->process == T2_ROOT)
		return false;
	where = longest->start_ns == analysis->start_ns ? " at the start"
		: longest->end_ns == analysis->end_ns	? " at the end"
							: "";
	name_of(view, longest->process, words.name);
	say_time(view, &words, ns);
	snprintf(out, T2_FINDING_ROOM, "nothing ran beside %s%s for %s (%s of wall): t2 critical",
		 words.name, where, words.time, words.share);
	return true;
}

static bool find_crowd(const struct t2_view *view, char *out)
{
	uint32_t low = view->options->nr_cpus + view->options->nr_cpus / 2 + 1;
	int64_t ns = t2_analysis_at(view->analysis, low, UINT32_MAX);
	struct words words;

	if (!view->options->nr_cpus || share_of(view, ns) < limits.crowded_ppm)
		return false;
	say_time(view, &words, ns);
	snprintf(out, T2_FINDING_ROOM,
		 "for %s (%s of wall) %u or more processes were busy on %u CPU%s, at most %u:"
		 " a lower -j takes less memory and hardly more time",
		 words.time, words.share, low, view->options->nr_cpus,
		 view->options->nr_cpus == 1 ? "" : "s", view->analysis->nr_at - 1);
	return true;
}

/* --- the same again ------------------------------------------------------------------ */

/* One command line in one directory. */
struct repeat {
	uint32_t first, failed; /* failed: the last one that did, not yet repaired; or 0 */
	uint32_t count;
	int64_t weighted_ns;
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

static void note_end(struct repeats *repeats, struct repeat *repeat, const struct t2_view *view,
		     uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id], *failed;

	if (t2_has_failed(process)) {
		repeat->failed = id;
		return;
	}
	failed = &view->trace->processes[repeat->failed];
	if (!repeat->failed || process->end != T2_END_EXIT)
		return;
	repeat->failed = 0;
	if (failed->parent != process->parent || failed->end_ns > process->start_ns)
		return;
	repeats->nr_retries++;
	repeats->retried = id;
	repeats->retries_ns += failed->end_ns - failed->start_ns;
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
		    !t2_view_shows(view, id))
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

static void command_of(const struct t2_view *view, uint32_t id, char *out, size_t size)
{
	char *command = t2_view_command(view, id);

	t2_text_elide(out, size, command ? command : "?", 40, view->options->is_unicode);
	free(command);
}

static bool find_repeats(const struct t2_view *view, char *out)
{
	struct repeats repeats = {0};
	const struct repeat *worst = NULL;
	struct words words;
	bool is_counted = count_repeats(&repeats, view);

	for (uint32_t i = 0; is_counted && i < repeats.nr; i++) {
		const struct repeat *repeat = &repeats.all[i];

		if (repeat->count >= limits.repeats &&
		    (!worst || repeat->weighted_ns > worst->weighted_ns))
			worst = repeat;
	}
	if (worst && share_of(view, worst->weighted_ns) < limits.repeats_ppm)
		worst = NULL;
	if (worst) {
		command_of(view, worst->first, words.name, sizeof(words.name));
		say_time(view, &words, worst->weighted_ns);
		snprintf(out, T2_FINDING_ROOM,
			 "`%s` ran %s times in one directory: %s (%s of wall)", words.name,
			 t2_text_count(words.count, worst->count), words.time, words.share);
	}
	free_repeats(&repeats);
	return worst;
}

static bool find_retries(const struct t2_view *view, char *out)
{
	struct repeats repeats = {0};
	bool is_found = count_repeats(&repeats, view) && repeats.retries_ns >= limits.retries_ns;
	struct words words;

	if (is_found) {
		command_of(view, repeats.retried, words.name, sizeof(words.name));
		say_time(view, &words, repeats.retries_ns);
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

/* --- what starting and waiting cost --------------------------------------------------- */

static bool find_spawns(const struct t2_view *view, char *out)
{
	const struct t2_analysis *analysis = view->analysis;
	uint32_t nr = 0, nr_short = 0;
	int64_t cost_ns = 0;
	struct words words;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		if (!t2_view_shows(view, id) || view->trace->processes[id].is_unstarted)
			continue;
		nr++;
		if (analysis->usage[id].total_ns >= limits.spawn_ns)
			continue;
		nr_short++;
		cost_ns += analysis->usage[id].weighted_ns;
	}
	if (nr < limits.spawns || t2_text_ppm(nr_short, nr) < limits.spawns_ppm ||
	    share_of(view, cost_ns) < limits.spawns_cost_ppm)
		return false;
	say_time(view, &words, cost_ns);
	snprintf(out, T2_FINDING_ROOM, "%s of %s processes took less than %s: %s (%s of wall)",
		 t2_text_count(words.count, nr_short), t2_text_count(words.other, nr),
		 t2_text_duration(words.name, limits.spawn_ns), words.time, words.share);
	return true;
}

/* Its share of the clock is asked, not its life: others may have had the CPUs. */
static bool is_idle(const struct t2_view *view, uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];
	const struct t2_usage *usage = &view->analysis->usage[id];

	return (process->has_rusage || process->has_reaped_rusage) &&
	       usage->weighted_ns >= limits.idle_ns &&
	       share_of(view, usage->weighted_ns) >= limits.idle_ppm &&
	       t2_text_ppm((int64_t)process->cpu_ns, usage->self_ns) < limits.idle_cpu_ppm;
}

static bool find_idle(const struct t2_view *view, char *out)
{
	const struct t2_usage *usage = view->analysis->usage;
	uint32_t longest = T2_ROOT;
	struct words words;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		if (is_idle(view, id) &&
		    (!longest || usage[id].weighted_ns > usage[longest].weighted_ns))
			longest = id;
	}
	if (!longest)
		return false;
	command_of(view, longest, words.name, sizeof(words.name));
	t2_text_duration(words.time, usage[longest].self_ns);
	t2_text_duration(words.other, (int64_t)view->trace->processes[longest].cpu_ns);
	snprintf(out, T2_FINDING_ROOM,
		 "`%s` took %s and %s of CPU: it waits for a disk, the network, a lock or a sleep",
		 words.name, words.time, words.other);
	return true;
}

static bool find_failed_execs(const struct t2_view *view, char *out)
{
	uint64_t nr = 0, nr_processes = 0;
	uint32_t worst = T2_ROOT;
	struct words words;

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
	name_of(view, worst, words.name);
	snprintf(out, T2_FINDING_ROOM,
		 "%s tries to start a program failed, most of them by %s: is PATH long?",
		 t2_text_count(words.count, nr), words.name);
	return true;
}

static bool find_outside(const struct t2_view *view, char *out)
{
	uint32_t nr = view->trace->stats.nr_outside;
	struct words words;

	if (nr)
		snprintf(out, T2_FINDING_ROOM,
			 "%s process%s (static, setuid or other machines) could not be looked into",
			 t2_text_count(words.count, nr), nr == 1 ? "" : "es");
	return nr;
}

/* --- all of them ------------------------------------------------------------------------ */

static const struct {
	const char *code;
	bool (*find)(const struct t2_view *view, char *out);
} kinds[] = {
	{"T2-001", find_lonely_make},  {"T2-002", find_stretch}, {"T2-003", find_repeats},
	{"T2-004", find_spawns},       {"T2-005", find_idle},	 {"T2-007", find_retries},
	{"T2-008", find_failed_execs}, {"T2-009", find_crowd},	 {"T2-011", find_outside},
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

bool t2_finding_exists(const char *code)
{
	for (size_t i = 0; i < NR_KINDS; i++) {
		if (!strcmp(kinds[i].code, code))
			return true;
	}
	return false;
}

static bool is_off(const char *code, const char *const *off, unsigned nr_off)
{
	for (unsigned i = 0; i < nr_off; i++) {
		if (!strcmp(off[i], code))
			return true;
	}
	return false;
}

unsigned t2_findings(const struct t2_view *view, const char *const *off, unsigned nr_off,
		     struct t2_finding findings[T2_FINDINGS_MAX])
{
	unsigned nr = 0;

	for (size_t i = 0; i < NR_KINDS; i++) {
		findings[nr].code = kinds[i].code;
		if (!is_off(kinds[i].code, off, nr_off) && kinds[i].find(view, findings[nr].text))
			nr++;
	}
	return nr;
}

void t2_finding_print(const struct t2_view *view, FILE *out, const struct t2_finding *finding)
{
	unsigned left = view->options->width - 9;
	const char *at = finding->text;

	fprintf(out, "  %s ", finding->code);
	while (strlen(at) > left) {
		size_t len = left;

		while (len > left / 2 && at[len] != ' ')
			len--;
		fprintf(out, "%.*s\n         ", (int)len, at);
		at += len + (at[len] == ' ');
	}
	fprintf(out, "%s\n", at);
}
