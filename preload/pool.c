/* SPDX-License-Identifier: MIT */
#include "preload/pool.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

#include "preload/limits.h"
#include "preload/sys.h"

static char blocks[T2_BLOCKS][T2_BLOCK_SIZE] T2_PLACE_BLOCKS __attribute__((aligned(64)));
static _Atomic(const void *) owners[T2_BLOCKS];

int t2_pool_claim(struct t2_block *ret_block, size_t size, const void *owner)
{
	for (int i = 0; i < T2_BLOCKS && size <= T2_BLOCK_SIZE; i++) {
		const void *nobody = NULL;

		if (!atomic_compare_exchange_strong(&owners[i], &nobody, owner))
			continue;
		*ret_block = (struct t2_block){blocks[i], T2_BLOCK_SIZE, i};
		return 0;
	}

	size = (size + 4095) & ~(size_t)4095;
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
	for (int i = 0; i < T2_BLOCKS; i++) {
		if (atomic_load(&owners[i]) != owner)
			atomic_store(&owners[i], NULL);
	}
}
