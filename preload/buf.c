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

		memmove(buf->base + buf->len, bytes, len < room ? len : room);
	}
	buf->len += len;
}

void t2_buf_put_str(struct t2_buf *buf, const char *str)
{
	if (str)
		t2_buf_put(buf, str, strlen(str));
}

void t2_buf_put_char(struct t2_buf *buf, char c)
{
	if (buf->len < buf->cap)
		buf->base[buf->len] = c;
	buf->len++;
}

void t2_buf_put_repeat(struct t2_buf *buf, char c, size_t count)
{
	while (count--)
		t2_buf_put_char(buf, c);
}

void t2_buf_put_u64_padded(struct t2_buf *buf, uint64_t value, unsigned width, char pad)
{
	char digits[20];
	unsigned nr = 0;

	do {
		digits[sizeof(digits) - ++nr] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	if (width > nr)
		t2_buf_put_repeat(buf, pad, width - nr);
	t2_buf_put(buf, digits + sizeof(digits) - nr, nr);
}

void t2_buf_put_u64(struct t2_buf *buf, uint64_t value)
{
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
	uint64_t us = ns / 1000;

	/* The point and six decimals take seven bytes of the width. */
	t2_buf_put_u64_padded(buf, us / 1000000, width > 7 ? width - 7 : 0, ' ');
	t2_buf_put_char(buf, '.');
	t2_buf_put_u64_padded(buf, us % 1000000, 6, '0');
}

void t2_buf_pad_to(struct t2_buf *buf, size_t start, size_t width, char c)
{
	size_t used = buf->len - start;

	if (used < width)
		t2_buf_put_repeat(buf, c, width - used);
}
