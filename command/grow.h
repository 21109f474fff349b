/* SPDX-License-Identifier: MIT */
#ifndef T2_COMMAND_GROW_H
#define T2_COMMAND_GROW_H

#include <stddef.h>
#include <stdint.h>

/*
 * As realloc(), for an @array of @nr elements of @size bytes to have one more: it has
 * room for *@max of them. Returns NULL without memory; then @array is as it was.
 */
void *t2_grow(void *array, uint32_t nr, uint32_t *max, size_t size);

#endif
