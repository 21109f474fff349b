/* SPDX-License-Identifier: MIT */
/*
 * Wall and monotonic time, in nanoseconds.
 */
#ifndef T2_PRELOAD_CLOCK_H
#define T2_PRELOAD_CLOCK_H

#include <stdint.h>

struct t2_moment {
	uint64_t wall_ns; /* since the epoch */
	uint64_t mono_ns; /* on CLOCK_MONOTONIC */
};

/* Both clocks now. Context: any. */
struct t2_moment t2_clock_now(void);

/*
 * From @then_ns to @now_ns, two readings of the monotonic clock, in whole
 * microseconds, cut before subtracting, as git does. In another time namespace
 * than that of the first reading the clock may be behind it: then no time.
 */
static inline uint64_t t2_clock_between(uint64_t then_ns, uint64_t now_ns)
{
	return now_ns > then_ns ? now_ns / 1000 * 1000 - then_ns / 1000 * 1000 : 0;
}

#endif
