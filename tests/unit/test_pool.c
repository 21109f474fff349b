/* SPDX-License-Identifier: MIT */
/* preload/pool.c: static blocks first, mappings then, and what a fork leaves. */
#include "preload/limits.h"
#include "preload/pool.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char me, other; /* owners */

static struct t2_block blocks[T2_BLOCKS];

/* Small ones, which come before the large ones. */
#define SMALL_BLOCKS (4 * T2_BLOCK_PAGES)

static void claim_all(const void *owner)
{
	for (int i = 0; i < T2_BLOCKS; i++) {
		cr_assert_eq(t2_pool_claim(&blocks[i], T2_BLOCK_SIZE, owner), 0);
		cr_assert_eq(blocks[i].index, SMALL_BLOCKS + i, "expected block %d, not %d", i,
			     blocks[i].index - SMALL_BLOCKS);
	}
}

/* How many static blocks are free; they are all taken afterwards. */
static int take_free_blocks(void)
{
	struct t2_block block;
	int nr = 0;

	while (!t2_pool_claim(&block, T2_BLOCK_SIZE, &me) && block.index >= 0)
		nr++;
	return nr;
}

Test(pool, static_blocks_are_whole_aligned_and_apart)
{
	claim_all(&me);
	for (int i = 0; i < T2_BLOCKS; i++) {
		cr_assert_eq(blocks[i].size, T2_BLOCK_SIZE);
		cr_assert_eq((uintptr_t)blocks[i].mem % 64, 0);
		memset(blocks[i].mem, i + 1, blocks[i].size);
	}
	for (int i = 0; i < T2_BLOCKS; i++) {
		size_t at = 0;

		while (at < blocks[i].size && blocks[i].mem[at] == i + 1)
			at++;
		cr_assert_eq(at, blocks[i].size, "block %d is not its own at byte %zu", i, at);
	}
}

static bool page_of(const struct t2_block *block, const struct t2_block *other_block)
{
	return (uintptr_t)block->mem / T2_PAGE_SIZE == (uintptr_t)other_block->mem / T2_PAGE_SIZE;
}

/* What a process needs when it begins: one page is touched. */
Test(pool, the_first_small_blocks_share_a_page)
{
	static const size_t sizes[] = {T2_PATH_BLOCK_SIZE, T2_EVENTS_BLOCK_SIZE, T2_PATH_BLOCK_SIZE,
				       T2_BATCH_BLOCK_SIZE};
	struct t2_block small[4];

	for (int i = 0; i < 4; i++) {
		cr_assert_eq(t2_pool_claim(&small[i], sizes[i], &me), 0);
		cr_assert_eq(small[i].size, sizes[i]);
		cr_assert(page_of(&small[i], &small[0]), "block %d is in another page", i);
		memset(small[i].mem, i + 1, small[i].size);
	}
	for (int i = 0; i < 4; i++)
		for (size_t at = 0; at < small[i].size; at++)
			cr_assert_eq(small[i].mem[at], i + 1, "block %d is not its own", i);
}

Test(pool, small_blocks_of_a_page_end_with_it)
{
	struct t2_block block;

	for (int i = 0; i < SMALL_BLOCKS; i++) {
		cr_assert_eq(t2_pool_claim(&block, 1, &me), 0);
		cr_assert_leq((uintptr_t)block.mem % T2_PAGE_SIZE + block.size, T2_PAGE_SIZE);
		memset(block.mem, 'x', block.size);
	}
	cr_assert_eq(t2_pool_claim(&block, 1, &me), 0);
	cr_assert_eq(block.size, T2_BLOCK_SIZE);
	cr_assert_eq((uintptr_t)block.mem % T2_PAGE_SIZE, 0);
}

Test(pool, more_than_there_are_come_as_mappings)
{
	struct t2_block block;

	claim_all(&me);
	cr_assert_eq(t2_pool_claim(&block, 5000, &me), 0);
	cr_assert_eq(block.index, -1);
	cr_assert_eq(block.size, 8192);
	memset(block.mem, 'x', block.size);
	t2_pool_release(&block);
	cr_assert_null(block.mem);
}

Test(pool, larger_ones_come_as_mappings_while_blocks_are_free)
{
	struct t2_block block;

	cr_assert_eq(t2_pool_claim(&block, T2_BLOCK_SIZE + 1, &me), 0);
	cr_assert_eq(block.index, -1);
	cr_assert_geq(block.size, T2_BLOCK_SIZE + 1);
	memset(block.mem, 'x', block.size);
	t2_pool_release(&block);
	cr_assert_eq(take_free_blocks(), T2_BLOCKS);
}

