/* SPDX-License-Identifier: MIT */
#include "formatters/utf8.h"

size_t t2_utf8_measure(const char *at, size_t nr, bool *ret_valid)
{
	const unsigned char *byte = (const unsigned char *)at;
	size_t nr_more = *byte >= 0xf0 ? 3 : *byte >= 0xe0 ? 2 : 1;
	unsigned char low = 0x80;
	unsigned char high = 0xbf;
	size_t len;

	*ret_valid = false;
	if (*byte < 0xc2 || *byte > 0xf4)
		return 1;

	/* Overlong forms, surrogates and what is past U+10FFFF show in the second byte. */
	if (*byte == 0xe0)
		low = 0xa0;
	else if (*byte == 0xed)
		high = 0x9f;
	else if (*byte == 0xf0)
		low = 0x90;
	else if (*byte == 0xf4)
		high = 0x8f;

	for (len = 1; len <= nr_more; len++) {
		if (len >= nr || byte[len] < low || byte[len] > high)
			return len;
		low = 0x80;
		high = 0xbf;
	}
	*ret_valid = true;
	return len;
}
