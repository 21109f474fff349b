/* SPDX-License-Identifier: MIT */
#include "preload/slots.h"

bool t2_slots_claim(const struct t2_slots *slots, unsigned *ret_index)
{
	for (unsigned word = 0; word < slots->nr / 32; word++) {
		unsigned taken = atomic_load(&slots->words[word]);

		while (~taken) {
			unsigned bit = (unsigned)__builtin_ctz(~taken);

			if (!atomic_compare_exchange_weak(&slots->words[word], &taken,
							  taken | 1U << bit))
				continue;
			*ret_index = 32 * word + bit;
			return true;
		}
	}
	return false;
}

void t2_slots_release(const struct t2_slots *slots, unsigned index)
{
	atomic_fetch_and(&slots->words[index / 32], ~(1U << index % 32));
}
