/* SPDX-License-Identifier: MIT */
/* One system call, as strace prints it, to a record. */
#ifndef T2_ORACLE_CALL_H
#define T2_ORACLE_CALL_H

#include <stdbool.h>

struct t2_record;

/*
 * Fill in @record from @text, a whole call with its result. False if the
 * oracle has no use for this call. @ret_is_cut tells that strace has shortened
 * a string that matters.
 */
bool t2_call_parse(struct t2_record *record, const char *text, bool *ret_is_cut);

/* Number of a signal from strace's name for it, or 0. */
int t2_call_signal(const char *name);

#endif
