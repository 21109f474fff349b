/* SPDX-License-Identifier: MIT */
/*
 * Which program this is.
 */
#ifndef T2_PRELOAD_EXE_H
#define T2_PRELOAD_EXE_H

#include <stddef.h>

/*
 * The executable's real path, in @size bytes at @path, without the " (deleted)"
 * of one that has been replaced meanwhile; what the kernel was asked to execute
 * if there is no /proc. Returns @path.
 * Context: any.
 */
const char *t2_exe_read(char *path, size_t size);

/* The name a program goes by: the base name of its executable. Context: any. */
const char *t2_exe_name(const char *path);

#endif
