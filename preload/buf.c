/* SPDX-License-Identifier: MIT */
#include "preload/buf.h"

#include <string.h>

void t2_buf_init(struct t2_buf *buf, void *base, size_t cap)
{
	buf->base = base;
	buf->cap = cap;
	buf->len = 0;
}

void t2_buf_put(struct t2_buf *buf, const void *bytes, size_t len)
{
	if (buf->len < buf->cap) {
		size_t room = buf->cap - buf->len;

		memcpy(buf->base + buf->len, bytes, len < room ? len : room);
	}
	buf->len += len;
}

void t2_buf_move(struct t2_buf *buf, const void *bytes, size_t len)
{
	if (buf->len < buf->cap) {
		size_t room = buf->cap - buf->len;

		memmove(buf->base + buf->len, bytes, len < room ? len : room);
	}
	buf->len += len;
}

void t2_buf_put_repeat(struct t2_buf *buf, char c, size_t count)
{
	while (count--)
		t2_buf_put_char(buf, c);
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

void t2_buf_two_digits(char at[2], unsigned value)
{
	at[0] = pairs[2 * value];
	at[1] = pairs[2 * value + 1];
}

/* Write the decimal digits of @value so that they end before @end. Returns the first. */
static char *digits_before(char *end, uint64_t value)
{
	for (; value >= 100; value /= 100)
		t2_buf_two_digits(end -= 2, (unsigned)(value % 100));
	if (value >= 10)
		t2_buf_two_digits(end -= 2, (unsigned)value);
	else
		*--end = (char)('0' + value);
	return end;
}

void t2_buf_put_u64_padded(struct t2_buf *buf, uint64_t value, unsigned width, char pad)
{
	char digits[20];
	char *end = digits + sizeof(digits);
	char *at = digits_before(end, value);
	unsigned nr = (unsigned)(end - at);

	if (width > nr)
		t2_buf_put_repeat(buf, pad, width - nr);
	t2_buf_put(buf, at, nr);
}

void t2_buf_put_u64(struct t2_buf *buf, uint64_t value)
{
	/* Most numbers are a code, an id or a count of nothing. */
	if (value < 10)
		t2_buf_put_char(buf, (char)('0' + value));
	else
		t2_buf_put_u64_padded(buf, value, 0, ' ');
}

void t2_buf_put_i64(struct t2_buf *buf, int64_t value)
{
	if (value < 0)
		t2_buf_put_char(buf, '-');
	t2_buf_put_u64(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void t2_buf_put_hex(struct t2_buf *buf, uint64_t value, unsigned digits)
{
	while (digits--)
		t2_buf_put_char(buf, "0123456789abcdef"[(value >> (4 * digits)) & 15]);
}

void t2_buf_put_seconds(struct t2_buf *buf, uint64_t ns, unsigned width)
{
	const uint64_t us = ns / 1000;
	const unsigned fraction = (unsigned)(us % 1000000);
	char text[20 + sizeof(".123456") - 1];
	char *point = text + 20;
	char *at = digits_before(point, us / 1000000);
	unsigned nr;

	*point = '.';
	t2_buf_two_digits(point + 1, fraction / 10000);
	t2_buf_two_digits(point + 3, fraction / 100 % 100);
	t2_buf_two_digits(point + 5, fraction % 100);
	nr = (unsigned)(text + sizeof(text) - at);
	if (width > nr)
		t2_buf_put_repeat(buf, ' ', width - nr);
	t2_buf_put(buf, at, nr);
}

void t2_buf_pad_to(struct t2_buf *buf, size_t start, size_t width, char c)
{
	size_t used = buf->len - start;

	if (used < width)
		t2_buf_put_repeat(buf, c, width - used);
}
