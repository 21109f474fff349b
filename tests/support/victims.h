/* SPDX-License-Identifier: MIT */
/*
 * The table of tests/victims/victims.def, for whoever runs through all of it or
 * looks one up by its label.
 */
#ifndef T2_SUPPORT_VICTIMS_H
#define T2_SUPPORT_VICTIMS_H

#include <stddef.h>

#define T2_VICTIM_ARGS_MAX 8

enum t2_victim_trait {
	/* One process, and no threads that race: its lines are kept in tests/golden. */
	T2_VICTIM_GOLDEN = 1,
	/* It reaps children that began where nobody of ours looks. */
	T2_VICTIM_STRANGERS = 2,
};

struct t2_victim {
	const char *label;
	int traits;
	const char *argv[T2_VICTIM_ARGS_MAX + 1]; /* argv[0] is the program */
};

extern const struct t2_victim t2_victims[];
extern const size_t t2_victim_nr;

/* The victim called @label; fails the test if there is none. */
const struct t2_victim *t2_victim_find(const char *label);

#endif
