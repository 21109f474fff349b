/* SPDX-License-Identifier: MIT */
/*
 * By one digit after the other, the last one first. Digits that are the same
 * everywhere, such as the upper ones of times, cost nothing.
 */
#include "command/sort.h"

#include <stdlib.h>
#include <string.h>

#define BITS 11
#define NR_VALUES (1U << BITS)
#define NR_DIGITS ((64 + BITS - 1) / BITS)

/* Negative numbers come first. */
static unsigned digit_of(const struct t2_sort_item *item, unsigned digit)
{
	return ((uint64_t)item->key ^ UINT64_C(1) << 63) >> (digit * BITS) & (NR_VALUES - 1);
}

static bool is_sorted(const struct t2_sort_item *items, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		if (items[i].key < items[i - 1].key)
			return false;
	}
	return true;
}

static void insert_each(struct t2_sort_item *items, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct t2_sort_item item = items[i];
		size_t at = i;

		for (; at && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* Returns whether it was worth it: not all digits are the same. */
static bool sort_by(unsigned digit, const struct t2_sort_item *from, struct t2_sort_item *to,
		    size_t nr)
{
	size_t starts[NR_VALUES] = {0};
	size_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		starts[digit_of(&from[i], digit)]++;
	if (starts[digit_of(&from[0], digit)] == nr)
		return false;
	for (unsigned i = 0; i < NR_VALUES; i++) {
		size_t count = starts[i];

		starts[i] = sum;
		sum += count;
	}
	for (size_t i = 0; i < nr; i++)
		to[starts[digit_of(&from[i], digit)]++] = from[i];
	return true;
}

bool t2_sort(struct t2_sort_item *items, size_t nr)
{
	struct t2_sort_item *from = items, *to, *other;

	if (is_sorted(items, nr))
		return true;
	if (nr <= 64) {
		insert_each(items, nr);
		return true;
	}
	other = to = malloc(nr * sizeof(*to));
	if (!other)
		return false;
	for (unsigned digit = 0; digit < NR_DIGITS; digit++) {
		if (sort_by(digit, from, to, nr)) {
			struct t2_sort_item *swap = from;

			from = to;
			to = swap;
		}
	}
	if (from != items)
		memcpy(items, from, nr * sizeof(*items));
	free(other);
	return true;
}
