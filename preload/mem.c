/* SPDX-License-Identifier: MIT */
/*
 * The memory and string functions the compiler and the core call, private to
 * the shim: libc's names could be captured by the host, and its versions need a
 * relocation and an IFUNC each. Linked into the shim alone; tests and tools use
 * libc's.
 *
 * Little-endian machines only, as both of ours are.
 * Context of all: any.
 */
#include <stdint.h>
#include <string.h>

#define T2_PRIVATE __attribute__((visibility("hidden")))

/* Eight, four, two bytes anywhere, whatever they belong to; and sixteen, in a register. */
typedef uint64_t word __attribute__((may_alias, aligned(1)));
typedef uint32_t half __attribute__((may_alias, aligned(1)));
typedef uint16_t quarter __attribute__((may_alias, aligned(1)));
typedef uint64_t pair __attribute__((vector_size(16), may_alias, aligned(1)));

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS (0x80 * ONES)

/* The first and the last unit, which may be partly or wholly the same bytes. */
#define COPY_ENDS(unit)                                                                            \
	do {                                                                                       \
		unit first = *(const unit *)f, last = *(const unit *)(f + len - sizeof(unit));     \
                                                                                                   \
		*(unit *)t = first;                                                                \
		*(unit *)(t + len - sizeof(unit)) = last;                                          \
	} while (0)

/* Nearly all copies are of a few bytes. */
T2_PRIVATE void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (len > sizeof(pair)) {
		unsigned char *last = t + len - sizeof(pair);

		for (; t < last; t += sizeof(pair), f += sizeof(pair))
			*(pair *)t = *(const pair *)f;
		*(pair *)last = *(const pair *)((const unsigned char *)from + len - sizeof(pair));
	} else if (len >= sizeof(word)) {
		COPY_ENDS(word);
	} else if (len >= sizeof(half)) {
		COPY_ENDS(half);
	} else if (len >= sizeof(quarter)) {
		COPY_ENDS(quarter);
	} else if (len) {
		*t = *f;
	}
	return to;
}

T2_PRIVATE void *memmove(void *to, const void *from, size_t len)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (t + len <= f || t >= f + len)
		return memcpy(to, from, len);
	if (t < f) {
		while (len--)
			*t++ = *f++;
		return to;
	}
	while (len--)
		t[len] = f[len];
	return to;
}

T2_PRIVATE void *memset(void *to, int c, size_t len)
{
	const uint64_t eight = 0x0101010101010101 * (unsigned char)c;
	unsigned char *t = to;

	for (; len >= sizeof(word); len -= sizeof(word)) {
		*(word *)t = eight;
		t += sizeof(word);
	}
	while (len--)
		*t++ = (unsigned char)c;
	return to;
}

T2_PRIVATE int memcmp(const void *a, const void *b, size_t len)
{
	const unsigned char *x = a;
	const unsigned char *y = b;

	for (; len >= sizeof(word) && *(const word *)x == *(const word *)y; len -= sizeof(word)) {
		x += sizeof(word);
		y += sizeof(word);
	}
	for (; len; len--, x++, y++) {
		if (*x != *y)
			return *x - *y;
	}
	return 0;
}

T2_PRIVATE size_t strlen(const char *str)
{
	/* Whole words at their own alignment: none of them spans two pages. */
	const size_t skew = (uintptr_t)str % sizeof(word);
	const char *at = str - skew;
	word bytes = *(const word *)at | ~(~(word)0 << 8 * skew);

	while (!((bytes - ONES) & ~bytes & HIGHS))
		bytes = *(const word *)(at += sizeof(word));
	bytes = (bytes - ONES) & ~bytes & HIGHS;
	return (size_t)(at - str) + (size_t)__builtin_ctzll(bytes) / 8;
}

T2_PRIVATE void *memchr(const void *from, int c, size_t len)
{
	const unsigned char *f = from;
	const word wanted = ONES * (unsigned char)c;

	for (; len >= sizeof(word); f += sizeof(word), len -= sizeof(word)) {
		word bytes = *(const word *)f ^ wanted;

		bytes = (bytes - ONES) & ~bytes & HIGHS;
		if (bytes)
			return (void *)(uintptr_t)(f + __builtin_ctzll(bytes) / 8);
	}
	for (; len; len--, f++) {
		if (*f == (unsigned char)c)
			return (void *)(uintptr_t)f;
	}
	return NULL;
}

T2_PRIVATE int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}
