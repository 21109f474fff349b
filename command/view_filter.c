/* SPDX-License-Identifier: MIT */
/*
 * Which processes a view shows.
 */
#include "command/view.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

bool t2_options_have_filter(const struct t2_options *options)
{
	return options->nr_only || options->nr_without || options->nr_under || options->cwd ||
	       options->max_depth != UINT32_MAX || options->min_ns >= 0 || options->only_failed ||
	       options->from_ns > 0 || options->to_ns != INT64_MAX;
}

static bool any_matches(const struct t2_match *matches, size_t nr, const char *text)
{
	for (size_t i = 0; i < nr; i++) {
		if (t2_match(&matches[i], text))
			return true;
	}
	return false;
}

static bool is_in(const char *cwd, const char *glob)
{
	size_t len = strlen(glob);

	if (!cwd)
		return false;
	while (len > 1 && glob[len - 1] == '/')
		len--;
	return !fnmatch(glob, cwd, FNM_LEADING_DIR) ||
	       (!strncmp(cwd, glob, len) && (!cwd[len] || cwd[len] == '/'));
}

/* Whether it was there at any time of the range. */
static bool is_in_range(const struct t2_view *view, const struct t2_process *process)
{
	const struct t2_options *options = view->options;
	int64_t start_ns = view->trace->processes[view->root].start_ns;

	return process->end_ns - start_ns >= options->from_ns &&
	       process->start_ns - start_ns <= options->to_ns;
}

static bool passes(const struct t2_view *view, uint32_t id, const char *command, bool is_under)
{
	const struct t2_options *options = view->options;
	const struct t2_process *process = &view->trace->processes[id];
	uint32_t depth = process->depth - view->trace->processes[view->root].depth;

	if (view->root != T2_ROOT)
		depth++;
	return is_under && depth <= options->max_depth && is_in_range(view, process) &&
	       process->end_ns - process->start_ns >= options->min_ns &&
	       (!options->only_failed || t2_has_failed(process)) &&
	       (!options->cwd || is_in(process->cwd, options->cwd)) &&
	       (!options->nr_only || any_matches(options->only, options->nr_only, command)) &&
	       !any_matches(options->without, options->nr_without, command);
}

bool t2_view_filter(struct t2_view *view)
{
	const struct t2_options *options = view->options;
	const struct t2_trace *trace = view->trace;
	uint32_t under_end = options->nr_under ? 0 : UINT32_MAX;
	bool needs_command = options->nr_only || options->nr_without || options->nr_under;

	if (!t2_options_have_filter(options))
		return true;
	view->is_shown = calloc(trace->nr_processes, 1);
	if (!view->is_shown)
		return false;
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		char *command = needs_command ? t2_view_command(view, id) : NULL;

		if (needs_command && !command)
			return false;
		if (id >= under_end && any_matches(options->under, options->nr_under, command))
			under_end = trace->processes[id].end_id;
		view->is_shown[id] = passes(view, id, command ? command : "", id < under_end);
		free(command);
	}
	return true;
}
