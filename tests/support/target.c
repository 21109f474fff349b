/* SPDX-License-Identifier: MIT */
/*
 * One target, and what it holds.
 */
#include "tests/support/target.h"

#include "tests/support/trace.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void t2_target_launch(struct t2_run *run, const char *program, const char *spec,
		      void (*set_up)(void *arg))
{
	char *entry = t2_format_text("GIT_TRACE2_EVENT=%s", spec);
	struct t2_launch launch = {.preload = T2_SHIM,
				   .argv = (const char *const[]){program, NULL},
				   .env = (const char *const[]){entry, NULL},
				   .set_up = set_up,
				   .arg = run};

	t2_run_launch(run, &launch);
	free(entry);
}

void t2_assert_stream(const char *text, int nr_sessions)
{
	struct t2_trace trace;

	t2_trace_parse(&trace, text);
	cr_expect_eq(trace.nr_sessions, nr_sessions, "%d sessions in\n%s", trace.nr_sessions, text);
	cr_expect_eq(t2_trace_count(&trace, -1, "atexit"), nr_sessions, "%s", text);
	t2_trace_free(&trace);
}
