/* SPDX-License-Identifier: MIT */
#include "preload/pool.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/limits.h"
#include "preload/sys.h"

#define LARGE_AT (T2_BLOCK_PAGES * T2_PAGE_SIZE)

static char memory[LARGE_AT + T2_BLOCKS * T2_BLOCK_SIZE] T2_PLACE_BLOCKS;

/*
 * The sizes there are, smallest first. A group of the small ones fills a page, so
 * that what is claimed together is mostly touched together.
 */
static const struct class
{
	unsigned size;
	unsigned at;	    /* in its group */
	unsigned per_group; /* side by side */
	unsigned group_size;
	unsigned first; /* among all blocks */
	unsigned nr;
} classes[] = {
#define EVENTS_AT T2_BATCH_BLOCK_SIZE
#define PATHS_AT (EVENTS_AT + T2_EVENTS_BLOCK_SIZE)
	{T2_PATH_BLOCK_SIZE, PATHS_AT, 2, T2_PAGE_SIZE, 0, 2 * T2_BLOCK_PAGES},
	{T2_EVENTS_BLOCK_SIZE, EVENTS_AT, 1, T2_PAGE_SIZE, 2 * T2_BLOCK_PAGES, T2_BLOCK_PAGES},
	{T2_BATCH_BLOCK_SIZE, 0, 1, T2_PAGE_SIZE, 3 * T2_BLOCK_PAGES, T2_BLOCK_PAGES},
	{T2_BLOCK_SIZE, LARGE_AT, 1, T2_BLOCK_SIZE, 4 * T2_BLOCK_PAGES, T2_BLOCKS},
};

#define NR_CLASSES (sizeof(classes) / sizeof(*classes))
#define NR_BLOCKS (4 * T2_BLOCK_PAGES + T2_BLOCKS)

_Static_assert(PATHS_AT + 2 * T2_PATH_BLOCK_SIZE == T2_PAGE_SIZE, "a group is a page");

static _Atomic(const void *) owners[NR_BLOCKS] T2_PLACE_STATE;

static bool take(struct t2_block *ret_block, const void *owner, const struct class *class)
{
	for (unsigned i = 0; i < class->nr; i++) {
		_Atomic(const void *) *slot = &owners[class->first + i];
		const void *nobody = NULL;

		if (atomic_load_explicit(slot, memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(slot, &nobody, owner))
			continue;
		ret_block->mem = memory + class->at + i / class->per_group * class->group_size +
				 i % class->per_group * class->size;
		ret_block->size = class->size;
		ret_block->index = (int)(class->first + i);
		return true;
	}
	return false;
}

int t2_pool_claim(struct t2_block *ret_block, size_t size, const void *owner)
{
	for (size_t i = 0; i < NR_CLASSES; i++) {
		if (size <= classes[i].size && take(ret_block, owner, &classes[i]))
			return 0;
	}

	size = (size + T2_PAGE_SIZE - 1) & ~(size_t)(T2_PAGE_SIZE - 1);
	ret_block->mem = t2_sys_map(size, MAP_PRIVATE);
	if (!ret_block->mem)
		return -ENOMEM;
	ret_block->size = size;
	ret_block->index = -1;
	return 0;
}

void t2_pool_release(struct t2_block *block)
{
	if (!block->mem)
		return;
	if (block->index < 0)
		t2_sys_unmap(block->mem, block->size);
	else
		atomic_store(&owners[block->index], NULL);
	block->mem = NULL;
}

void t2_pool_reset(const void *owner)
{
	for (unsigned i = 0; i < NR_BLOCKS; i++) {
		if (atomic_load(&owners[i]) != owner)
			atomic_store(&owners[i], NULL);
	}
}
