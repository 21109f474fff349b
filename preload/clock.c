/* SPDX-License-Identifier: MIT */
#include "preload/clock.h"

#include <stddef.h>

#include "preload/elf.h"
#include "preload/sys.h"

/* Written once, by t2_clock_init(). With valid arguments it leaves errno alone. */
static int (*libc_clock_gettime)(clockid_t, struct timespec *);

void t2_clock_init(void)
{
	libc_clock_gettime = (int (*)(clockid_t, struct timespec *))t2_elf_libc("clock_gettime");
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now = {0, 0};

	if (!libc_clock_gettime || libc_clock_gettime(clock, &now))
		t2_sys_clock(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct t2_moment t2_clock_now(void)
{
	struct t2_moment now = {read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC)};

	return now;
}
