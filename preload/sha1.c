/* SPDX-License-Identifier: MIT */
#include "preload/sha1.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned by)
{
	return x << by | x >> (32 - by);
}

/* FIPS 180-4, 6.1.3: the alternate method, with a schedule of sixteen words. */
static void add_block(uint32_t state[5], const unsigned char *block)
{
	uint32_t w[16];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];

	for (int t = 0; t < 80; t++) {
		uint32_t f, k, next;

		if (t >= 16)
			w[t & 15] = rotate(w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^
						   w[t & 15],
					   1);
		if (t < 20) {
			f = (b & c) | (~b & d);
			k = 0x5a827999;
		} else if (t < 40) {
			f = b ^ c ^ d;
			k = 0x6ed9eba1;
		} else if (t < 60) {
			f = (b & c) | (b & d) | (c & d);
			k = 0x8f1bbcdc;
		} else {
			f = b ^ c ^ d;
			k = 0xca62c1d6;
		}
		next = rotate(a, 5) + f + e + k + w[t & 15];
		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
}

uint32_t t2_sha1_head(const void *bytes, size_t len)
{
	uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	unsigned char padded[128] = {0};
	size_t size;

	if (len > sizeof(padded) - 9)
		len = sizeof(padded) - 9;
	size = len + 9 <= 64 ? 64 : 128;
	memcpy(padded, bytes, len);
	padded[len] = 0x80;
	padded[size - 1] = (unsigned char)(len * 8);
	padded[size - 2] = (unsigned char)(len * 8 >> 8);
	for (size_t at = 0; at < size; at += 64)
		add_block(state, padded + at);
	return state[0];
}
