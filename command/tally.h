/* SPDX-License-Identifier: MIT */
/*
 * How far a run is, from a trace that is still being written.
 */
#ifndef T2_COMMAND_TALLY_H
#define T2_COMMAND_TALLY_H

#include <stdint.h>
#include <sys/types.h>

#include "formatters/event_reader.h"

/* Commands whose names are kept: the newest ones that run. */
#define T2_TALLY_NAMES 8
#define T2_TALLY_NAME_SIZE 64

struct t2_tally_name {
	uint64_t key; /* of the child; 0: free */
	char name[T2_TALLY_NAME_SIZE];
};

struct t2_tally {
	/* Children, as their parents tell of them. */
	uint64_t nr_started, nr_ended, nr_failed;
	struct t2_tally_name names[T2_TALLY_NAMES]; /* the newest first */

	/* The tally's own. */
	struct t2_event_reader reader;
	char *text; /* the beginning of a line that has no end yet */
	size_t len, size;
};

void t2_tally_init(struct t2_tally *tally);
void t2_tally_free(struct t2_tally *tally);

/* The next @len bytes of the trace, wherever they are cut. */
void t2_tally_add(struct t2_tally *tally, const char *bytes, size_t len);

#endif
