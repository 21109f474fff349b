/* SPDX-License-Identifier: MIT */
/*
 * Which program this is.
 */
#ifndef T2_PRELOAD_EXE_H
#define T2_PRELOAD_EXE_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/pool.h"

/*
 * The executable's real path, without the " (deleted)" of one that has been
 * replaced meanwhile; what the kernel was asked to execute if there is no /proc.
 * It is kept, or lies in @ret_block, claimed in the name of @owner; the caller
 * releases that either way. NULL without memory. @argv is what the process was
 * started with, right after its start, else NULL: with it, what the kernel was asked
 * to execute is resolved, because a look into /proc makes the kernel build a directory
 * for this process and tear it down at its end, 3 % of a short process. Without it, it
 * is what it was then.
 * Context: any.
 */
const char *t2_exe_read(struct t2_block *ret_block, const void *owner, const char *const *argv);

/*
 * Write to @path, of @size bytes, what the absolute path @name is without symbolic
 * links, "." and "..". False: not to be told by few and short looks; @path is
 * undefined then.
 * Context: any.
 */
bool t2_exe_resolve(const char *name, char *path, size_t size);

/* The name a program goes by: the base name of its executable. Context: any. */
const char *t2_exe_name(const char *path);

#endif
