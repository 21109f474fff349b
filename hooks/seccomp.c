/* SPDX-License-Identifier: MIT */
/*
 * A process puts itself under seccomp: from then on one system call that it
 * would not have made itself may kill it. So we fall silent for good, and take
 * our signal handlers back first, whose last words would be such a call. The filter
 * outlives an exec, so the next image has to be silent, too: it is told.
 */
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "hooks/hook.h"
#include "hooks/real.h"
#include "hooks/seccomp.h"
#include "hooks/signal.h"

bool t2_seccomp_begin(struct t2_guard *guard)
{
	enum t2_state passive = T2_STATE_PASSIVE;

	guard->thread = NULL;
	if (atomic_compare_exchange_strong(&t2_state, &passive, T2_STATE_CONFINED))
		return true;
	if (!t2_guard_enter(guard))
		return false;
	/* A vfork child's state is its parent's, which goes on as before; its
	 * dispositions are its own. */
	if (guard->thread->birth.shares_memory) {
		t2_signal_put_back();
		guard->thread->birth.is_confined = true;
		return true;
	}
	t2_signal_withdraw();
	atomic_store(&t2_state, T2_STATE_CONFINED);
	return true;
}

void t2_seccomp_end(struct t2_guard *guard, bool has_failed)
{
	if (!has_failed)
		return;
	if (guard->thread && guard->thread->birth.is_confined) {
		guard->thread->birth.is_confined = false;
		t2_guard_leave(guard);
		return;
	}
	atomic_store(&t2_state, guard->thread ? T2_STATE_ON : T2_STATE_PASSIVE);
	if (guard->thread)
		t2_signal_init(guard->pid);
	t2_guard_leave(guard);
}

T2_HOOK(int, prctl, (int option, ...))
{
	struct t2_guard guard;
	unsigned long args[4];
	va_list list;
	bool is_on;
	int ret;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		args[i] = va_arg(list, unsigned long);
	va_end(list);

	t2_guard_is_on();
	is_on = option == PR_SET_SECCOMP && t2_seccomp_begin(&guard);
	ret = t2_real_prctl()(option, args[0], args[1], args[2], args[3]);
	if (is_on) {
		t2_guard_after_real(&guard);
		t2_seccomp_end(&guard, ret < 0);
	}
	return ret;
}
