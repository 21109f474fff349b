/* SPDX-License-Identifier: MIT */
/*
 * Runs with a destination of one's own for the EVENT target.
 */
#ifndef T2_SUPPORT_TARGET_H
#define T2_SUPPORT_TARGET_H

#include "tests/support/run.h"

/*
 * Launch @program under the shim in the opened @run, with @spec as the EVENT
 * target; @set_up, which may be NULL, gets @run.
 */
void t2_target_launch(struct t2_run *run, const char *program, const char *spec,
		      void (*set_up)(void *arg));

/* @text is a whole stream of @nr_sessions, each with its end. */
void t2_assert_stream(const char *text, int nr_sessions);

#endif
