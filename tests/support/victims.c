/* SPDX-License-Identifier: MIT */
/*
 * The table of victims.
 */
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <string.h>

#define VICTIM(label, program, traits, ...) {#label, traits, {#program, ##__VA_ARGS__}},
const struct t2_victim t2_victims[] = {
#include "tests/victims/victims.def"
};
#undef VICTIM

const size_t t2_victim_nr = sizeof(t2_victims) / sizeof(t2_victims[0]);

const struct t2_victim *t2_victim_find(const char *label)
{
	size_t i;

	for (i = 0; i < t2_victim_nr; i++)
		if (strcmp(t2_victims[i].label, label) == 0)
			return &t2_victims[i];
	cr_assert_fail("victims.def has no '%s'", label);
	return NULL;
}
