/* SPDX-License-Identifier: MIT */
/*
 * Parameterised tests over a table: the parameter is the index, because a test
 * runs in another process than the one that made the parameters.
 */
#ifndef T2_SUPPORT_EACH_H
#define T2_SUPPORT_EACH_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stddef.h>

#define T2_LEN(table) (sizeof(table) / sizeof((table)[0]))

/* The indices 0 to @nr - 1. */
struct criterion_test_params t2_each(size_t nr);

#endif
