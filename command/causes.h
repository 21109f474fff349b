/* SPDX-License-Identifier: MIT */
/*
 * Which failures made the trace fail.
 *
 * Many commands of a successful build fail: grep -q that finds nothing, a test of
 * configure. A failure counts if it went all the way up: each process above it failed as
 * well, and because of it. That is inferred:
 *
 *  - a parent that went on to start other children had handled the failure, unless it is
 *    one of the programs that finish the rest first (make, ninja);
 *  - where no child of a failed parent is left by that, it is the last one that ended with
 *    the same status as the parent (a script that cleans up); and where there is none
 *    either, the parent failed by itself.
 *
 * A parent of which no end is known did not handle anything. The cause is the lowest
 * process of such a chain.
 */
#ifndef T2_COMMAND_CAUSES_H
#define T2_COMMAND_CAUSES_H

#include "command/view.h"

struct t2_causes {
	uint32_t *ids; /* in the order of their ends */
	uint32_t nr;
	uint32_t nr_failed;  /* processes that failed, whether it counts or not */
	uint8_t *is_counted; /* by id: on the way from a cause to the top */
};

/* Of what is below the root of the view, whether shown or not. Returns false without
 * memory; free in either case. */
bool t2_causes_find(struct t2_causes *causes, const struct t2_view *view);

void t2_causes_free(struct t2_causes *causes);

/*
 * The process to name for a cause: it or, where it is a part of a compiler, the
 * compiler that started it.
 */
uint32_t t2_cause_shown(const struct t2_view *view, uint32_t id);

/* "make > sh > cc > cc1", at most @size bytes with a NUL; without images that became
 * another. The middle is left out where there are more than @max names. */
void t2_ancestry(const struct t2_view *view, uint32_t id, unsigned max, char *out, size_t size);

/* "exit 2", "SIGSEGV", "?"; @out has T2_TEXT_MAX bytes. */
char *t2_end_text(const struct t2_process *process, char *out);

/* Three or four lines about a cause, for people. */
void t2_causes_print_one(const struct t2_view *view, FILE *out, uint32_t id);

#endif
