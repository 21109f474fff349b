/* SPDX-License-Identifier: MIT */
/*
 * Findings about how much ran at a time.
 */
#include "command/findings_build.h"
#include "command/text.h"

#include <string.h>

/* From where on something is worth a line. Shares are parts of a million. */
static const struct {
	int64_t parallelism_ppm; /* 001, 010: busy below make over its time */
	int64_t make_ns, make_ppm;
	int64_t stretch_ns, stretch_ppm; /* 002: the longest serial stretch */
	int64_t parallel_ppm;		 /* 002: of the time more than one were busy */
	int64_t alone_ppm;		 /* 002: of it, for one process to be named alone */
	int64_t crowded_ppm;		 /* 009: for so long more than 3/2 of the CPUs */
	int64_t beside_ppm;		 /* 010: of a nested make, when others ran, too */
} limits = {
	.parallelism_ppm = 1100000,
	.make_ns = T2_SECOND,
	.make_ppm = 100000,
	.stretch_ns = 100 * T2_MS,
	.stretch_ppm = 100000,
	.parallel_ppm = 100000,
	.alone_ppm = 900000,
	.crowded_ppm = 200000,
	.beside_ppm = 500000,
};

/* --- make ---------------------------------------------------------------------------- */

static bool is_one_of(const struct t2_view *view, uint32_t id, const char *const *names)
{
	char name[T2_FINDING_NAME_ROOM];

	t2_finding_name(view, id, name);
	for (; *names; names++) {
		if (!strcmp(name, *names))
			return true;
	}
	return false;
}

static bool is_gnu_make(const struct t2_view *view, uint32_t id)
{
	static const char *const names[] = {"make", "gmake", NULL};

	return is_one_of(view, id, names);
}

static bool is_make(const struct t2_view *view, uint32_t id)
{
	static const char *const names[] = {"make", "gmake", "ninja", "samu", NULL};

	return is_one_of(view, id, names);
}

/* Whether it was told how much to run at a time: -j8, -kj8, --jobs=8. */
static bool has_jobs(const struct t2_process *process)
{
	const char *arg = process->argv;

	for (uint32_t i = 0; i < process->argc; i++, arg += strlen(arg) + 1) {
		size_t flags = strspn(arg, "-kisBnrRSewj");

		if (!strncmp(arg, "--jobs", 6) ||
		    (i && *arg == '-' && arg[1] != '-' && memchr(arg, 'j', flags)))
			return true;
	}
	return false;
}

/* Ninja is as parallel as it can be without being told. */
static bool is_parallel(const struct t2_view *view, uint32_t id)
{
	return !is_gnu_make(view, id) || has_jobs(&view->trace->processes[id]);
}

/* Busy time below @id over its own, in parts of a million. */
static int64_t parallelism(const struct t2_view *view, uint32_t id)
{
	int64_t busy_ns = 0;

	for (uint32_t i = id; i < view->trace->processes[id].end_id; i++)
		busy_ns += view->analysis->usage[i].self_ns;
	return t2_text_ppm(busy_ns, view->analysis->usage[id].total_ns);
}

/* Whether it is a make that takes long enough to be looked at. */
static bool is_long_make(const struct t2_view *view, uint32_t id)
{
	int64_t total_ns = view->analysis->usage[id].total_ns;

	return total_ns >= limits.make_ns && t2_finding_share(view, total_ns) >= limits.make_ppm &&
	       is_make(view, id);
}

static bool is_lonely(const struct t2_view *view, uint32_t id)
{
	return view->trace->processes[id].nr_children >= 2 &&
	       parallelism(view, id) <= limits.parallelism_ppm;
}

bool t2_find_lonely_make(const struct t2_view *view, char *out)
{
	const struct t2_trace *trace = view->trace;
	struct t2_words words;
	char advice[T2_TEXT_MAX];

	for (uint32_t id = 1; id < trace->nr_processes && view->options->nr_cpus > 1; id++) {
		if (!is_long_make(view, id) || trace->processes[id].nr_children < 2)
			continue;
		if (is_lonely(view, id)) {
			t2_finding_name(view, id, words.name);
			t2_finding_time(view, &words, view->analysis->usage[id].total_ns);
			snprintf(advice, sizeof(advice), "try -j%u", view->options->nr_cpus);
			snprintf(out, T2_FINDING_ROOM,
				 "%s ran one command at a time for %s (%s of wall) with %u CPUs: "
				 "%s",
				 words.name, words.time, words.share, view->options->nr_cpus,
				 is_parallel(view, id) ? "does each need the one before?" : advice);
			return true;
		}
		id = trace->processes[id].end_id - 1;
	}
	return false;
}

/* --- make below make ------------------------------------------------------------------ */

/* The next make above @id, or T2_ROOT. */
static uint32_t make_above(const struct t2_view *view, uint32_t id)
{
	uint32_t up = view->trace->processes[id].parent;

	while (up > view->root && !(is_make(view, up) && view->trace->processes[up].nr_children))
		up = view->trace->processes[up].parent;
	return up > view->root || (up && is_make(view, up)) ? up : T2_ROOT;
}

/* For how long of the life of @id its siblings below @outer were there as well. */
static int64_t beside_ns(const struct t2_view *view, uint32_t id, uint32_t outer)
{
	const struct t2_trace *trace = view->trace;
	const struct t2_process *inner = &trace->processes[id];
	int64_t ns = 0;

	for (uint32_t child = outer + 1; child < trace->processes[outer].end_id;
	     child = t2_next_sibling(trace, child)) {
		const struct t2_process *other = &trace->processes[child];
		int64_t from_ns = other->start_ns, to_ns = other->end_ns;

		if (child <= id && id < other->end_id)
			continue;
		if (from_ns < inner->start_ns)
			from_ns = inner->start_ns;
		if (to_ns > inner->end_ns)
			to_ns = inner->end_ns;
		if (from_ns < to_ns)
			ns += to_ns - from_ns;
	}
	return ns;
}

