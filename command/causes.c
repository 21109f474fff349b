/* SPDX-License-Identifier: MIT */
#include "command/causes.h"

#include "command/key.h"
#include "command/sort.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 256
#define ANCESTRY_MAX 64

/* Of one process: all images that took each other's place are the first of them. */
struct role {
	uint32_t first;	       /* image */
	uint32_t last;	       /* image; of first ones */
	int64_t last_start_ns; /* of its children */
	uint32_t fallback;     /* the last failed child with its own status; 0: none */
	bool has_cause;	       /* a failed child after which it started no other */
	bool is_counted;
	bool has_counted; /* children */
};

struct work {
	const struct t2_trace *trace;
	struct role *roles; /* by id */
	uint32_t begin, end;
};

/* --- roles ------------------------------------------------------------------------- */

static bool is_top(const struct work *work, const struct role *role)
{
	uint32_t parent = work->trace->processes[role->first].parent;

	return role->first == work->begin || parent == T2_ROOT || parent < work->begin;
}

static struct role *role_above(const struct work *work, const struct role *role)
{
	return &work->roles[work->roles[work->trace->processes[role->first].parent].first];
}

static const struct t2_process *end_of(const struct work *work, const struct role *role)
{
	return &work->trace->processes[role->last];
}

static void find_roles(struct work *work)
{
	for (uint32_t id = work->begin; id < work->end; id++) {
		const struct t2_process *process = &work->trace->processes[id];
		struct role *role = &work->roles[id];

		role->first =
			process->is_exec && id != work->begin && process->parent >= work->begin
				? work->roles[process->parent].first
				: id;
		if (role->first != id) {
			work->roles[role->first].last = id;
			continue;
		}
		role->last = id;
		if (!is_top(work, role) && !process->is_unstarted &&
		    process->start_ns > role_above(work, role)->last_start_ns)
			role_above(work, role)->last_start_ns = process->start_ns;
	}
}

