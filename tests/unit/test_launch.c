/* SPDX-License-Identifier: MIT */
/*
 * command/launch.c: what a command ends with, and what is left of us afterwards.
 */
#include "command/launch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static struct t2_outcome launch_argv(char **argv)
{
	const struct t2_launch how = {.argv = argv, .keep_fds = true};
	struct t2_outcome outcome;

	cr_assert_eq(t2_launch(&how, &outcome), 0);
	return outcome;
}

static struct t2_outcome launch(const char *script)
{
	char *argv[] = {"sh", "-c", (char *)script, NULL};

	return launch_argv(argv);
}

Test(launch, tells_how_the_command_ended_and_what_it_used)
{
	struct t2_outcome outcome = launch("exit 7");

	cr_expect(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 7);
	cr_expect_gt(outcome.pid, 0);
	cr_expect_gt(outcome.wall_ns, 0);
	cr_expect_gt(outcome.usage.ru_maxrss, 0);
	outcome = launch("kill -KILL $$");
	cr_expect(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGKILL);
}

Test(launch, what_cannot_be_started_has_a_status_of_its_own)
{
	char *missing[] = {"/nonexistent/program", NULL}, *forbidden[] = {"/etc/passwd", NULL};
	struct t2_launch how = {.argv = missing, .keep_fds = true};
	struct t2_outcome outcome;

	cr_expect_eq(t2_launch(&how, &outcome), ENOENT);
	how.argv = forbidden;
	cr_expect_eq(t2_launch(&how, &outcome), EACCES);
	cr_expect_eq(t2_launch_status(ENOENT), 127);
	cr_expect_eq(t2_launch_status(EACCES), 126);
	cr_expect_eq(t2_launch_status(ENOEXEC), 126);
	cr_expect_eq(t2_launch_status(EAGAIN), 125);
	cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a child is left");
}

/* sed(1), unlike shells, leaves its signals as they are. */
static void expect_status(const char *script)
{
	char *argv[] = {"sed", "-n", (char *)script, "/proc/self/status", NULL};

	cr_expect_eq(WEXITSTATUS(launch_argv(argv).status), 7, "%s", script);
}

Test(launch, the_command_has_the_signals_that_we_were_given)
{
	sigset_t mask, after;

	/* A job in the background of a shell is given some that are ignored. */
	for (int signo = 1; signo < SIGRTMIN; signo++)
		signal(signo, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	expect_status("/^SigBlk:.*0000000000000200$/q7"); /* SIGUSR1 */
	/* SIGPIPE. Programs that were started by posix_spawn() have libc's own two
	 * signals, 32 and 33, ignored as well. */
	expect_status("/^SigIgn:.*0000000[01][08]0001000$/q7");
	sigprocmask(SIG_SETMASK, NULL, &after);
	cr_expect(sigismember(&after, SIGUSR1));
	cr_expect_not(sigismember(&after, SIGTERM));
}

Test(launch, the_command_has_the_descriptors_that_we_were_given)
{
	int fds[2];

	cr_assert_eq(pipe(fds), 0);
	cr_assert_eq(dup2(fds[1], 50), 50);
	cr_expect_eq(launch("echo here >/proc/self/fd/50").status, 0);
	cr_expect_eq(write(50, "x", 1), 1, "it is gone");
}

static void nothing(int signo)
{
	(void)signo;
}

/* A signal that is sent to us alone reaches the command, which says when it is ready. */
Test(launch, passes_on_what_is_sent_to_us)
{
	struct t2_outcome outcome;
	char byte;
	int fds[2];

	cr_assert_eq(pipe(fds), 0);
	cr_assert_eq(dup2(fds[1], 50), 50);
	signal(SIGUSR1, nothing);
	if (!fork())
		_exit(read(fds[0], &byte, 1) != 1 || kill(getppid(), SIGUSR1));
	outcome =
		launch("trap 'exit 9' USR1; echo >/proc/self/fd/50; while :; do sleep 0.01; done");
	cr_expect(WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 9);
}

Test(launch, ends_as_the_command_did, .signal = SIGTERM)
{
	cr_expect_eq(t2_end_as(launch("exit 3").status), 3);
	t2_end_as(launch("kill -TERM $$").status);
}
