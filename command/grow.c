/* SPDX-License-Identifier: MIT */
#include "command/grow.h"

#include <stdlib.h>

void *t2_grow(void *array, uint32_t nr, uint32_t *max, size_t size)
{
	uint32_t wanted = *max ? *max + *max / 2 : 256;
	void *larger;

	if (nr < *max)
		return array;
	larger = wanted > *max ? realloc(array, wanted * size) : NULL;
	if (larger)
		*max = wanted;
	return larger;
}
