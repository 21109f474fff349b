/* SPDX-License-Identifier: MIT */
/*
 * What a run did with its settings, as a text that two different writers of
 * Trace2 can be compared by: which files there are, in which format, long or
 * brief, what def_param told, and the warnings.
 *
 *   a: NORMAL brief
 *   dir/<sid>.1: EVENT long too_many_files
 *   param core.abbrev=7
 *   warning: trace2: unknown value for 'GIT_TRACE2': 'yes'
 */
#ifndef T2_SUPPORT_OUTCOME_H
#define T2_SUPPORT_OUTCOME_H

#include "tests/support/run.h"

/*
 * The outcome of @run: its private files "a", "b" and "c", the directory "dir",
 * whatever it made where it was started, and stderr. Free it.
 */
char *t2_outcome(const struct t2_run *run);

#endif
