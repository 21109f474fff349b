/* SPDX-License-Identifier: MIT */
/*
 * The gate to all the other calls: which ones concern us, and who does them.
 */
#include "hooks/syscall.h"

#include <linux/sched.h>

#include "hooks/birth.h"
#include "hooks/clone.h"
#include "hooks/exec.h"
#include "hooks/exit.h"
#include "hooks/hook.h"
#include "hooks/offspring.h"
#include "hooks/real.h"
#include "hooks/seccomp.h"
#include "hooks/signal.h"
#include "hooks/vfork.h"
#include "preload/sys.h"

#define ARGS long nr, long a, long b, long c, long d, long e, long f
typedef long call_fn(ARGS);

static long forward(ARGS)
{
	return t2_real_syscall()(nr, a, b, c, d, e, f);
}

/* A copy of the memory on a copy of the stack: it may return through us. */
static long fork_copy(ARGS)
{
	struct t2_birth saved;
	struct t2_guard guard;
	long pid;

	if (!t2_guard_enter(&guard))
		return forward(nr, a, b, c, d, e, f);
	t2_birth_begin(&guard, nr == SYS_clone || nr == SYS_clone3 ? T2_CHILD_CLONE : T2_CHILD_FORK,
		       false, &saved);

	t2_guard_before_real(&guard);
	pid = forward(nr, a, b, c, d, e, f);
	t2_guard_after_real(&guard);

	if (pid)
		t2_birth_in_parent(&guard, &saved, (pid_t)pid);
	else
		t2_birth_in_child(&guard);
	t2_guard_leave(&guard);
	return pid;
}

static long exec_path(ARGS)
{
	(void)nr, (void)d, (void)e, (void)f;
	return t2_exec(&(struct t2_exec){.kind = T2_EXEC_PATH_RAW,
					 .name = (const char *)a,
					 .argv = (char *const *)b,
					 .envp = (char *const *)c});
}

static long exec_at(ARGS)
{
	(void)nr, (void)f;
	return t2_exec(&(struct t2_exec){.kind = T2_EXEC_AT_RAW,
					 .fd = (int)a,
					 .name = (const char *)b,
					 .argv = (char *const *)c,
					 .envp = (char *const *)d,
					 .flags = (int)e});
}

static long exit_all(ARGS)
{
	t2_exit_now((int)a);
	return forward(nr, a, b, c, d, e, f);
}

static long confine(ARGS)
{
	struct t2_guard guard;
	bool is_on = t2_seccomp_begin(&guard);
	long ret = forward(nr, a, b, c, d, e, f);

	if (is_on) {
		t2_guard_after_real(&guard);
		t2_seccomp_end(&guard, ret < 0);
	}
	return ret;
}

static long wait_status(ARGS)
{
	struct rusage usage;
	int status = 0;
	const int *used = b ? (const int *)b : &status;
	/* cppcheck-suppress uninitvar; the call fills it */
	const struct rusage *measured = d ? (const struct rusage *)d : &usage;
	long pid = forward(nr, a, (long)used, c, (long)measured, e, f);

	if (pid > 0 && t2_offspring_is_gone(*used))
		t2_offspring_waited((pid_t)pid, t2_offspring_code(*used), measured);
	return pid;
}

static long wait_info(ARGS)
{
	siginfo_t info = {.si_pid = 0};
	struct rusage usage;
	const siginfo_t *used = c ? (const siginfo_t *)c : &info;
	/* cppcheck-suppress uninitvar; the call fills it */
	const struct rusage *measured = e ? (const struct rusage *)e : &usage;
	long ret = forward(nr, a, b, (long)used, d, (long)measured, f);

	if (!ret && !(d & WNOWAIT) && t2_offspring_is_gone_info(used))
		t2_offspring_waited(used->si_pid, t2_offspring_info_code(used), measured);
	return ret;
}

static long set_action(ARGS)
{
	long ret = forward(nr, a, b, c, d, e, f);

	if (!ret)
		t2_signal_called((int)a, (const void *)b, (void *)c);
	return ret;
}

/* A copy of the memory, but on a stack on which we cannot return. */
static void announce_copy(void)
{
	struct t2_birth saved;
	struct t2_guard guard;

	if (!t2_guard_enter(&guard))
		return;
	t2_birth_begin(&guard, T2_CHILD_CLONE, false, &saved);
	t2_guard_leave(&guard);
}

/* Who does a clone with @flags, the child on a stack of its own or not. */
static call_fn *clone_by(unsigned long flags, bool has_stack)
{
	switch (t2_clone_kind_of(flags)) {
	case T2_CLONE_THREAD:
	case T2_CLONE_CONCURRENT:
		break;
	case T2_CLONE_SUSPENDS:
		t2_vfork_announce(T2_CHILD_CLONE);
		break;
	case T2_CLONE_COPY:
		if (!has_stack)
			return fork_copy;
		announce_copy();
		break;
	}
	return NULL;
}

/* Whether the calling thread is the only one there ever was: its end is the end. */
static bool is_alone(void)
{
	return atomic_load(&t2_main.session.next_thread_id) == 1;
}

static call_fn *find(const long *args)
{
	const struct clone_args *clone3;

	switch (args[0]) {
#ifdef SYS_fork
	case SYS_fork:
		return fork_copy;
	case SYS_vfork:
		t2_vfork_announce(T2_CHILD_VFORK);
		return NULL;
#endif
	case SYS_clone:
		return clone_by((unsigned long)args[1], args[2]);
	case SYS_clone3:
		clone3 = (const struct clone_args *)args[1];
		return clone3 ? clone_by(clone3->flags, clone3->stack) : NULL;
	case SYS_execve:
		return exec_path;
	case SYS_execveat:
		return exec_at;
	case SYS_exit_group:
		return exit_all;
	case SYS_exit:
		return is_alone() ? exit_all : NULL;
	case SYS_rt_sigaction:
		return set_action;
	case SYS_seccomp:
		return confine;
	case SYS_prctl:
		return args[1] == PR_SET_SECCOMP ? confine : NULL;
	case SYS_wait4:
		return wait_status;
	case SYS_waitid:
		return wait_info;
	default:
		return NULL;
	}
}

/* Under seccomp all that is left to do is to hand that on. */
static call_fn *find_exec(const long *args)
{
	return args[0] == SYS_execve ? exec_path : args[0] == SYS_execveat ? exec_at : NULL;
}

void *t2_syscall_gate(const long *args)
{
	call_fn *fn = NULL;

	if (t2_guard_is_on() || t2_state == T2_STATE_PASSIVE)
		fn = find(args);
	else if (t2_state == T2_STATE_CONFINED)
		fn = find_exec(args);
	return fn ? (void *)fn : (void *)t2_real_syscall();
}
