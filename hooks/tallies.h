/* SPDX-License-Identifier: MIT */
/*
 * What a thread and a process say of their timers and counters at their end.
 */
#ifndef T2_HOOKS_TALLIES_H
#define T2_HOOKS_TALLIES_H

#include "preload/emit.h"
#include "preload/thread.h"

/*
 * An announced thread ends: its regions are cut off silently; th_timer and
 * th_counter of those that want them; thread_exit; its sums go to the process.
 * Does nothing for a thread that was not announced.
 * Context: any.
 */
void t2_tallies_end_thread(struct t2_stream *stream, struct t2_thread *thread);

/*
 * The process ends in @thread: the same for that one, without thread_exit, and
 * then timer and counter of the whole process.
 * Context: any.
 */
void t2_tallies_end_process(struct t2_stream *stream, struct t2_thread *thread,
			    const char *thread_name);

/* Whether @thread or the process has anything of the public API to tell. Context: any. */
bool t2_tallies_are_used(const struct t2_thread *thread);

#endif
