/* SPDX-License-Identifier: MIT */
/*
 * What an executed file was: whether the preload could work in it, and which
 * argv it received.
 */
#ifndef T2_ORACLE_PROGRAM_H
#define T2_ORACLE_PROGRAM_H

#include <stdbool.h>

struct t2_image;

/*
 * Set role, need and argv of @image, which was made by exec. @shim is a part of
 * the preload's name. @has_loaded: had a loader been at work, the trace would
 * show it. That is better evidence than the file, which may be gone by now.
 */
void t2_program_examine(struct t2_image *image, const char *shim, bool has_loaded);

#endif
