/* SPDX-License-Identifier: MIT */
#include "command/strings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define BLOCK_SIZE ((size_t)256 << 10)

struct t2_strings_block {
	struct t2_strings_block *older;
	size_t size;
	char bytes[];
};

struct t2_strings_slot {
	const char *str; /* NULL: free */
	uint32_t hash;
	uint32_t len;
};

void t2_strings_free(struct t2_strings *strings)
{
	struct t2_strings_block *block, *older;

	for (block = strings->block; block; block = older) {
		older = block->older;
		free(block);
	}
	free(strings->slots);
	*strings = (struct t2_strings){0};
}

static bool grow(struct t2_strings *strings)
{
	uint32_t nr_slots = strings->nr_slots ? strings->nr_slots * 2 : 1024;
	struct t2_strings_slot *slots = calloc(nr_slots, sizeof(*slots));

	if (!slots)
		return false;
	for (uint32_t i = 0; i < strings->nr_slots; i++) {
		uint32_t at = strings->slots[i].hash & (nr_slots - 1);

		if (!strings->slots[i].str)
			continue;
		while (slots[at].str)
			at = (at + 1) & (nr_slots - 1);
		slots[at] = strings->slots[i];
	}
	free(strings->slots);
	strings->slots = slots;
	strings->nr_slots = nr_slots;
	return true;
}

static char *allocate(struct t2_strings *strings, size_t size)
{
	struct t2_strings_block *block = strings->block;

	if (!block || block->size - strings->used < size) {
		size_t block_size = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		block = malloc(sizeof(*block) + block_size);
		if (!block)
			return NULL;
		block->older = strings->block;
		block->size = block_size;
		strings->block = block;
		strings->used = 0;
	}
	strings->used += size;
	return block->bytes + strings->used - size;
}

const char *t2_strings_keep(struct t2_strings *strings, const void *bytes, size_t len)
{
	uint32_t hash = (uint32_t)XXH3_64bits(bytes, len);
	struct t2_strings_slot *slot;
	uint32_t at;
	char *str;

	if (len >= UINT32_MAX)
		return NULL;
	if (strings->nr >= strings->nr_slots / 2 && !grow(strings))
		return NULL;
	at = hash & (strings->nr_slots - 1);
	for (; (slot = &strings->slots[at])->str; at = (at + 1) & (strings->nr_slots - 1)) {
		if (slot->hash == hash && slot->len == len && !memcmp(slot->str, bytes, len))
			return slot->str;
	}
	str = allocate(strings, len + 1);
	if (!str)
		return NULL;
	memcpy(str, bytes, len);
	str[len] = '\0';
	*slot = (struct t2_strings_slot){str, hash, (uint32_t)len};
	strings->nr++;
	return str;
}
