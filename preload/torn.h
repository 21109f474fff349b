/* SPDX-License-Identifier: MIT */
/*
 * Lines that a full disk or a file-size limit has cut.
 */
#ifndef T2_PRELOAD_TORN_H
#define T2_PRELOAD_TORN_H

#include <stddef.h>

/*
 * Of lines appended to @fd only the first @written bytes of @text arrived. If
 * that cut a line, and the file is a regular one, make blanks of the piece, with
 * a newline at its end: as text and as JSON nothing, and what another process
 * appends is a line of its own.
 * Context: any.
 */
void t2_torn_blank(int fd, const char *text, size_t written);

#endif
