/* SPDX-License-Identifier: MIT */
/*
 * A cursor over the argument list of a call as strace prints it. Strings come
 * back as the bytes they stand for, whichever of strace's escapes were used.
 */
#ifndef T2_ORACLE_SCAN_H
#define T2_ORACLE_SCAN_H

#include "vec.h"

#include <stdbool.h>
#include <stddef.h>

struct t2_scan {
	const char *at;
	bool is_cut; /* strace has shortened something */
};

/* The string under the cursor, or NULL (cursor unmoved) if there is none. */
char *t2_scan_string(struct t2_scan *scan, size_t *ret_len);

/*
 * Call @see for each string of the bracketed list under the cursor. False,
 * cursor unmoved, if there is no list.
 */
bool t2_scan_list(struct t2_scan *scan, void (*see)(void *arg, const char *bytes, size_t len),
		  void *arg);

/* Pass over one argument, whatever it is, up to the comma or the end. */
void t2_scan_skip(struct t2_scan *scan);

/* Pass over a comma and the blanks after it; false if there is no comma. */
bool t2_scan_comma(struct t2_scan *scan);

/* The text of the argument under the cursor, passed over. */
char *t2_scan_text(struct t2_scan *scan);

#endif
