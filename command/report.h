/* SPDX-License-Identifier: MIT */
#ifndef T2_COMMAND_REPORT_H
#define T2_COMMAND_REPORT_H

#include "command/view.h"

/*
 * The report for people of an analysed view, in less than 40 lines. @off are @nr_off codes
 * of findings to leave out. Returns an exit status.
 */
int t2_report_print(const struct t2_view *view, FILE *out, const char *const *off, unsigned nr_off);

/*
 * The same of a file that was just recorded, on @out: for t2 run --summary full. Options
 * are as by default. Returns an exit status.
 */
int t2_report_file(const char *path, FILE *out);

#endif
