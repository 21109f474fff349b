/* SPDX-License-Identifier: MIT */
/*
 * What an errno means, in the English of glibc's C locale. Not strerror(): it
 * translates, and may allocate and load a message catalogue to do so.
 */
#ifndef T2_FORMATTERS_ERRNO_TEXT_H
#define T2_FORMATTERS_ERRNO_TEXT_H

#include <stdint.h>

struct t2_buf;

/*
 * Append the text for @code; a number without one gives "Unknown error N".
 * Context: any.
 */
void t2_errno_text_put(struct t2_buf *out, int64_t code);

#endif
