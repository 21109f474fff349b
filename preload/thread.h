/* SPDX-License-Identifier: MIT */
/*
 * What we know of the running thread, in thread-local storage.
 *
 * Thread-local storage is carved out of the thread's stack, so it is small. And
 * it is one of the things a vfork child shares with its parent's thread: the
 * record of the child being born lies here because it is the only place that
 * both can find.
 */
#ifndef T2_PRELOAD_THREAD_H
#define T2_PRELOAD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/child.h"
#include "preload/limits.h"
#include "preload/pool.h"
#include "preload/session.h"

struct t2_ledger;
struct t2_stream;

/*
 * A child between the call that makes it and its first own words. Its parent
 * fills this in before the call; the child finds it in its copy of this
 * memory, or in this memory itself.
 */
struct t2_birth {
	struct t2_stream *parent; /* NULL: no child is being made */
	struct t2_child *record;  /* or NULL: no room */
	int child_id;
	enum t2_child_class child_class;
	bool shares_memory; /* vfork: this memory is the parent's */
	bool is_confined;   /* and the child has put itself under seccomp */
	struct t2_moment start;
	struct t2_block environment; /* made by a vfork child, given back by its parent */
	struct t2_block attempts;    /* execs that failed (hooks/attempts.h), or empty */
};

struct t2_thread {
	char name[T2_THREAD_NAME_SIZE]; /* "" before the thread's first event */
	bool is_announced;		/* its end is to be told */
	unsigned char nr_rounds;	/* of key destructors, at its end */
	bool has_proc_region;		/* trace2_thread_start() made a region */
	unsigned short nr_regions;	/* open ones */
	uint64_t start_mono_ns;
	struct t2_ledger *ledger; /* or NULL: no use of the public API */
	struct t2_birth birth;
	struct t2_stream *overlay; /* the session of a vfork child running in this thread */
	int *errno_location;	   /* its errno, or NULL: not asked for yet */
};

extern __thread struct t2_thread t2_thread_local;

/* The session's first thread, set by t2_thread_begin_main(). */
extern struct t2_thread *t2_thread_main;

/*
 * Whether the caller has thread-local storage: a child by clone() may have been
 * given something else in its place. libc's is known by its own address (x86-64)
 * or its vector of modules at its head.
 * Context: any.
 */
static inline bool t2_thread_has_storage(void)
{
#if defined(__x86_64__)
	const void *first, *second;

	__asm__ volatile("mov %%fs:0, %0\n\tmov %%fs:16, %1" : "=r"(first), "=r"(second));
	return first && first == second;
#else
	const void *const *head = __builtin_thread_pointer();

	return *head;
#endif
}

/* The running thread, which has storage. Context: any. */
static inline struct t2_thread *t2_thread_self(void)
{
	return &t2_thread_local;
}

/*
 * Begin a thread: its id, the next of @session, and @base make the name, cut as
 * git cuts it.
 * Context: any.
 */
void t2_thread_begin(struct t2_thread *thread, struct t2_session *session, const char *base,
		     uint64_t start_mono_ns);

/* It is the first thread of its session: "main". Context: any. */
void t2_thread_begin_main(struct t2_thread *thread, uint64_t start_mono_ns);

/*
 * The base name for threads that run @procedure: its symbol, or
 * "module+0x<offset>", where the executable is called "exe" and a long module
 * name is cut so that the offset fits. Writes a string into @base.
 * Context: any.
 */
void t2_thread_base_name(char base[T2_THREAD_NAME_SIZE], const void *procedure);

#endif
