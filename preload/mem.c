/* SPDX-License-Identifier: MIT */
/*
 * The memory and string functions the compiler and the core call, private to
 * the shim: libc's names could be captured by the host, and its versions need a
 * relocation and an IFUNC each. Linked into the shim alone; tests and tools use
 * libc's.
 *
 * Context of all: any.
 */
#include <stdint.h>
#include <string.h>

#define T2_PRIVATE __attribute__((visibility("hidden")))

/* Eight bytes anywhere, whatever they belong to. */
typedef uint64_t word __attribute__((may_alias, aligned(1)));

/*
 * Nearly all copies are of a few bytes. Words first and the last word once more,
 * where the bytes are the same ones again.
 */
T2_PRIVATE void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (len < sizeof(word)) {
		while (len--)
			*t++ = *f++;
		return to;
	}
	for (; len > sizeof(word); len -= sizeof(word)) {
		*(word *)t = *(const word *)f;
		t += sizeof(word);
		f += sizeof(word);
	}
	t -= sizeof(word) - len;
	f -= sizeof(word) - len;
	*(word *)t = *(const word *)f;
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

	for (; len; len--, x++, y++) {
		if (*x != *y)
			return *x - *y;
	}
	return 0;
}

T2_PRIVATE size_t strlen(const char *str)
{
	const char *end = str;

	while (*end)
		end++;
	return (size_t)(end - str);
}

T2_PRIVATE int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}
