/* SPDX-License-Identifier: MIT */
/*
 * Whether bytes are UTF-8. What is not becomes U+FFFD: one for every maximal
 * subpart of an ill-formed sequence (Unicode, section 3.9).
 */
#ifndef T2_FORMATTERS_UTF8_H
#define T2_FORMATTERS_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#define T2_UTF8_REPLACEMENT "\xef\xbf\xbd"

/*
 * The length of the sequence at @at, a byte from 0x80 on, with @nr bytes there
 * to look at: of all of it if it is well-formed (sets *@ret_valid), else of the
 * part to be replaced. Does not look past a NUL.
 * Context: any.
 */
size_t t2_utf8_measure(const char *at, size_t nr, bool *ret_valid);

#endif
