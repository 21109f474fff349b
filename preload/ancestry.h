/* SPDX-License-Identifier: MIT */
/*
 * The processes above this one, as the kernel names them.
 */
#ifndef T2_PRELOAD_ANCESTRY_H
#define T2_PRELOAD_ANCESTRY_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Names of the parent, its parent and so on, as a
 * NULL-terminated list in @size bytes at @mem, which stay the caller's. NULL if
 * there is none.
 * Context: any.
 */
const char *const *t2_ancestry_read(char *mem, size_t size);

/*
 * Take the name and the parent's pid out of @stat, the text of a
 * /proc/<pid>/stat: what is between the first '(' and the last ')', and the
 * fourth field. @stat is cut behind the name. Returns the name or NULL.
 * Context: any.
 */
const char *t2_ancestry_parse(char *stat, pid_t *ret_parent);

#endif
