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

#endif
