/* SPDX-License-Identifier: MIT */
/*
 * The memory and string functions the compiler and the core call, private to
 * the shim: libc's names could be captured by the host, and its versions need a
 * relocation and an IFUNC each. Linked into the shim alone; tests and tools use
 * libc's.
 *
 * Context of all: any.
 */
#include <string.h>

#define T2_PRIVATE __attribute__((visibility("hidden")))

T2_PRIVATE void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
#if defined(__x86_64__)
	void *ret = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
	return ret;
#else
	unsigned char *t = to;
	const unsigned char *f = from;

	while (len--)
		*t++ = *f++;
	return to;
#endif
}

T2_PRIVATE void *memmove(void *to, const void *from, size_t len)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (t <= f || t >= f + len)
		return memcpy(to, from, len);
	while (len--)
		t[len] = f[len];
	return to;
}

T2_PRIVATE void *memset(void *to, int c, size_t len)
{
#if defined(__x86_64__)
	void *ret = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(len) : "a"(c) : "memory");
	return ret;
#else
	unsigned char *t = to;

	while (len--)
		*t++ = (unsigned char)c;
	return to;
#endif
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
