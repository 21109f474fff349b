/* SPDX-License-Identifier: MIT */
/*
 * The C library's own functions, found in its tables by ourselves and at first
 * use. An import would cost every process of a tree a look-up by the loader; it
 * could be captured, because the executable comes first (bash exports its own
 * getenv); and one that an older libc lacks would end every program at its start.
 */
#ifndef T2_PRELOAD_LIBC_H
#define T2_PRELOAD_LIBC_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Exported by libc, but by no header. */
void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *),
			   void *arg);
void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute);

/*
 * t2_libc_<name>(): libc's own function of that name, whoever else defines one;
 * NULL if this libc has none.
 * Context: any.
 */
#define LIBC(name)                                                                                 \
	extern void *t2_libc_slot_##name;                                                          \
	static inline __typeof__(name) *t2_libc_##name(void)                                       \
	{                                                                                          \
		void *found = __atomic_load_n(&t2_libc_slot_##name, __ATOMIC_RELAXED);             \
                                                                                                   \
		if (!found)                                                                        \
			found = t2_libc_look_up(&t2_libc_slot_##name, #name);                      \
		return (__typeof__(name) *)found;                                                  \
	}

/* Fill @slot with libc's @name. Context: any. */
void *t2_libc_look_up(void **slot, const char *name);

#include "preload/libc.def"
#undef LIBC

/* errno of the calling thread, which is the host's. Context: any. */
static inline int *t2_errno(void)
{
	return t2_libc___errno_location()();
}

/* Whether there is one thread for certain. Context: any. */
bool t2_libc_is_single_threaded(void);

/*
 * The variable environ, which may lie in the executable; NULL if the loader's
 * tables cannot be read.
 * Context: any.
 */
char ***t2_environ(void);

#endif