Test(pool, exactly_a_block_fits_into_one)
{
	struct t2_block block;

	cr_assert_eq(t2_pool_claim(&block, T2_BLOCK_SIZE, &me), 0);
	cr_assert_eq(block.index, SMALL_BLOCKS);
}

Test(pool, a_released_block_comes_again)
{
	struct t2_block block;

	claim_all(&me);
	t2_pool_release(&blocks[7]);
	cr_assert_null(blocks[7].mem);
	cr_assert_eq(t2_pool_claim(&block, T2_BLOCK_SIZE, &other), 0);
	cr_assert_eq(block.index, SMALL_BLOCKS + 7);
}

Test(pool, releasing_twice_frees_nothing_of_others)
{
	struct t2_block first, second;

	t2_pool_claim(&first, T2_BLOCK_SIZE, &me);
	t2_pool_release(&first);
	t2_pool_claim(&second, T2_BLOCK_SIZE, &other);
	t2_pool_release(&first);
	cr_assert_eq(take_free_blocks(), T2_BLOCKS - 1);
}

Test(pool, an_empty_block_can_be_released)
{
	struct t2_block block = {0};

	t2_pool_release(&block);
	cr_assert_eq(take_free_blocks(), T2_BLOCKS);
}

Test(pool, a_released_mapping_is_gone)
{
	struct t2_block block;
	void *at;

	t2_pool_claim(&block, 100000, &me);
	at = block.mem;
	cr_assert_eq(msync(at, 1, MS_ASYNC), 0);
	t2_pool_release(&block);
	cr_assert_eq(msync(at, 1, MS_ASYNC), -1, "still mapped");
}

Test(pool, what_cannot_be_had_is_refused)
{
	static const size_t sizes[] = {(size_t)1 << 62, SIZE_MAX - 4096, SIZE_MAX};
	struct t2_block block;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		cr_assert_eq(t2_pool_claim(&block, sizes[i], &me), -ENOMEM,
			     "%zu bytes were promised", sizes[i]);
}

Test(pool, without_address_space_only_the_static_blocks_are_left)
{
	struct rlimit limit, none;
	struct t2_block block;
	int ret;

	getrlimit(RLIMIT_AS, &limit);
	none = limit;
	none.rlim_cur = 0;
	claim_all(&me);
	cr_assert_eq(setrlimit(RLIMIT_AS, &none), 0);
	ret = t2_pool_claim(&block, T2_BLOCK_SIZE, &me);
	setrlimit(RLIMIT_AS, &limit);
	cr_assert_eq(ret, -ENOMEM);
}

Test(pool, a_forked_child_frees_what_other_threads_held)
{
	int status;
	pid_t pid;

	for (int i = 0; i < T2_BLOCKS; i++)
		t2_pool_claim(&blocks[i], T2_BLOCK_SIZE, i < 3 ? &me : &other);
	pid = fork();
	if (!pid) {
		t2_pool_reset(&me);
		_exit(take_free_blocks());
	}
	waitpid(pid, &status, 0);
	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), T2_BLOCKS - 3, "%d blocks were free",
		     WEXITSTATUS(status));
	cr_assert_eq(take_free_blocks(), 0, "the child freed its parent's blocks");
}

#define NR_THREADS 24 /* more than blocks, so that some get mappings */
#define ROUNDS 2000

static atomic_int nr_spoiled;

static void *claim_write_release(void *arg)
{
	unsigned char mark = (unsigned char)(uintptr_t)arg;

	for (int i = 0; i < ROUNDS; i++) {
		struct t2_block block;

		if (t2_pool_claim(&block, 64, &block)) {
			atomic_fetch_add(&nr_spoiled, 1);
			continue;
		}
		memset(block.mem, mark, 64);
		for (int at = 0; at < 64; at++) {
			if (((volatile unsigned char *)block.mem)[at] != mark)
				atomic_fetch_add(&nr_spoiled, 1);
		}
		t2_pool_release(&block);
	}
	return NULL;
}

Test(pool, no_two_threads_get_the_same_memory, .timeout = 60)
{
	pthread_t threads[NR_THREADS];

	for (uintptr_t i = 0; i < NR_THREADS; i++)
		cr_assert_eq(
			pthread_create(&threads[i], NULL, claim_write_release, (void *)(i + 1)), 0);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	cr_assert_eq(nr_spoiled, 0, "%d claims failed or were shared", nr_spoiled);
	cr_assert_eq(take_free_blocks(), T2_BLOCKS);
}
