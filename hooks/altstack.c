/* SPDX-License-Identifier: MIT */
/*
 * A host's alternate stack may hold the kernel's frame and little more. A handler of
 * the host's that runs there and has a child or exits would overflow it in our hooks,
 * so nothing is recorded there. And a signal that only we handle would find no room
 * for its frame and be SIGSEGV instead of what it is, so from the first such stack on
 * nobody stands in for a default any more.
 */
#include "hooks/altstack.h"

#include <signal.h>

#include "hooks/hook.h"
#include "hooks/real.h"
#include "hooks/signal.h"
#include "preload/auxv.h"
#include "preload/limits.h"
#include "preload/sys.h"

/* What every machine's kernel takes at least (signal.h calls it so, unless it asks). */
#define LEAST_FRAME 2048

atomic_bool t2_altstack_has_small T2_PLACE_STATE;

static bool is_small(const stack_t *stack)
{
	unsigned long frame = t2_auxv_get(AT_MINSIGSTKSZ);

	return !(stack->ss_flags & SS_DISABLE) &&
	       stack->ss_size < (frame ? frame : LEAST_FRAME) + T2_HOOK_STACK;
}

bool t2_altstack_is_on_small(void)
{
	stack_t stack = {.ss_flags = 0};

	return T2_SYS(SYS_sigaltstack, NULL, &stack) == 0 && stack.ss_flags & SS_ONSTACK &&
	       is_small(&stack);
}

T2_HOOK(int, sigaltstack, (const stack_t *stack, stack_t *old))
{
	int ret = t2_real_sigaltstack()(stack, old);
	struct t2_guard guard;

	if (ret || !stack || !is_small(stack) || !t2_guard_enter(&guard))
		return ret;
	/* A vfork child's stack is its own, but its memory is not. */
	if (!guard.thread->birth.shares_memory) {
		atomic_store(&t2_altstack_has_small, true);
		t2_signal_withdraw();
	}
	t2_guard_leave(&guard);
	return ret;
}
