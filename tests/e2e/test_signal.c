/* SPDX-License-Identifier: MIT */
/*
 * Deaths by signal: told by the process itself where that is possible, and the
 * same death in every case.
 */
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const struct death {
	const char *label;
	int signo;
	bool is_told;
} deaths[] = {
	{"sighup_kill", SIGHUP, true},	      {"sigint_kill", SIGINT, true},
	{"sigquit_kill", SIGQUIT, true},      {"sigill_kill", SIGILL, true},
	{"sigill_fault", SIGILL, true},	      {"sigtrap_raise", SIGTRAP, true},
	{"sigabrt_raise", SIGABRT, true},     {"abort", SIGABRT, true},
	{"assert_fails", SIGABRT, true},      {"assert_perror_fails", SIGABRT, true},
	{"sigbus_kill", SIGBUS, true},	      {"sigbus_fault", SIGBUS, true},
	{"sigfpe_raise", SIGFPE, true},	      {"sigfpe_fault", SIGFPE, true},
	{"sigkill_kill", SIGKILL, false},     {"sigusr1_kill", SIGUSR1, true},
	{"sigsegv_queue", SIGSEGV, true},     {"sigsegv_fault", SIGSEGV, true},
	{"sigsegv_overflow", SIGSEGV, false}, /* there is no stack to tell it on */
	{"sigsegv_altstack", SIGSEGV, true},  {"sigusr2_queue", SIGUSR2, true},
	{"signal_sigpipe", SIGPIPE, true},    {"sigalrm_raise", SIGALRM, true},
	{"sigterm_kill", SIGTERM, true},      {"sigstkflt_kill", 16, false},
	{"sigxcpu_raise", SIGXCPU, true},     {"sigxfsz_kill", SIGXFSZ, true},
	{"sigvtalrm_kill", SIGVTALRM, false}, {"sigprof_raise", SIGPROF, false},
	{"sigio_kill", SIGIO, false},	      {"sigpwr_kill", SIGPWR, false},
	{"sigsys_kill", SIGSYS, false},	      {"sig_dfl_then_raise", SIGTERM, true},
	{"sig_dfl_by_signal", SIGTERM, true},
};

ParameterizedTestParameters(signal, death_is_told_and_stays_the_same)
{
	return t2_each(T2_LEN(deaths));
}

ParameterizedTest(int *index, signal, death_is_told_and_stays_the_same)
{
	const struct death *death = &deaths[*index];
	struct t2_told told;

	t2_tell(&told, death->label);
	t2_assert_killed(&told.run, death->signo);
	t2_assert_kinds(&told, told.root, death->is_told ? FIRST " signal" : FIRST);
	if (t2_trace_count(&told.trace, told.root, "signal") > 0)
		cr_expect_eq(
			t2_line_number(t2_trace_line(&told.trace, told.root, "signal", 0), "signo"),
			death->signo);
	t2_told_close(&told);
}

Test(signal, events_can_be_switched_off)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"signal_death", "15", "kill", NULL},
		.env = (const char *const[]){"T2SHIM_SIGNALS=0", NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_killed(&told.run, SIGTERM);
	t2_assert_kinds(&told, told.root, FIRST);
	t2_told_close(&told);
}

static void ignore_some(void *unused)
{
	(void)unused;
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
}

Test(signal, inherited_dispositions_are_left_alone)
{
	struct t2_run runs[2];
	int i;
	struct t2_launch launch = {.argv = (const char *const[]){"dispositions", NULL},
				   .targets = T2_TARGET_EVENT,
				   .set_up = ignore_some};

	for (i = 0; i < 2; i++) {
		launch.preload = i ? T2_SHIM : T2_BARE;
		t2_run_open(&runs[i]);
		t2_run_launch(&runs[i], &launch);
		t2_assert_exited(&runs[i], 0);
	}
	cr_expect_str_eq(runs[1].out, runs[0].out);
	cr_expect_not_null(strstr(runs[1].out, "1: ignore/"));
	cr_expect_null(strstr(runs[1].out, "FOREIGN"));
	t2_run_close(&runs[0]);
	t2_run_close(&runs[1]);
}

Test(signal, ignored_signal_does_not_kill)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"signal_death", "15", "kill", NULL},
		.set_up = ignore_some};

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 99); /* the victim's word for having survived */
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "signal"), 0);
	t2_told_close(&told);
}

Test(signal, blocked_and_ignored_signals_are_no_deaths)
{
	struct t2_told told;

	t2_tell(&told, "signal_blocked");
	t2_assert_exited(&told.run, 0);
	t2_assert_kinds(&told, told.root, FIRST " " END);
	t2_told_close(&told);
}

Test(signal, death_of_a_forked_child_is_told_by_both)
{
	struct t2_told told;
	int child;

	t2_tell(&told, "signal_in_child");
	t2_assert_killed(&told.run, SIGUSR1);
	child = t2_assert_traced_child(&told, told.root,
				       &(struct t2_child){.id = 0,
							  .class = "fork",
							  .argv = "signal_in_child",
							  .code = 128 + SIGTERM});
	cr_expect_eq(t2_line_number(t2_trace_line(&told.trace, child, "signal", 0), "signo"),
		     SIGTERM);
	t2_assert_child(&told, told.root,
			&(struct t2_child){.id = 1,
					   .class = "vfork",
					   .argv = "signal_in_child",
					   .code = 128 + SIGUSR1});
	cr_expect_eq(t2_line_number(t2_trace_line(&told.trace, told.root, "signal", 0), "signo"),
		     SIGUSR1);
	t2_told_close(&told);
}

Test(signal, storm_of_handlers_that_fork_leaves_a_whole_stream)
{
	struct t2_told told;

	t2_tell(&told, "sigalrm_storm");
	t2_assert_exited(&told.run, 0);
	cr_expect_eq(t2_trace_count(&told.trace, told.root, "child_start"),
		     t2_trace_count(&told.trace, told.root, "child_exit"));
	cr_expect_geq(t2_trace_count(&told.trace, told.root, "child_exit"), 20);
	t2_told_close(&told);
}
