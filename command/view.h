/* SPDX-License-Identifier: MIT */
/*
 * What all views begin with: a trace, its analysis, and which of it is shown.
 */
#ifndef T2_COMMAND_VIEW_H
#define T2_COMMAND_VIEW_H

#include "command/analysis.h"
#include "command/options.h"
#include "command/source.h"
#include "command/trace.h"

struct t2_view {
	const struct t2_options *options; /* borrowed */
	struct t2_trace *trace;
	struct t2_analysis *analysis; /* NULL if it was not asked for */
	struct t2_source_stats source;
	uint32_t root;	   /* of the analysis: --pid, or T2_ROOT */
	uint8_t *is_shown; /* by id, for the filters; NULL: all of what is below root */
};

/*
 * Read @nr files, with a progress bar on a terminal that is standard error when it takes
 * longer than a second, and apply the filters. What is wrong in the files is said on
 * stderr. Returns 0, or the exit status after having said why. Free in either case.
 */
int t2_view_load(struct t2_view *view, const struct t2_options *options, const char *const *files,
		 size_t nr, bool is_analysed);

/* Apply the filters to a view that has a trace. Returns false without memory. */
bool t2_view_filter(struct t2_view *view);

void t2_view_free(struct t2_view *view);

/* Whether a process is to be shown. */
static inline bool t2_view_shows(const struct t2_view *view, uint32_t id)
{
	if (id < view->root || id >= view->trace->processes[view->root].end_id || id == T2_ROOT)
		return false;
	return !view->is_shown || view->is_shown[id];
}

/* How a process is called with --by; as the functions of key.h. */
size_t t2_view_key(const struct t2_view *view, uint32_t id, char *out, size_t size);

/* Its whole command line; the caller frees it. NULL without memory. */
char *t2_view_command(const struct t2_view *view, uint32_t id);

/* Whether a process ended by itself with another status than 0, or was killed. */
static inline bool t2_has_failed(const struct t2_process *process)
{
	return process->end == T2_END_SIGNAL || (process->end == T2_END_EXIT && process->code > 0);
}

/* Options for a table as the user wants it. */
struct t2_table_opts t2_view_table_opts(const struct t2_view *view);

/*
 * Say what the trace cannot tell, a line for each, with @indent before it, to @out:
 * first which processes are seen from outside only, then killed ones and lost events.
 * Both return how many lines.
 */
unsigned t2_view_print_outside(const struct t2_view *view, FILE *out, const char *indent);
unsigned t2_view_print_unseen(const struct t2_view *view, FILE *out, const char *indent);

#endif
