/* SPDX-License-Identifier: MIT */
/*
 * Scratch memory for one batch or one environment: a static block claimed with
 * one atomic, of one of a few sizes, or a mapping when those are taken or too small. Never the
 * heap, which may be the host's own and in any state.
 */
#ifndef T2_PRELOAD_POOL_H
#define T2_PRELOAD_POOL_H

#include <stddef.h>

struct t2_block {
	char *mem; /* NULL: nothing claimed */
	size_t size;
	int index; /* of the static block, or -1 for a mapping */
};

/*
 * Claim at least @size bytes in the name of @owner, an address that is unique
 * per living thread. Returns 0 or -ENOMEM. The memory is not cleared.
 * Context: any.
 */
int t2_pool_claim(struct t2_block *ret_block, size_t size, const void *owner);

/* Give it back; an empty block is fine. Context: any. */
void t2_pool_release(struct t2_block *block);

/*
 * In a forked child: free what threads held that do not exist here.
 * Context: any, in a process with one thread.
 */
void t2_pool_reset(const void *owner);

#endif
