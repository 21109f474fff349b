/* SPDX-License-Identifier: MIT */
#include "command/map.h"

#include <stdlib.h>
#include <string.h>

/* Keys may be small numbers; the upper half of the product depends on all bits. */
static uint32_t find(const struct t2_map *map, uint64_t key)
{
	uint32_t mask = map->size - 1;
	uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15U) >> 32) & mask;

	while (map->values[at] != T2_MAP_NONE && map->keys[at] != key)
		at = (at + 1) & mask;
	return at;
}

void t2_map_free(struct t2_map *map)
{
	free(map->keys);
	free(map->values);
	*map = (struct t2_map){0};
}

static bool grow(struct t2_map *map)
{
	uint32_t size = map->size ? map->size * 2 : 1024;
	struct t2_map larger = {.size = size};

	larger.keys = malloc(size * sizeof(*larger.keys));
	larger.values = malloc(size * sizeof(*larger.values));
	if (!larger.keys || !larger.values) {
		t2_map_free(&larger);
		return false;
	}
	memset(larger.values, 0xff, size * sizeof(*larger.values));
	larger.nr = map->nr;
	for (uint32_t i = 0; i < map->size; i++) {
		uint32_t at;

		if (map->values[i] == T2_MAP_NONE)
			continue;
		at = find(&larger, map->keys[i]);
		larger.keys[at] = map->keys[i];
		larger.values[at] = map->values[i];
	}
	t2_map_free(map);
	*map = larger;
	return true;
}

uint32_t t2_map_get(const struct t2_map *map, uint64_t key)
{
	return map->size ? map->values[find(map, key)] : T2_MAP_NONE;
}

bool t2_map_put(struct t2_map *map, uint64_t key, uint32_t value)
{
	uint32_t at;

	if (map->nr >= map->size / 2 && !grow(map))
		return false;
	at = find(map, key);
	if (map->values[at] == T2_MAP_NONE)
		map->nr++;
	map->keys[at] = key;
	map->values[at] = value;
	return true;
}
