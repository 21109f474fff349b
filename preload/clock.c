/* SPDX-License-Identifier: MIT */
#include "preload/clock.h"

#include <stddef.h>

#include "preload/elf.h"
#include "preload/libc.h"
#include "preload/limits.h"
#include "preload/sys.h"

/* vdso(7) */
#if defined(__x86_64__)
#define CLOCK_SYMBOL "__vdso_clock_gettime"
#else
#define CLOCK_SYMBOL "__kernel_clock_gettime"
#endif

typedef int clock_fn(clockid_t, struct timespec *);

/* Written once or more often with the same address. */
static clock_fn *gettime T2_PLACE_STATE;

/*
 * The kernel's own, past any preload that bends time; without one (valgrind(1)
 * hides it) libc's. Neither touches errno as long as the arguments are valid.
 */
static clock_fn *find_clock(void)
{
	clock_fn *found = (clock_fn *)t2_elf_vdso(CLOCK_SYMBOL);

	if (!found)
		found = t2_libc_clock_gettime();
	__atomic_store_n(&gettime, found, __ATOMIC_RELAXED);
	return found;
}

static uint64_t read_clock(clockid_t clock)
{
	clock_fn *fn = __atomic_load_n(&gettime, __ATOMIC_RELAXED);
	struct timespec now = {0, 0};

	if (!fn)
		fn = find_clock();
	if (fn(clock, &now))
		t2_sys_clock(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct t2_moment t2_clock_now(void)
{
	struct t2_moment now = {read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC)};

	return now;
}
