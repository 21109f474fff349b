/* SPDX-License-Identifier: MIT */
/*
 * A buffer to render into, and what has to be in it.
 */
#ifndef T2_TESTS_UNIT_BUF_H
#define T2_TESTS_UNIT_BUF_H

#include "preload/buf.h"

#include <criterion/criterion.h>
#include <string.h>

static char memory[4096];
static struct t2_buf buf;

static inline void empty_buf(void)
{
	t2_buf_init(&buf, memory, sizeof(memory));
}

static inline void assert_holds(const char *expected)
{
	cr_assert_eq(buf.len, strlen(expected), "expected %s, not %.*s", expected, (int)buf.len,
		     memory);
	cr_assert(!memcmp(memory, expected, buf.len), "expected %s, not %.*s", expected,
		  (int)buf.len, memory);
}

#endif
