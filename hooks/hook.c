/* SPDX-License-Identifier: MIT */
#include "hooks/hook.h"

#include <errno.h>

#include "hooks/real.h"
#include "hooks/start.h"
#include "preload/pool.h"
#include "preload/sys.h"

_Atomic enum t2_state t2_state;

bool t2_guard_is_on(void)
{
	enum t2_state state = atomic_load_explicit(&t2_state, memory_order_acquire);

	if (state == T2_STATE_NEW) {
		t2_start_early();
		state = atomic_load(&t2_state);
	}
	if (!t2_real_is_ready())
		t2_real_fill();
	return state == T2_STATE_ON;
}

/*
 * A child that shared this memory has gone: give back what it could not. Its
 * record stays; the reaper finds it, by pid or as the one without.
 */
static void settle(struct t2_thread *thread)
{
	t2_pool_release(&thread->birth.environment);
	t2_pool_release(&thread->birth.attempt);
	thread->birth.parent = NULL;
}

static struct t2_stream *find_stream(struct t2_guard *guard)
{
	struct t2_thread *thread = guard->thread;

	if (t2_main.session.pid == guard->pid && !t2_main.session.is_foreign) {
		t2_overlay_drop(thread);
		return &t2_main;
	}
	if (thread->overlay && thread->overlay->session.pid == guard->pid)
		return thread->overlay;
	return NULL;
}

bool t2_guard_enter(struct t2_guard *guard)
{
	if (!t2_guard_is_on())
		return false;
	guard->saved_errno = errno;
	guard->thread = t2_thread_self();
	guard->pid = t2_sys_getpid();
	guard->stream = find_stream(guard);
	if (guard->stream && guard->thread->birth.shares_memory &&
	    guard->thread->birth.parent == guard->stream)
		settle(guard->thread);
	/* A child that came into being unseen, by a raw system call: silent. */
	return guard->stream || guard->thread->birth.parent;
}

void t2_guard_before_real(struct t2_guard *guard)
{
	errno = guard->saved_errno;
}

void t2_guard_after_real(struct t2_guard *guard)
{
	guard->saved_errno = errno;
}

void t2_guard_leave(struct t2_guard *guard)
{
	errno = guard->saved_errno;
}

const char *t2_guard_thread_name(const struct t2_guard *guard)
{
	struct t2_thread *thread = guard->thread;

	if (!thread->name[0])
		t2_thread_begin(thread, &t2_main.session, "unknown", t2_clock_now().mono_ns);
	return thread->name;
}
