/* SPDX-License-Identifier: MIT */
/*
 * The ways out. exit() and a return from main end in our on_exit handler, which
 * is registered first and so runs last; the others run no handler and are told
 * here.
 */
#include "hooks/exit.h"

#include "hooks/birth.h"
#include "hooks/hook.h"
#include "hooks/notice.h"
#include "hooks/real.h"
#include "preload/libc.h"
#include "preload/sys.h"

/* quick_exit() does not tell its handlers the status. */
static _Atomic int quick_status;
static atomic_bool is_quick_registered;

void t2_exit_told(int status)
{
	struct t2_guard guard;
	struct t2_stream *stream;

	if (!t2_guard_enter(&guard))
		return;
	stream = t2_birth_own_session(&guard);
	if (stream)
		t2_notice_end(stream, t2_guard_thread_name(&guard), status, NULL);
	if (stream == &t2_main)
		t2_emit_shut();
	t2_guard_leave(&guard);
}

/*
 * From our last words to the end nothing may come between: a signal that does
 * would make the code we told a wrong one. It could as well have come a moment
 * later, when there was no process any more.
 */
void t2_exit_now(int status)
{
	const uint64_t all_signals = ~0UL;
	bool holds;

	if (!t2_guard_is_on())
		return;
	t2_sys_sigmask(SIG_BLOCK, &all_signals, NULL);
	/* A forked child's first words are its last. */
	holds = t2_birth_hold(&t2_thread_self()->birth);
	t2_exit_told(status);
	if (holds)
		t2_emit_let_go();
}

static void end_after_handlers(int status, void *unused)
{
	(void)unused;
	t2_exit_told(status);
}

static void end_quickly(void *unused)
{
	(void)unused;
	t2_exit_told(atomic_load(&quick_status));
}

void t2_exit_init(void)
{
	t2_libc_on_exit()(end_after_handlers, NULL);
}

void t2_exit_noted(int status)
{
	const struct t2_birth *birth;
	struct t2_guard guard;

	if (!t2_guard_is_on())
		return;
	birth = &t2_thread_self()->birth;
	/* In most processes only a time is kept, and where that is done by mistake
	 * (a fork nobody saw) nothing comes of it: no need to ask for the pid. */
	if (!birth->parent && !birth->shares_memory && !t2_emit_numbered(&t2_main)) {
		t2_notice_exit(&t2_main, "", status);
		return;
	}
	if (!t2_guard_enter(&guard))
		return;
	if (guard.stream)
		t2_notice_exit(guard.stream, t2_guard_thread_name(&guard), status);
	t2_guard_leave(&guard);
}

T2_HOOK(void, exit, (int status))
{
	t2_exit_noted(status);
	t2_real_exit()(status);
}

T2_HOOK(void, _exit, (int status))
{
	t2_exit_now(status);
	t2_real__exit()(status);
}

T2_HOOK(void, _Exit, (int status))
{
	t2_exit_now(status);
	t2_real__Exit()(status);
}

/* Before the program's first handler of its own, so that ours runs last. */
static void register_quick(void)
{
	if (t2_guard_is_on() && !atomic_exchange(&is_quick_registered, true))
		t2_real___cxa_at_quick_exit()(end_quickly, NULL);
}

T2_HOOK(int, __cxa_at_quick_exit, (void (*handler)(void *), void *object))
{
	register_quick();
	return t2_real___cxa_at_quick_exit()(handler, object);
}

static void quick(int status)
{
	atomic_store(&quick_status, status);
	register_quick();
	t2_exit_noted(status);
}

T2_HOOK_NEW(void, quick_exit, "GLIBC_2.24", (int status))
{
	quick(status);
	t2_real_quick_exit()(status);
}

#if T2_HAS_OLD_VERSIONS
/* It runs the destructors of thread-local C++ objects, the new one does not. */
T2_HOOK_OLD(void, quick_exit, "GLIBC_2.10", (int status))
{
	quick(status);
	t2_real_quick_exit_old()(status);
}
#endif