/* Programs that finish what else there is to do before they tell of a failure. */
static bool finishes_the_rest(const struct work *work, const struct role *role)
{
	static const char *const names[] = {"make",  "gmake", "ninja",	  "samu",  "ctest", "cargo",
					    "bazel", "xargs", "parallel", "meson", "npm"};
	char name[NAME_ROOM];

	t2_key_name(end_of(work, role), name, sizeof(name));
	name[strcspn(name, " ")] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static bool is_followed(const struct work *work, const struct role *role)
{
	const struct role *above = role_above(work, role);

	return above->last_start_ns > end_of(work, role)->end_ns && !finishes_the_rest(work, above);
}

static void find_parents_causes(struct work *work)
{
	for (uint32_t id = work->begin; id < work->end; id++) {
		const struct role *role = &work->roles[id];
		const struct t2_process *end = end_of(work, role);
		struct role *above;

		if (role->first != id || is_top(work, role) || !t2_has_failed(end))
			continue;
		above = role_above(work, role);
		if (!is_followed(work, role))
			above->has_cause = true;
		else if (end->code == end_of(work, above)->code &&
			 (!above->fallback ||
			  end->end_ns >= end_of(work, &work->roles[above->fallback])->end_ns))
			above->fallback = id;
	}
}

/* Whether @above failed because of @role, which failed. */
static bool is_cause(const struct work *work, const struct role *above, const struct role *role)
{
	return above->has_cause ? !is_followed(work, role) : above->fallback == role->first;
}

/* Parents come before their children. */
static void count_down(struct work *work)
{
	for (uint32_t id = work->begin; id < work->end; id++) {
		struct role *role = &work->roles[id], *above;
		const struct t2_process *end = end_of(work, role);

		if (role->first != id || (!t2_has_failed(end) && end->end != T2_END_UNKNOWN))
			continue;
		if (is_top(work, role)) {
			role->is_counted = true;
			continue;
		}
		above = role_above(work, role);
		role->is_counted =
			above->is_counted && (!t2_has_failed(end) || is_cause(work, above, role));
	}
}

/* What is above a failure that counts is no cause; children come after their parents. */
static void count_up(struct work *work)
{
	for (uint32_t id = work->end; id-- > work->begin;) {
		struct role *role = &work->roles[id];

		if (role->first != id || !role->is_counted)
			continue;
		if (!t2_has_failed(end_of(work, role)) && !role->has_counted)
			role->is_counted = false;
		if (role->is_counted && !is_top(work, role))
			role_above(work, role)->has_counted = true;
	}
}

/* --- results ------------------------------------------------------------------------ */

static bool collect(struct t2_causes *causes, const struct work *work)
{
	struct t2_sort_item *items = malloc(work->trace->nr_processes * sizeof(*items));
	bool is_sorted;

	if (!items)
		return false;
	for (uint32_t id = work->begin; id < work->end; id++) {
		const struct role *role = &work->roles[id];
		const struct t2_process *end = end_of(work, &work->roles[role->first]);

		causes->nr_failed += t2_has_failed(&work->trace->processes[id]);
		causes->is_counted[id] = work->roles[role->first].is_counted;
		if (role->first == id && role->is_counted && !role->has_counted)
			items[causes->nr++] =
				(struct t2_sort_item){.key = end->end_ns, .value = role->last};
	}
	is_sorted = t2_sort(items, causes->nr);
	for (uint32_t i = 0; i < causes->nr; i++)
		causes->ids[i] = items[i].value;
	free(items);
	return is_sorted;
}

bool t2_causes_find(struct t2_causes *causes, const struct t2_view *view)
{
	struct work work = {
		.trace = view->trace,
		.begin = view->root == T2_ROOT ? T2_ROOT + 1 : view->root,
		.end = view->trace->processes[view->root].end_id,
	};
	bool is_done = false;

	*causes = (struct t2_causes){
		.ids = calloc(view->trace->nr_processes, sizeof(*causes->ids)),
		.is_counted = calloc(view->trace->nr_processes, 1),
	};
	work.roles = calloc(view->trace->nr_processes, sizeof(*work.roles));
	if (causes->ids && causes->is_counted && work.roles) {
		for (uint32_t id = work.begin; id < work.end; id++)
			work.roles[id].last_start_ns = INT64_MIN;
		find_roles(&work);
		find_parents_causes(&work);
		count_down(&work);
		count_up(&work);
		is_done = collect(causes, &work);
	}
	free(work.roles);
	return is_done;
}

void t2_causes_free(struct t2_causes *causes)
{
	free(causes->ids);
	free(causes->is_counted);
}

/* --- words -------------------------------------------------------------------------- */

uint32_t t2_cause_shown(const struct t2_view *view, uint32_t id)
{
	static const char *const parts[] = {"cc1", "cc1plus", "cc1obj",	     "as",   "collect2",
					    "ld",  "lto1",    "lto-wrapper", "f951", "gnat1"};
	const struct t2_process *process = &view->trace->processes[id];
	char name[NAME_ROOM];

	if (process->parent == T2_ROOT || !t2_has_failed(&view->trace->processes[process->parent]))
		return id;
	t2_key_name(process, name, sizeof(name));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!strcmp(name, parts[i]))
			return t2_cause_shown(view, process->parent);
	}
	return id;
}

void t2_ancestry(const struct t2_view *view, uint32_t id, unsigned max, char *out, size_t size)
{
	const struct t2_process *processes = view->trace->processes;
	uint32_t ids[ANCESTRY_MAX];
	unsigned nr = 0;
	size_t at = 0;

	*out = '\0';
	if (max > ANCESTRY_MAX)
		max = ANCESTRY_MAX;
	for (uint32_t up = id; up != T2_ROOT; up = processes[up].parent) {
		if (up != id && processes[up].next_exec != T2_NO_PROCESS)
			continue;
		if (nr < max)
			ids[nr++] = up;
		else
			ids[max - 1] = up; /* the first of all */
	}
	while (nr-- > 0 && at < size) {
		char name[NAME_ROOM];
		bool is_gap = nr + 2 == max &&
			      processes[ids[nr]].depth > processes[ids[max - 1]].depth + 1;

		t2_key_name(&processes[ids[nr]], name, sizeof(name));
		at += (size_t)snprintf(out + at, size - at, "%s%s%s", at ? " > " : "",
				       is_gap ? "... > " : "", name);
	}
}

char *t2_end_text(const struct t2_process *process, char *out)
{
	const char *abbreviation = sigabbrev_np(process->signo);

	if (process->end == T2_END_SIGNAL && abbreviation)
		snprintf(out, T2_TEXT_MAX, "SIG%s", abbreviation);
	else if (process->end == T2_END_SIGNAL)
		snprintf(out, T2_TEXT_MAX, "signal %d", process->signo);
	else if (process->end == T2_END_EXIT)
		snprintf(out, T2_TEXT_MAX, "exit %d", process->code);
	else
		snprintf(out, T2_TEXT_MAX, "?");
	return out;
}
