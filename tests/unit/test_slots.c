/* SPDX-License-Identifier: MIT */
/* preload/slots.c: each slot once, lowest first, also under many threads. */
#include "preload/slots.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>

#define NR 96

static atomic_uint words[T2_SLOT_WORDS(NR)];
static struct t2_slots slots = {words, NR};

Test(slots, words_are_rounded_up)
{
	cr_assert_eq(T2_SLOT_WORDS(1), 1);
	cr_assert_eq(T2_SLOT_WORDS(32), 1);
	cr_assert_eq(T2_SLOT_WORDS(33), 2);
}

static void claim_all(void)
{
	unsigned i, index;

	for (i = 0; i < NR; i++) {
		cr_assert(t2_slots_claim(&slots, &index), "no slot %u of %u", i, NR);
		cr_assert_eq(index, i, "expected slot %u, not %u", i, index);
	}
}

Test(slots, come_in_order_until_there_is_none)
{
	unsigned index = 4711;

	claim_all();
	cr_assert_not(t2_slots_claim(&slots, &index));
	cr_assert_eq(index, 4711, "a failure set the index to %u", index);
}

Test(slots, a_released_one_is_the_only_one_that_comes_again)
{
	static const unsigned released[] = {95, 31, 32, 0, 64, 40};
	size_t i;

	claim_all();
	for (i = 0; i < sizeof(released) / sizeof(*released); i++) {
		unsigned index;

		t2_slots_release(&slots, released[i]);
		cr_assert(t2_slots_claim(&slots, &index));
		cr_assert_eq(index, released[i], "expected slot %u, not %u", released[i], index);
		cr_assert_not(t2_slots_claim(&slots, &index));
	}
}

Test(slots, the_lowest_free_one_comes_first)
{
	unsigned index;

	claim_all();
	t2_slots_release(&slots, 70);
	t2_slots_release(&slots, 33);
	t2_slots_release(&slots, 34);
	t2_slots_claim(&slots, &index);
	cr_assert_eq(index, 33);
	t2_slots_claim(&slots, &index);
	cr_assert_eq(index, 34);
	t2_slots_claim(&slots, &index);
	cr_assert_eq(index, 70);
}

#define NR_THREADS 8
#define ROUNDS 20000

static atomic_int owners[NR];
static atomic_int nr_shared, nr_refused;

/* Sixteen at a time: more than there are, now and then. */
static void *claim_and_release(void *arg)
{
	int me = (int)(intptr_t)arg;
	unsigned held[16];
	int round, nr;

	for (round = 0; round < ROUNDS / 16; round++) {
		for (nr = 0; nr < 16; nr++) {
			if (!t2_slots_claim(&slots, &held[nr])) {
				atomic_fetch_add(&nr_refused, 1);
				break;
			}
			if (atomic_exchange(&owners[held[nr]], me))
				atomic_fetch_add(&nr_shared, 1);
		}
		while (nr--) {
			if (atomic_exchange(&owners[held[nr]], 0) != me)
				atomic_fetch_add(&nr_shared, 1);
			t2_slots_release(&slots, held[nr]);
		}
	}
	return NULL;
}

Test(slots, no_two_threads_hold_the_same_one, .timeout = 60)
{
	pthread_t threads[NR_THREADS];
	intptr_t i;

	for (i = 0; i < NR_THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, claim_and_release, (void *)(i + 1)),
			     0);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	cr_assert_eq(nr_shared, 0, "%d slots were held by two threads", nr_shared);
	for (i = 0; i < T2_SLOT_WORDS(NR); i++)
		cr_assert_eq(words[i], 0, "word %d still has slots taken: %08x", (int)i, words[i]);
}

/* With as many slots as the threads can want, nobody may be sent away. */
static void *claim_one_at_a_time(void *arg)
{
	unsigned index;
	int i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		if (t2_slots_claim(&slots, &index))
			t2_slots_release(&slots, index);
		else
			atomic_fetch_add(&nr_refused, 1);
	}
	return NULL;
}

Test(slots, no_claim_fails_while_there_is_a_free_one, .timeout = 60)
{
	pthread_t threads[NR_THREADS];
	int i;

	for (i = 0; i < NR_THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, claim_one_at_a_time, NULL), 0);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	cr_assert_eq(nr_refused, 0, "%d claims were refused", nr_refused);
}
