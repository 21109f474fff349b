/* SPDX-License-Identifier: MIT */
/*
 * A bounded byte builder over memory the caller owns.
 *
 * Appending never fails and never writes past the end: @len keeps counting, as
 * snprintf() does, so that a caller whose memory was too small learns in one
 * pass how much the whole text needs and can render it again.
 */
#ifndef T2_PRELOAD_BUF_H
#define T2_PRELOAD_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct t2_buf {
	char *base;
	size_t cap; /* bytes at base */
	size_t len; /* bytes appended, also those that did not fit */
};

/*
 * Start an empty buffer over @cap bytes at @base, which stay the caller's.
 * Context: any.
 */
void t2_buf_init(struct t2_buf *buf, void *base, size_t cap);

/* Whether something did not fit. Context: any. */
static inline bool t2_buf_overflowed(const struct t2_buf *buf)
{
	return buf->len > buf->cap;
}

/* Append @len bytes; they may stand in the buffer already. Context: any. */
void t2_buf_put(struct t2_buf *buf, const void *bytes, size_t len);

/* The same of bytes that lie where they are going to, or partly so. Context: any. */
void t2_buf_move(struct t2_buf *buf, const void *bytes, size_t len);

/*
 * Append a string without its NUL; NULL appends nothing. A literal becomes a few
 * instructions where the call is.
 * Context: any.
 */
static inline __attribute__((always_inline)) void t2_buf_put_str(struct t2_buf *buf,
								 const char *str)
{
	const size_t len = str ? strlen(str) : 0;

	if (str && __builtin_constant_p(len) && len <= 32 && buf->len + len <= buf->cap) {
		memcpy(buf->base + buf->len, str, len);
		buf->len += len;
	} else if (str) {
		t2_buf_put(buf, str, len);
	}
}

/* Append one byte. Context: any. */
static inline void t2_buf_put_char(struct t2_buf *buf, char c)
{
	if (buf->len < buf->cap)
		buf->base[buf->len] = c;
	buf->len++;
}

/* Append @c @count times. Context: any. */
void t2_buf_put_repeat(struct t2_buf *buf, char c, size_t count);

/* Append a decimal number. Context: any. */
void t2_buf_put_u64(struct t2_buf *buf, uint64_t value);
void t2_buf_put_i64(struct t2_buf *buf, int64_t value);

/*
 * Append @value in decimal, at least @width bytes wide, padded on the left with
 * @pad.
 * Context: any.
 */
void t2_buf_put_u64_padded(struct t2_buf *buf, uint64_t value, unsigned width, char pad);

/* Write @value, below 100, as two digits. Context: any. */
void t2_buf_two_digits(char at[2], unsigned value);

/* Append the low @digits hexadecimal digits of @value, lower case. Context: any. */
void t2_buf_put_hex(struct t2_buf *buf, uint64_t value, unsigned digits);

/*
 * Append @ns nanoseconds as seconds with six decimals, cut to whole
 * microseconds as git cuts them. At least @width bytes wide, padded with blanks
 * on the left. Never asks the locale for a decimal point.
 * Context: any.
 */
void t2_buf_put_seconds(struct t2_buf *buf, uint64_t ns, unsigned width);

/* Append @c until @buf is @width bytes long, counted from @start. Context: any. */
void t2_buf_pad_to(struct t2_buf *buf, size_t start, size_t width, char c);

#endif
