/* SPDX-License-Identifier: MIT */
/*
 * system(): libc's own makes and reaps the shell without a call we could see,
 * tells nobody its pid, and gives it the process's environment. So this is the
 * one function we do ourselves, as POSIX describes it (system(3)): ignore
 * SIGINT and SIGQUIT, block SIGCHLD, run the shell, wait; a cancelled thread
 * takes its shell along.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "hooks/handover.h"
#include "hooks/hook.h"
#include "hooks/offspring.h"
#include "hooks/real.h"
#include "preload/libc.h"
#include "preload/sys.h"

#define BIT(signo) (1UL << ((signo)-1))

/*
 * Threads in system() share the two dispositions: the first one sets them, the
 * last one puts them back. @turn makes that one step, as libc's lock does; it is
 * held for a few system calls with all signals blocked. It names the process,
 * so that one left behind by a fork is void.
 */
static atomic_int turn;
static int nr_inside;
static struct t2_kernel_sigaction saved_int, saved_quit;

static void take_turn(void)
{
	int pid = t2_sys_getpid();
	int holder = 0;

	while (!atomic_compare_exchange_weak(&turn, &holder, pid)) {
		if (holder != pid)
			continue; /* free, or void: try with that value */
		holder = 0;
		T2_SYS(SYS_sched_yield, 0);
	}
}

static void begin_ignoring(void)
{
	const struct t2_kernel_sigaction ignore = {
		.handler = (void (*)(int, siginfo_t *, void *))(void *)SIG_IGN};

	take_turn();
	if (nr_inside++ == 0) {
		t2_sys_sigaction(SIGINT, &ignore, &saved_int);
		t2_sys_sigaction(SIGQUIT, &ignore, &saved_quit);
	}
	atomic_store(&turn, 0);
}

static void end_ignoring(void)
{
	take_turn();
	if (--nr_inside == 0) {
		t2_sys_sigaction(SIGINT, &saved_int, NULL);
		t2_sys_sigaction(SIGQUIT, &saved_quit, NULL);
	}
	atomic_store(&turn, 0);
}

/* One call of system(). */
struct call {
	const char *command;
	struct t2_guard *guard;
	struct t2_offspring offspring;
	struct t2_handover handover;
	uint64_t mask; /* the caller's */
	pid_t pid;     /* of the shell */
};

static const uint64_t all_signals = ~0UL;

static void begin(struct call *call)
{
	uint64_t during;

	t2_sys_sigmask(SIG_BLOCK, &all_signals, &call->mask);
	begin_ignoring();
	during = call->mask | 1UL << (SIGCHLD - 1);
	t2_sys_sigmask(SIG_SETMASK, &during, NULL);
}

static void end(struct call *call)
{
	t2_sys_sigmask(SIG_BLOCK, &all_signals, NULL);
	end_ignoring();
	t2_sys_sigmask(SIG_SETMASK, &call->mask, NULL);
	t2_handover_end(&call->handover);
}

static void add_unless_ignored(sigset_t *set, int signo, const struct t2_kernel_sigaction *saved)
{
	if ((void *)saved->handler != (void *)SIG_IGN)
		*(uint64_t *)(void *)set |= 1UL << (signo - 1);
}

/* Returns 0 or an errno. */
static int spawn_shell(struct call *call)
{
	char *const argv[] = {
		(char *)"sh",
		(char *)"-c",
#if T2_GLIBC(38)
		(char *)"--",
#endif
		(char *)call->command,
		NULL
	};
	posix_spawnattr_t attr;
	sigset_t mask, defaults;

	memset(&mask, 0, sizeof(mask));
	memset(&defaults, 0, sizeof(defaults));
	memcpy(&mask, &call->mask, sizeof(call->mask));
	add_unless_ignored(&defaults, SIGINT, &saved_int);
	add_unless_ignored(&defaults, SIGQUIT, &saved_quit);
	t2_libc_posix_spawnattr_init()(&attr);
	t2_libc_posix_spawnattr_setsigmask()(&attr, &mask);
	t2_libc_posix_spawnattr_setsigdefault()(&attr, &defaults);
	t2_libc_posix_spawnattr_setflags()(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	return t2_real_posix_spawn()(&call->pid, "/bin/sh", NULL, &attr, argv, call->handover.envp);
}

/* The thread was cancelled while its shell ran. */
static void cancelled(void *arg)
{
	struct call *call = arg;
	struct rusage usage;
	int status = 0;
	long ret;

	T2_SYS(SYS_kill, call->pid, SIGKILL);
	do {
		ret = T2_SYS(SYS_wait4, call->pid, &status, 0, &usage);
	} while (ret == -EINTR);
	end(call);
	if (ret > 0)
		t2_offspring_reaped(call->guard, call->pid, t2_offspring_code(status), &usage);
}

static int wait_for_shell(struct call *call, struct rusage *usage)
{
	struct _pthread_cleanup_buffer cleanup;
	int status;
	pid_t ret;

	/* A libc without it has no threads that could be cancelled. */
	if (t2_libc__pthread_cleanup_push())
		t2_libc__pthread_cleanup_push()(&cleanup, cancelled, call);
	do {
		ret = t2_real_wait4()(call->pid, &status, 0, usage);
	} while (ret < 0 && *t2_errno() == EINTR);
	if (t2_libc__pthread_cleanup_push())
		t2_libc__pthread_cleanup_pop()(&cleanup, 0);
	return ret == call->pid ? status : -1;
}

static int run(struct call *call)
{
	struct rusage usage;
	int status, error;

	begin(call);
	error = spawn_shell(call);
	t2_offspring_end(&call->offspring, call->guard, error ? -1 : call->pid);
	status = error ? 127 << 8 : wait_for_shell(call, &usage);
	call->guard->saved_errno = error	? error
				   : status < 0 ? *t2_errno()
						: call->guard->saved_errno;
	end(call);
	if (!error && status >= 0)
		t2_offspring_reaped(call->guard, call->pid, t2_offspring_code(status), &usage);
	return status;
}

static int system_recorded(struct t2_guard *guard, const char *command)
{
	const char *const argv[] = {command, NULL};
	struct call call = {.command = command, .guard = guard};

	t2_offspring_begin(&call.offspring, guard, T2_CHILD_SYSTEM, true, argv);
	t2_handover_begin(&call.handover, guard->stream, NULL, *t2_environ());
	return run(&call);
}

T2_HOOK(int, system, (const char *command))
{
	struct t2_guard guard;
	struct t2_loan loan;
	int ret;

	if (t2_guard_enter(&guard)) {
		/* With no command: is there a shell? */
		ret = command ? system_recorded(&guard, command)
			      : system_recorded(&guard, "exit 0") == 0;
		t2_guard_leave(&guard);
	} else if (t2_handover_is_needed()) {
		t2_loan_begin(&loan, NULL);
		ret = t2_real_system()(command);
		t2_loan_end(&loan);
	} else {
		ret = t2_real_system()(command);
	}
	return ret;
}
