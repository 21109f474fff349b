/* SPDX-License-Identifier: MIT */
/*
 * What holds for every EVENT stream that the shim writes, whatever ran. Each
 * end-to-end test asks for it, so a victim written for one rule guards all.
 */
#ifndef T2_SUPPORT_SANE_H
#define T2_SUPPORT_SANE_H

#include <stdbool.h>

struct t2_trace;

/*
 * Fails the test, naming the line, unless: keys and shapes are those of the
 * format; version comes first and start once; exit, rusage and atexit belong
 * together and nothing but a child's announcement follows; ids are unique and
 * without gaps; no child ends twice; threads have one name each. With @has_strangers
 * children may end that nobody saw begin.
 */
void t2_assert_sane(const struct t2_trace *trace, bool has_strangers);

#endif
