/* SPDX-License-Identifier: MIT */
/*
 * Strings that stay, each of them once: equal strings have equal addresses.
 */
#ifndef T2_COMMAND_STRINGS_H
#define T2_COMMAND_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct t2_strings {
	struct t2_strings_slot *slots; /* by hash; a power of two of them */
	uint32_t nr_slots, nr;
	struct t2_strings_block *block; /* the newest */
	size_t used;			/* of it */
};

/* A zeroed struct is an empty set. Frees what is in it. */
void t2_strings_free(struct t2_strings *strings);

/*
 * The @len bytes at @bytes, which may hold NULs, with a NUL behind them. Valid
 * until the set is freed. Returns NULL without memory.
 */
const char *t2_strings_keep(struct t2_strings *strings, const void *bytes, size_t len);

#endif
