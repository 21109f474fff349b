/* SPDX-License-Identifier: MIT */
/*
 * Indices as parameters.
 */
#include "tests/support/each.h"

#include <criterion/criterion.h>

#define INDICES_MAX 1024

struct criterion_test_params t2_each(size_t nr)
{
	static int indices[INDICES_MAX];
	size_t i;

	cr_assert_leq(nr, INDICES_MAX);
	for (i = 0; i < nr; i++)
		indices[i] = (int)i;
	return cr_make_param_array(int, indices, nr);
}
