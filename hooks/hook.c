/* SPDX-License-Identifier: MIT */
#include "hooks/hook.h"

#include "hooks/altstack.h"
#include "hooks/birth.h"
#include "hooks/real.h"
#include "hooks/start.h"
#include "preload/libc.h"
#include "preload/limits.h"
#include "preload/pool.h"
#include "preload/sys.h"

_Atomic enum t2_state t2_state T2_PLACE_STATE;

bool t2_guard_is_on(void)
{
	enum t2_state state = atomic_load_explicit(&t2_state, memory_order_acquire);

	if (state == T2_STATE_NEW) {
		t2_start_early();
		state = atomic_load(&t2_state);
	}
	return state == T2_STATE_ON && t2_thread_has_storage();
}

/*
 * A child that shared this memory has gone: give back what it could not. Its
 * record stays; the reaper finds it, by pid or as the one without.
 */
static void settle(struct t2_thread *thread)
{
	t2_pool_release(&thread->birth.environment);
	t2_pool_release(&thread->birth.attempts);
	thread->birth.parent = NULL;
	thread->birth.shares_memory = false;
	thread->birth.is_confined = false;
}

/* Whether the child that shares this thread's memory must have gone by now. */
static bool is_parent(const struct t2_guard *guard)
{
	return guard->stream &&
	       (guard->stream == &t2_main || guard->stream == guard->thread->birth.parent);
}

static struct t2_stream *find_stream(struct t2_guard *guard)
{
	struct t2_thread *thread = guard->thread;

	if (t2_main.session.pid != guard->pid || t2_main.session.is_foreign)
		return t2_overlay_find(thread, guard->pid);
	t2_overlay_drop(thread);
	return &t2_main;
}

/* Asked for once, because a forked child would have to map libc's code for it. */
static int *host_errno(struct t2_thread *thread)
{
	if (!thread->errno_location)
		thread->errno_location = t2_errno();
	return thread->errno_location;
}

bool t2_guard_enter(struct t2_guard *guard)
{
	if (!t2_guard_is_on() || t2_altstack_is_tight())
		return false;
	guard->thread = t2_thread_self();
	guard->saved_errno = *host_errno(guard->thread);
	guard->pid = t2_sys_getpid();
	guard->stream = find_stream(guard);
	if (guard->thread->birth.shares_memory && is_parent(guard))
		settle(guard->thread);
	if (guard->thread->birth.is_confined)
		return false;
	/* A child that came into being unseen, by a raw system call: silent. */
	return guard->stream || guard->thread->birth.parent;
}

void t2_guard_before_real(struct t2_guard *guard)
{
	*host_errno(guard->thread) = guard->saved_errno;
}

void t2_guard_after_real(struct t2_guard *guard)
{
	guard->saved_errno = *host_errno(guard->thread);
}

void t2_guard_leave(struct t2_guard *guard)
{
	*host_errno(guard->thread) = guard->saved_errno;
}

const char *t2_guard_thread_name(const struct t2_guard *guard)
{
	struct t2_thread *thread = guard->thread;

	if (!thread->name[0])
		t2_thread_begin(thread, &t2_main.session, "unknown", t2_clock_now().mono_ns);
	return thread->name;
}
