/* SPDX-License-Identifier: MIT */
/*
 * Alternate signal stacks too small for us.
 */
#ifndef T2_HOOKS_ALTSTACK_H
#define T2_HOOKS_ALTSTACK_H

#include <stdatomic.h>
#include <stdbool.h>

/* Some thread has had one. Written by the hook of sigaltstack(). */
extern atomic_bool t2_altstack_has_small;

/* Whether the caller runs on one, which is asked of the kernel. Context: any. */
bool t2_altstack_is_on_small(void);

/* The same, at no cost where there never was one. Context: any. */
static inline bool t2_altstack_is_tight(void)
{
	return atomic_load_explicit(&t2_altstack_has_small, memory_order_relaxed) &&
	       t2_altstack_is_on_small();
}

#endif
