/* SPDX-License-Identifier: MIT */
/*
 * What all views share: a trace, its analysis, which of it is shown, and the way from
 * the command line to the exit status.
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
	FILE *out;	   /* where the view is printed */
	uint32_t root;	   /* of the analysis: --pid, or T2_ROOT */
	uint8_t *is_shown; /* by id, for the filters; NULL: all of what is below root */
};

/* What a view wants of a trace. */
enum t2_view_want {
	T2_VIEW_ANALYSED = 1,	/* the analysis */
	T2_VIEW_EVEN_EMPTY = 2, /* it takes one without any process */
};

/*
 * Read @nr files, with a progress bar on a terminal that is standard error when it takes
 * longer than a second, and apply the filters. What is wrong in the files is said on
 * stderr. Returns 0, or the exit status after having said why. Free in either case.
 */
int t2_view_load(struct t2_view *view, const struct t2_options *options, const char *const *files,
		 size_t nr, unsigned wants);

/* Apply the filters to a view that has a trace. Returns false without memory. */
bool t2_view_filter(struct t2_view *view);

void t2_view_free(struct t2_view *view);

/* Of what a view prints: there was no memory for it, which is then said. */
#define T2_VIEW_NO_MEMORY (-1)

/* A subcommand that shows a trace. */
struct t2_view_spec {
	struct t2_options_spec options;
	unsigned wants; /* enum t2_view_want */
	/* Print it on view->out; @arg is that of the options. Returns an exit status or
	 * T2_VIEW_NO_MEMORY. */
	int (*print)(struct t2_view *view, void *arg);
};

/*
 * Parse the command line, read the trace, print the view on @out, and be done. Returns
 * the exit status.
 */
int t2_view_run(const struct t2_view_spec *spec, int argc, char **argv, FILE *out);

/* Whether a process is to be shown. */
static inline bool t2_view_shows(const struct t2_view *view, uint32_t id)
{
	if (id < view->root || id >= view->trace->processes[view->root].end_id || id == T2_ROOT)
		return false;
	return !view->is_shown || view->is_shown[id];
}

/* Whether a process is a fork of its parent that goes on with the same program and
 * arguments: a subshell, a worker. */
bool t2_view_is_fork(const struct t2_view *view, uint32_t id);

/* How a process is called with --by, and "(fork)" if it is one; as the functions of key.h. */
size_t t2_view_key(const struct t2_view *view, uint32_t id, char *out, size_t size);

/* Its whole command line; the caller frees it. NULL without memory. */
char *t2_view_command(const struct t2_view *view, uint32_t id);

/* Whether a process ended by itself with another status than 0, or was killed. */
static inline bool t2_has_failed(const struct t2_process *process)
{
	return process->end == T2_END_SIGNAL || (process->end == T2_END_EXIT && process->code > 0);
}

/* What it read from and wrote to disks. */
static inline uint64_t t2_io_kb(const struct t2_process *process)
{
	/* getrusage() counts blocks of 512 bytes. */
	return ((uint64_t)process->self.in_blocks + process->self.out_blocks) / 2;
}

/* Options for a table as the user wants it; with @fields, unless -f was given. NULL: all. */
struct t2_table_opts t2_view_table_opts(const struct t2_view *view, const char *fields);

/* A line of text, clean, cut to the width. */
void t2_print_line(const struct t2_view *view, FILE *out, const char *indent, const char *text);

/*
 * Say what the trace cannot tell, a line for each, with @indent before it, to @out:
 * first which processes are seen from outside only, then killed ones and lost events.
 * Both return how many lines.
 */
unsigned t2_view_print_outside(const struct t2_view *view, FILE *out, const char *indent);
unsigned t2_view_print_unseen(const struct t2_view *view, FILE *out, const char *indent);

#endif
