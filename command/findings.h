/* SPDX-License-Identifier: MIT */
/*
 * Advice with evidence: each kind has a code that stays, a threshold, and a switch.
 */
#ifndef T2_COMMAND_FINDINGS_H
#define T2_COMMAND_FINDINGS_H

#include "command/view.h"

#define T2_FINDING_ROOM 512

struct t2_finding {
	const char *code; /* "T2-001" */
	char text[T2_FINDING_ROOM];
};

/* All kinds there are, at most so many. */
#define T2_FINDINGS_MAX 16

/*
 * What there is to say of an analysed view, by code. @off is a list of @nr_off codes of
 * which nothing is said. Returns how many were put into @findings, which has room for all.
 */
unsigned t2_findings(const struct t2_view *view, const char *const *off, unsigned nr_off,
		     struct t2_finding findings[T2_FINDINGS_MAX]);

/* Whether there is such a code. */
bool t2_finding_exists(const char *code);

/* One finding, over more than one line if it must be, each with the width kept. */
void t2_finding_print(const struct t2_view *view, FILE *out, const struct t2_finding *finding);

#endif