/* What is wrong with the make @id below the make @outer, or NULL. */
static const char *nested_fault(const struct t2_view *view, uint32_t id, uint32_t outer)
{
	const struct t2_process *process = &view->trace->processes[id];

	if (is_parallel(view, id)) {
		if (t2_text_ppm(beside_ns(view, id, outer), process->end_ns - process->start_ns) <
		    limits.beside_ppm)
			return NULL;
		return is_gnu_make(view, id)
			       ? "has a -j of its own: it and the outer one know nothing of each "
				 "other's jobs; start it as $(MAKE), without -j or $(MFLAGS)"
			       : "counts its jobs for itself beside those of the outer one: give "
				 "it a -j that leaves room";
	}
	if (!is_gnu_make(view, outer) || !has_jobs(&view->trace->processes[outer]) ||
	    !is_lonely(view, id))
		return NULL;
	return "ran one command at a time although the outer one has -j: start it as $(MAKE), so "
	       "that it shares the jobs";
}

bool t2_find_nested_make(const struct t2_view *view, char *out)
{
	uint32_t longest = T2_ROOT;
	const char *fault = NULL;
	struct t2_words words;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		const char *its_fault = NULL;
		uint32_t outer;

		if (!is_long_make(view, id) || !view->trace->processes[id].nr_children ||
		    (longest &&
		     view->analysis->usage[id].total_ns <= view->analysis->usage[longest].total_ns))
			continue;
		outer = make_above(view, id);
		if (outer)
			its_fault = nested_fault(view, id, outer);
		if (!its_fault)
			continue;
		fault = its_fault;
		longest = id;
	}
	if (!longest)
		return false;
	t2_finding_command(view, longest, words.name);
	t2_finding_time(view, &words, view->analysis->usage[longest].total_ns);
	snprintf(out, T2_FINDING_ROOM, "`%s` (%s, %s of wall), below another make, %s", words.name,
		 words.time, words.share, fault);
	return true;
}

/* --- all processes --------------------------------------------------------------------- */

bool t2_find_stretch(const struct t2_view *view, char *out)
{
	const struct t2_analysis *analysis = view->analysis;
	const struct t2_stretch *longest = NULL;
	struct t2_words words;
	const char *where;
	int64_t ns = 0;

	for (uint32_t i = 0; i < analysis->nr_stretches; i++) {
		const struct t2_stretch *stretch = &analysis->stretches[i];

		if (stretch->end_ns - stretch->start_ns > ns) {
			longest = stretch;
			ns = stretch->end_ns - stretch->start_ns;
		}
	}
	/* Where hardly ever two were busy, nearly all of it is one. */
	if (!longest ||
	    t2_finding_share(view, analysis->wall_ns - analysis->serial_ns) < limits.parallel_ppm ||
	    ns < limits.stretch_ns || t2_finding_share(view, ns) < limits.stretch_ppm ||
	    longest->process == T2_ROOT)
		return false;
	where = longest->start_ns == analysis->start_ns ? " at the start"
		: longest->end_ns == analysis->end_ns	? " at the end"
							: "";
	t2_finding_file(view, longest->process, words.name);
	t2_finding_time(view, &words, ns);
	if (t2_text_ppm(longest->process_ns, ns) >= limits.alone_ppm)
		snprintf(out, T2_FINDING_ROOM,
			 "nothing ran beside %s%s for %s (%s of wall): t2 critical", words.name,
			 where, words.time, words.share);
	else
		snprintf(out, T2_FINDING_ROOM,
			 "one process at a time%s for %s (%s of wall), mostly %s: t2 critical",
			 where, words.time, words.share, words.name);
	return true;
}

/* The CPU time of all; of those of which it is not known, as if they never waited. */
static int64_t asked_ns(const struct t2_view *view)
{
	int64_t ns = 0;

	for (uint32_t id = 1; id < view->trace->nr_processes; id++) {
		const struct t2_process *process = &view->trace->processes[id];
		bool is_known = process->has_rusage || process->has_reaped_rusage;

		if (id >= view->root && id < view->trace->processes[view->root].end_id)
			ns += is_known ? (int64_t)process->cpu_ns
				       : view->analysis->usage[id].self_ns;
	}
	return ns;
}

/* Whether the CPUs can have been busy for @ns: processes that sleep are no crowd. */
static bool is_for_cpus(const struct t2_view *view, int64_t ns)
{
	return (double)asked_ns(view) >= (double)ns * view->options->nr_cpus / 2;
}

bool t2_find_crowd(const struct t2_view *view, char *out)
{
	uint32_t low = view->options->nr_cpus + view->options->nr_cpus / 2 + 1;
	int64_t ns = t2_analysis_at(view->analysis, low, UINT32_MAX);
	struct t2_words words;

	if (!view->options->nr_cpus || t2_finding_share(view, ns) < limits.crowded_ppm ||
	    !is_for_cpus(view, ns))
		return false;
	t2_finding_time(view, &words, ns);
	snprintf(out, T2_FINDING_ROOM,
		 "for %s (%s of wall) %u or more processes were busy on %u CPU%s, at most %u:"
		 " a lower -j takes less memory and hardly more time",
		 words.time, words.share, low, view->options->nr_cpus,
		 view->options->nr_cpus == 1 ? "" : "s", view->analysis->nr_at - 1);
	return true;
}
