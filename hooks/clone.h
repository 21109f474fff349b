/* SPDX-License-Identifier: MIT */
/*
 * What clone's flags make.
 */
#ifndef T2_HOOKS_CLONE_H
#define T2_HOOKS_CLONE_H

enum t2_clone_kind {
	T2_CLONE_THREAD,     /* not a process */
	T2_CLONE_COPY,	     /* a fork: its own copy of the memory */
	T2_CLONE_SUSPENDS,   /* a vfork: our memory, while we wait */
	T2_CLONE_CONCURRENT, /* our memory, beside us */
};

/* Context: any. */
enum t2_clone_kind t2_clone_kind_of(unsigned long flags);

#endif
