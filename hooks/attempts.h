/* SPDX-License-Identifier: MIT */
/*
 * The execs of a child that has not spoken yet, as long as they fail: told only
 * if none succeeds. Programs that look through PATH by hand make many.
 */
#ifndef T2_HOOKS_ATTEMPTS_H
#define T2_HOOKS_ATTEMPTS_H

#include "preload/emit.h"
#include "preload/pool.h"

/*
 * Remember one. @attempts is empty before the first; when it is full, the rest
 * is forgotten. @argv may be NULL.
 * Context: any.
 */
void t2_attempts_remember(struct t2_block *attempts, const char *exe, const char *const *argv,
			  int error);

/* Tell exec and exec_result of each, and forget them. Context: any. */
void t2_attempts_tell(struct t2_block *attempts, struct t2_stream *stream, const char *thread_name);

#endif
