/* SPDX-License-Identifier: MIT */
/*
 * A set of numbered slots, taken and given back with one atomic each.
 */
#ifndef T2_PRELOAD_SLOTS_H
#define T2_PRELOAD_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>

#define T2_SLOT_WORDS(nr) (((nr) + 31) / 32)

struct t2_slots {
	atomic_uint *words; /* a bit per slot, set while it is taken */
	unsigned nr;	    /* a multiple of 32 */
};

/* Take the lowest free slot; false if there is none. Context: any. */
bool t2_slots_claim(const struct t2_slots *slots, unsigned *ret_index);

/* Context: any. */
void t2_slots_release(const struct t2_slots *slots, unsigned index);

#endif
