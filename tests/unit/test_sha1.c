/* SPDX-License-Identifier: MIT */
/* preload/sha1.c: the published vectors, and every length it takes. */
#include "preload/sha1.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* "demo-host" and "localhost" are the format description's own. */
static const struct {
	const char *text;
	uint32_t head;
} vectors[] = {
	{"demo-host", 0x15a8054a},
	{"localhost", 0x33438904},
	{"", 0xda39a3ee},
	{"abc", 0xa9993e36},
	{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 0x84983e44},
};

Test(sha1, gives_the_published_vectors)
{
	size_t i;

	for (i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		uint32_t head = t2_sha1_head(vectors[i].text, strlen(vectors[i].text));

		cr_assert_eq(head, vectors[i].head, "expected %08x of \"%s\", not %08x",
			     vectors[i].head, vectors[i].text, head);
	}
}

/* Where the length no longer fits into the block with the last bytes. */
static const struct {
	size_t len;
	uint32_t head;
} lengths[] = {
	{55, 0xc1c8bbdc}, {56, 0xc2db330f},  {63, 0x03f09f5b},	{64, 0x0098ba82},
	{65, 0x11655326}, {118, 0xd0572de8}, {119, 0xee971065},
};

Test(sha1, one_block_becomes_two_at_the_right_length)
{
	char text[119];
	size_t i;

	memset(text, 'a', sizeof(text));
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		uint32_t head = t2_sha1_head(text, lengths[i].len);

		cr_assert_eq(head, lengths[i].head, "expected %08x of %zu bytes, not %08x",
			     lengths[i].head, lengths[i].len, head);
	}
}

Test(sha1, every_length_agrees_with_sha1sum)
{
	uint32_t fold = 0;
	size_t len, i;

	for (len = 0; len < 120; len++) {
		unsigned char *text = malloc(len);

		for (i = 0; i < len; i++)
			text[i] = (unsigned char)(i * 7 + len);
		fold = fold * 31 + t2_sha1_head(text, len);
		free(text);
	}
	cr_assert_eq(fold, 0x38977c18, "expected all heads to fold to 38977c18, not %08x", fold);
}
