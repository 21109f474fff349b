/* SPDX-License-Identifier: MIT */
/*
 * What vfork_<arch>.S calls before it jumps to the real vfork().
 */
#include "hooks/vfork.h"

#include "hooks/birth.h"
#include "hooks/hook.h"
#include "hooks/real.h"

void *t2_vfork_prepare(void)
{
	t2_vfork_announce(T2_CHILD_VFORK);
	return (void *)t2_real_vfork();
}

void t2_vfork_announce(enum t2_child_class child_class)
{
	struct t2_birth saved;
	struct t2_guard guard;

	if (!t2_guard_enter(&guard))
		return;
	/* What was saved is not restored: nobody of ours returns in the parent. */
	t2_birth_begin(&guard, child_class, true, &saved);
	t2_guard_leave(&guard);
}
