/* SPDX-License-Identifier: MIT */
/*
 * From 64-bit keys to 32-bit values.
 */
#ifndef T2_COMMAND_MAP_H
#define T2_COMMAND_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* No value; what a key that is not there has. */
#define T2_MAP_NONE UINT32_MAX

/* A zeroed one is empty. */
struct t2_map {
	uint64_t *keys;
	uint32_t *values; /* T2_MAP_NONE: free */
	uint32_t size;	  /* a power of two */
	uint32_t nr;
};

void t2_map_free(struct t2_map *map);

uint32_t t2_map_get(const struct t2_map *map, uint64_t key);

/* Set the value of @key, which is not T2_MAP_NONE. Returns false without memory. */
bool t2_map_put(struct t2_map *map, uint64_t key, uint32_t value);

#endif
