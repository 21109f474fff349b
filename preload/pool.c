/* SPDX-License-Identifier: MIT */
#include "preload/pool.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/limits.h"
#include "preload/sys.h"

static char small[T2_SMALL_BLOCKS * T2_SMALL_BLOCK_SIZE + T2_PAGE_SIZE] T2_PLACE_BLOCKS;
static char large[T2_BLOCKS * T2_BLOCK_SIZE + T2_PAGE_SIZE] T2_PLACE_BLOCKS;
static _Atomic(const void *) owners[T2_SMALL_BLOCKS + T2_BLOCKS];

static bool take(struct t2_block *ret_block, const void *owner, char *memory, size_t size,
		 int first, int end)
{
	memory += -(uintptr_t)memory & (T2_PAGE_SIZE - 1);
	for (int i = first; i < end; i++) {
		const void *nobody = NULL;

		if (atomic_load_explicit(&owners[i], memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&owners[i], &nobody, owner))
			continue;
		*ret_block = (struct t2_block){memory + (size_t)(i - first) * size, size, i};
		return true;
	}
	return false;
}

int t2_pool_claim(struct t2_block *ret_block, size_t size, const void *owner)
{
	if (size <= T2_SMALL_BLOCK_SIZE &&
	    take(ret_block, owner, small, T2_SMALL_BLOCK_SIZE, 0, T2_SMALL_BLOCKS))
		return 0;
	if (size <= T2_BLOCK_SIZE && take(ret_block, owner, large, T2_BLOCK_SIZE, T2_SMALL_BLOCKS,
					  T2_SMALL_BLOCKS + T2_BLOCKS))
		return 0;

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
	for (int i = 0; i < T2_SMALL_BLOCKS + T2_BLOCKS; i++) {
		if (atomic_load(&owners[i]) != owner)
			atomic_store(&owners[i], NULL);
	}
}
