/* SPDX-License-Identifier: MIT */
/*
 * T2-012: what a compiler cache had, and what it had not. It does not say so itself, but
 * the compiler below it does.
 */
#include "command/findings_build.h"

#include <string.h>

/* From where on it is worth a line: the cache and what is below it, of the wall clock. */
#define CACHE_NS (100 * T2_MS)
#define CACHE_PPM 100000

enum kind { HIT, MISS, OTHER, NR_KINDS };

struct calls {
	const char *name; /* of the cache; NULL: there was none */
	uint32_t nr[NR_KINDS];
	int64_t ns[NR_KINDS], weighted_ns;
	bool has_server; /* of sccache: something was seen to run there */
};

/* Also where it is called like the compiler that it stands for. */
static const char *cache_name(const struct t2_process *process)
{
	static const char *const names[] = {"ccache", "sccache"};
	const char *path = process->exe ? process->exe : process->argc ? process->argv : "";
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(slash ? slash + 1 : path, names[i]))
			return names[i];
	}
	return NULL;
}

static bool has_arg(const struct t2_process *process, const char *wanted)
{
	const char *arg = process->argv;

	for (uint32_t i = 0; i < process->argc; i++, arg += strlen(arg) + 1) {
		if (!strcmp(arg, wanted))
			return true;
	}
	return false;
}

/* Whether it makes an object, and does not only preprocess, link or tell a version. */
static bool is_compilation(const struct t2_process *process)
{
	return has_arg(process, "-c") && !has_arg(process, "-E");
}

/* ccache starts the compiler where it must, and becomes it where it cannot help. */
static enum kind kind_of(const struct t2_trace *trace, uint32_t id)
{
	const struct t2_process *call = &trace->processes[id];

	if (call->next_exec != T2_NO_PROCESS || !is_compilation(call))
		return OTHER;
	for (uint32_t child = id + 1; child < call->end_id; child = t2_next_sibling(trace, child)) {
		if (is_compilation(&trace->processes[child]))
			return MISS;
	}
	return HIT;
}

static void add_call(struct calls *calls, const struct t2_view *view, uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];
	enum kind kind = kind_of(view->trace, id);
	int64_t end_ns = process->end_ns;

	if (process->next_exec != T2_NO_PROCESS)
		end_ns = view->trace->processes[process->next_exec].end_ns;
	calls->nr[kind]++;
	calls->ns[kind] += end_ns - process->start_ns;
	for (uint32_t part = id; part < process->end_id; part++)
		calls->weighted_ns += view->analysis->usage[part].weighted_ns;
}

/*
 * sccache compiles in its server, which is elsewhere in the tree, or in an earlier one: what
 * that compiled were misses, and took their time from the calls.
 */
static void add_server_child(struct calls *calls, const struct t2_process *process)
{
	int64_t ns = process->end_ns - process->start_ns;

	calls->has_server = true;
	if (!is_compilation(process) || !calls->nr[HIT])
		return;
	calls->nr[MISS]++;
	calls->nr[HIT]--;
	if (ns > calls->ns[HIT] || !calls->nr[HIT])
		ns = calls->ns[HIT];
	calls->ns[MISS] += ns;
	calls->ns[HIT] -= ns;
}

static void add_server_children(struct calls *calls, const struct t2_trace *trace)
{
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		const struct t2_process *parent = &trace->processes[process->parent];
		const char *above = cache_name(parent);

		if (cache_name(process))
			continue;
		if (process->is_orphan ||
		    (process->parent && above && !strcmp(above, "sccache") && parent->argc < 2))
			add_server_child(calls, process);
	}
}

static void count_calls(struct calls *calls, const struct t2_view *view)
{
	const struct t2_trace *trace = view->trace;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		const char *name = cache_name(process);

		if (!name || !t2_view_shows(view, id))
			continue;
		calls->name = name;
		if (is_compilation(process) || process->next_exec != T2_NO_PROCESS)
			add_call(calls, view, id);
	}
	if (calls->name && !strcmp(calls->name, "sccache"))
		add_server_children(calls, trace);
}

static void say_others(const struct calls *calls, char *out, size_t size)
{
	char time[T2_TEXT_MAX], count[T2_TEXT_MAX];

	*out = '\0';
	if (calls->nr[OTHER])
		snprintf(out, size, ", and passed on %s call%s (%s)",
			 t2_text_count(count, calls->nr[OTHER]), calls->nr[OTHER] == 1 ? "" : "s",
			 t2_text_duration(time, calls->ns[OTHER]));
}

bool t2_find_cache(const struct t2_view *view, char *out)
{
	struct calls calls = {.name = NULL};
	struct t2_words words;
	char others[128];

	count_calls(&calls, view);
	if (!calls.name || calls.weighted_ns < CACHE_NS ||
	    t2_finding_share(view, calls.weighted_ns) < CACHE_PPM)
		return false;
	if (!strcmp(calls.name, "sccache") && !calls.has_server)
		return false;
	say_others(&calls, others, sizeof(others));
	snprintf(out, T2_FINDING_ROOM, "%s had %s hit%s (%s together) and %s miss%s (%s)%s",
		 calls.name, t2_text_count(words.count, calls.nr[HIT]),
		 calls.nr[HIT] == 1 ? "" : "s", t2_text_duration(words.time, calls.ns[HIT]),
		 t2_text_count(words.other, calls.nr[MISS]), calls.nr[MISS] == 1 ? "" : "es",
		 t2_text_duration(words.share, calls.ns[MISS]), others);
	return true;
}
