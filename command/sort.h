/* SPDX-License-Identifier: MIT */
/*
 * Things in the order of a number, in time that is linear in how many they are.
 */
#ifndef T2_COMMAND_SORT_H
#define T2_COMMAND_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct t2_sort_item {
	int64_t key;
	uint32_t value;
	int32_t more; /* the caller's */
};

/* Sort by key; equal ones stay as they are. Returns false without memory. */
bool t2_sort(struct t2_sort_item *items, size_t nr);

#endif
