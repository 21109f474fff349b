/* SPDX-License-Identifier: MIT */
/*
 * Destinations that are sockets: every kind, and collectors that do not do their part.
 */
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/listener.h"
#include "tests/support/target.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

static const struct socket_case {
	const char *prefix;
	int type;
} socket_cases[] = {
	{"af_unix:stream:", SOCK_STREAM},
	{"af_unix:dgram:", SOCK_DGRAM},
	{"af_unix:", SOCK_STREAM},
	{"af_unix:", SOCK_DGRAM},
};

ParameterizedTestParameters(dst, socket_of_every_kind)
{
	return t2_each(T2_LEN(socket_cases));
}

ParameterizedTest(int *index, dst, socket_of_every_kind)
{
	const struct socket_case *kind = &socket_cases[*index];
	struct t2_run run;
	struct t2_listener listener;
	char *spec;
	char *text;

	t2_run_open(&run);
	spec = t2_format_text("%s%s", kind->prefix, t2_run_path(&run, "socket"));
	t2_listener_open(&listener, t2_run_path(&run, "socket"), kind->type);
	t2_listener_read(&listener);
	t2_target_launch(&run, "fork_exec", spec, NULL);
	t2_assert_exited(&run, 0);
	text = t2_listener_end(&listener);
	t2_assert_stream(text, 2);
	t2_listener_close(&listener);
	free(text);
	free(spec);
	t2_run_close(&run);
}

/*
 * A collector takes one connection for one process, so a stream holds one session
 * only; its announcement of a child is still its own.
 */
Test(dst, each_connection_carries_one_session)
{
	struct t2_run run;
	struct t2_listener listener;
	char *spec;
	int i;

	t2_run_open(&run);
	spec = t2_format_text("af_unix:stream:%s", t2_run_path(&run, "socket"));
	t2_listener_open(&listener, t2_run_path(&run, "socket"), SOCK_STREAM);
	t2_listener_read(&listener);
	t2_target_launch(&run, "fork_nested", spec, NULL);
	t2_assert_exited(&run, 0);
	free(t2_listener_end(&listener));
	cr_expect_eq(listener.nr, 3, "%d connections", listener.nr);
	for (i = 0; i < listener.nr; i++)
		t2_assert_stream(listener.texts[i], 1);
	t2_listener_close(&listener);
	free(spec);
	t2_run_close(&run);
}

Test(dst, collector_that_never_reads_stops_nobody)
{
	struct t2_run run;
	struct t2_listener listener;
	struct timespec begin;
	struct timespec end;
	char *spec;

	t2_run_open(&run);
	spec = t2_format_text("af_unix:stream:%s", t2_run_path(&run, "socket"));
	t2_listener_open(&listener, t2_run_path(&run, "socket"), SOCK_STREAM);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	t2_target_launch(&run, "threads_many", spec, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	t2_assert_exited(&run, 0);
	cr_expect_lt(end.tv_sec - begin.tv_sec, 3);
	t2_listener_close(&listener);
	free(spec);
	t2_run_close(&run);
}

Test(dst, socket_that_nobody_listens_to_costs_nothing)
{
	struct t2_run run;
	struct t2_listener listener;
	char *spec;

	t2_run_open(&run);
	spec = t2_format_text("af_unix:%s", t2_run_path(&run, "socket"));
	t2_listener_open(&listener, t2_run_path(&run, "socket"), SOCK_STREAM);
	t2_listener_close(&listener);
	t2_target_launch(&run, "fork_exec", spec, NULL);
	t2_assert_exited(&run, 0);
	cr_expect_str_eq(run.err, "");
	free(spec);
	t2_run_close(&run);
}
