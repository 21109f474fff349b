/* SPDX-License-Identifier: MIT */
#ifndef T2_COMMAND_REPORT_H
#define T2_COMMAND_REPORT_H

#include "command/view.h"

/*
 * The report of a file that was just recorded, on @out: for t2 run --summary full.
 * Options are as by default. Returns an exit status.
 */
int t2_report_file(const char *path, FILE *out);

/* What report.c and report_head.c share. */

/* The first lines, on view->out. */
void t2_report_print_head(const struct t2_view *view);

/* The process that the trace is of: the first of all. */
uint32_t t2_report_first(const struct t2_view *view);

/* What the user typed: behind "env", which a script may name as its interpreter. The
 * caller frees it. NULL without memory. */
char *t2_report_command(const struct t2_view *view);

#define T2_REPORT_VERDICT_MAX 64

/* How it ended, in @out, which has T2_REPORT_VERDICT_MAX bytes: a failure among several
 * first ones is what counts. Returns @out. */
char *t2_report_verdict(const struct t2_view *view, char *out);

#endif
