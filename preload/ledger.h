/* SPDX-License-Identifier: MIT */
/*
 * What a thread has open and what it has counted: regions, timers, counters.
 *
 * A ledger is a mapping made at the thread's first use of the public API, so
 * that everybody else pays nothing for it. At the thread's end its sums go to
 * the process's.
 */
#ifndef T2_PRELOAD_LEDGER_H
#define T2_PRELOAD_LEDGER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/limits.h"

/* Intervals of a timer, or one sum of a counter. Times in nanoseconds. */
struct t2_tally {
	uint64_t nr; /* intervals; a counter's value */
	uint64_t total_ns, min_ns, max_ns;
};

struct t2_ledger {
	unsigned nr_regions; /* open ones; the start of those past the limit is not kept */
	uint64_t region_start_ns[T2_REGIONS_MAX];
	struct {
		unsigned nr_running; /* starts without their stops */
		uint64_t start_ns;
		struct t2_tally tally;
	} timers[T2_TIMERS_MAX];
	uint64_t counters[T2_COUNTERS_MAX];
};

/* A timer or counter the program uses; a copy, for its module may be unloaded. */
struct t2_ledger_entry {
	char category[T2_TALLY_CATEGORY_SIZE];
	char name[T2_TALLY_NAME_SIZE];
	bool wants_threads;
};

struct t2_thread;

/* The thread's ledger, made now if need be; NULL without memory. Context: any. */
struct t2_ledger *t2_ledger_of(struct t2_thread *thread);

/*
 * The index of a timer or counter, entered now if @slot says that it is not.
 * @slot lies in the program; it becomes index + 1, or negative if there is no
 * room, for which the index is negative, too.
 * Context: any.
 */
int t2_ledger_timer(int *slot, const char *category, const char *name, bool wants_threads);
int t2_ledger_counter(int *slot, const char *category, const char *name, bool wants_threads);

/* What was entered under an index; NULL past the last one. Context: any. */
const struct t2_ledger_entry *t2_ledger_timer_at(int index);
const struct t2_ledger_entry *t2_ledger_counter_at(int index);

/* A timer starts or stops at @now_ns; only the outermost start counts. Context: any. */
void t2_ledger_start(struct t2_ledger *ledger, int index, uint64_t now_ns);
void t2_ledger_stop(struct t2_ledger *ledger, int index, uint64_t now_ns);

/*
 * The thread ends: add its sums to the process's and give the ledger back.
 * Context: any.
 */
void t2_ledger_close(struct t2_thread *thread);

/* The process's sums, of threads that have been closed. Context: any. */
struct t2_tally t2_ledger_timer_total(int index);
uint64_t t2_ledger_counter_total(int index);

/* In a forked child that is a session now: nothing has been counted. Context: any. */
void t2_ledger_reset(struct t2_thread *thread);

#endif
