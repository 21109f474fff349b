/* SPDX-License-Identifier: MIT */
/*
 * Which program this is.
 */
#ifndef T2_PRELOAD_EXE_H
#define T2_PRELOAD_EXE_H

#include "preload/pool.h"

/*
 * The executable's real path, without the " (deleted)" of one that has been
 * replaced meanwhile; what the kernel was asked to execute if there is no /proc.
 * It lies in @ret_block, claimed in the name of @owner, for the caller to
 * release. NULL without memory.
 * Context: any.
 */
const char *t2_exe_read(struct t2_block *ret_block, const void *owner);

/* The name a program goes by: the base name of its executable. Context: any. */
const char *t2_exe_name(const char *path);

#endif
