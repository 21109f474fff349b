/* SPDX-License-Identifier: MIT */
/*
 * clone() with a function: a fork on another stack, a vfork with a stack of its
 * own, or a thread. The function is wrapped, because behind its return the child
 * ends in a system call nobody sees.
 */
#include <stdarg.h>

#include "hooks/birth.h"
#include "hooks/clone.h"
#include "hooks/exit.h"
#include "hooks/hook.h"
#include "hooks/offspring.h"
#include "hooks/real.h"

enum t2_clone_kind t2_clone_kind_of(unsigned long flags)
{
	if (flags & CLONE_THREAD)
		return T2_CLONE_THREAD;
	if (!(flags & CLONE_VM))
		return T2_CLONE_COPY;
	/* With storage of its own it cannot find what its parent left for it. */
	return flags & CLONE_VFORK && !(flags & CLONE_SETTLS) ? T2_CLONE_SUSPENDS
							      : T2_CLONE_CONCURRENT;
}

/*
 * What the child is to run. On the parent's stack, where the child finds it: in
 * its copy of the memory, or, while the parent is suspended, in the memory.
 */
struct wrapped {
	int (*fn)(void *);
	void *arg;
	bool has_copy;
};

static int run_wrapped(void *arg)
{
	const struct wrapped *wrapped = arg;
	int status;

	if (wrapped->has_copy)
		t2_emit_fork();
	status = wrapped->fn(wrapped->arg);
	t2_exit_now(status);
	return status;
}

/* The three optional arguments, whether given or not. */
struct rest {
	void *parent_tid, *tls, *child_tid;
};

static int clone_wrapped(struct t2_guard *guard, __typeof__(clone) *real, struct wrapped *wrapped,
			 void *stack, int flags, const struct rest *rest)
{
	struct t2_birth saved;
	int pid;

	t2_birth_begin(guard, T2_CHILD_CLONE, !wrapped->has_copy, &saved);

	t2_guard_before_real(guard);
	pid = real(run_wrapped, stack, flags, wrapped, rest->parent_tid, rest->tls,
		   rest->child_tid);
	t2_guard_after_real(guard);

	t2_birth_in_parent(guard, &saved, pid);
	return pid;
}

/* It runs beside us in the same memory and storage: announced, then left alone. */
static int clone_announced(struct t2_guard *guard, __typeof__(clone) *real,
			   const struct wrapped *wrapped, void *stack, int flags,
			   const struct rest *rest)
{
	struct t2_offspring offspring;
	int pid;

	t2_offspring_begin(&offspring, guard, T2_CHILD_CLONE, false, NULL);

	t2_guard_before_real(guard);
	pid = real(wrapped->fn, stack, flags, wrapped->arg, rest->parent_tid, rest->tls,
		   rest->child_tid);
	t2_guard_after_real(guard);

	t2_offspring_end(&offspring, guard, pid);
	return pid;
}

static int clone_by(__typeof__(clone) *real, int (*fn)(void *), void *stack, int flags, void *arg,
		    const struct rest *rest)
{
	enum t2_clone_kind kind = t2_clone_kind_of((unsigned)flags);
	struct wrapped wrapped = {fn, arg, kind == T2_CLONE_COPY};
	struct t2_guard guard;
	int pid;

	/* Without a function or a stack libc has its own answer. */
	if (kind == T2_CLONE_THREAD || !fn || !stack || !t2_guard_enter(&guard))
		return real(fn, stack, flags, arg, rest->parent_tid, rest->tls, rest->child_tid);
	pid = kind == T2_CLONE_CONCURRENT
		      ? clone_announced(&guard, real, &wrapped, stack, flags, rest)
		      : clone_wrapped(&guard, real, &wrapped, stack, flags, rest);
	t2_guard_leave(&guard);
	return pid;
}

static struct rest take_rest(va_list args)
{
	struct rest rest;

	rest.parent_tid = va_arg(args, void *);
	rest.tls = va_arg(args, void *);
	rest.child_tid = va_arg(args, void *);
	return rest;
}

T2_HOOK(int, clone, (int (*fn)(void *), void *stack, int flags, void *arg, ...))
{
	struct rest rest;
	va_list args;

	va_start(args, arg);
	rest = take_rest(args);
	va_end(args);
	t2_guard_is_on();
	return clone_by(t2_real_clone(), fn, stack, flags, arg, &rest);
}

T2_HOOK(int, __clone, (int (*fn)(void *), void *stack, int flags, void *arg, ...))
{
	struct rest rest;
	va_list args;

	va_start(args, arg);
	rest = take_rest(args);
	va_end(args);
	t2_guard_is_on();
	return clone_by(t2_real___clone(), fn, stack, flags, arg, &rest);
}
