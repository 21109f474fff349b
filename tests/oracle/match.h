/* SPDX-License-Identifier: MIT */
/* Which session is which image's, and which image has to have one. */
#ifndef T2_ORACLE_MATCH_H
#define T2_ORACLE_MATCH_H

#include "history.h"
#include "session.h"

#include <stdbool.h>

struct t2_rules {
	const char *shim;	 /* part of the preload's file name */
	struct t2_vec exempt;	 /* patterns for argv, or pids */
	struct t2_vec exit_free; /* the same: exit handlers may end with another status */
	bool is_leak_allowed;	 /* an exec may lose the preload */
};

/*
 * Decide role and need of every image of @history, find every session's image,
 * and report what is missing, doubled or invented.
 */
void t2_match(struct t2_history *history, struct t2_sessions *sessions,
	      const struct t2_rules *rules, bool has_loaded);

/* Is there a pattern of argv, or a pid, in @patterns that fits @image? */
bool t2_match_is_listed(const struct t2_image *image, const struct t2_vec *patterns);

/* The session whose id @image's own has to continue, or "". */
const char *t2_match_parent_sid(const struct t2_image *image);

/* Can a program catch @signo, and does it end a program that does not? */
bool t2_match_is_catchable(int signo);

#endif
