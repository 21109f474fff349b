/* SPDX-License-Identifier: MIT */
/*
 * fork() and friends: one process becomes two. vfork() is in vfork_<arch>.S,
 * because no C function may be on the stack when it returns twice.
 */
#include "hooks/birth.h"
#include "hooks/hook.h"
#include "hooks/notice.h"
#include "hooks/real.h"
#include "preload/sys.h"

/* Nearly every child calls one of them: looked up now, and not in each of them. */
static void look_ahead(void)
{
	t2_real_execve();
	t2_real__exit();
}

static pid_t fork_by(pid_t (*real)(void))
{
	struct t2_birth saved;
	struct t2_guard guard;
	pid_t pid;

	if (!t2_guard_enter(&guard))
		return real();
	look_ahead();
	t2_birth_begin(&guard, T2_CHILD_FORK, false, &saved);

	t2_guard_before_real(&guard);
	pid = real();
	t2_guard_after_real(&guard);

	if (pid)
		t2_birth_in_parent(&guard, &saved, pid);
	else
		t2_birth_in_child(&guard);
	t2_guard_leave(&guard);
	return pid;
}

T2_HOOK(pid_t, fork, (void))
{
	/* Read behind the guard's back it could still be NULL. */
	t2_guard_is_on();
	return fork_by(t2_real_fork());
}

T2_HOOK(pid_t, __fork, (void))
{
	t2_guard_is_on();
	return fork_by(t2_real___fork());
}

#if T2_GLIBC(34)
T2_HOOK(pid_t, _Fork, (void))
{
	t2_guard_is_on();
	return fork_by(t2_real__Fork());
}
#endif

T2_HOOK(int, forkpty,
	(int *amaster, char *name, const struct termios *termp, const struct winsize *winp))
{
	struct t2_birth saved;
	struct t2_guard guard;
	pid_t pid;

	if (!t2_guard_enter(&guard))
		return t2_real_forkpty()(amaster, name, termp, winp);
	look_ahead();
	t2_birth_begin(&guard, T2_CHILD_FORK, false, &saved);

	t2_guard_before_real(&guard);
	pid = t2_real_forkpty()(amaster, name, termp, winp);
	t2_guard_after_real(&guard);

	if (pid)
		t2_birth_in_parent(&guard, &saved, pid);
	else
		t2_birth_in_child(&guard);
	t2_guard_leave(&guard);
	return pid;
}

/*
 * daemon() leaves its parent by an _exit() inside libc, where nobody can say
 * so. The child, which knows that it worked, speaks for it.
 */
T2_HOOK(int, daemon, (int nochdir, int noclose))
{
	struct t2_usage usage;
	struct t2_birth saved;
	struct t2_guard guard;
	int ret;

	if (!t2_guard_enter(&guard))
		return t2_real_daemon()(nochdir, noclose);
	t2_birth_begin(&guard, T2_CHILD_FORK, false, &saved);
	t2_notice_measure(&usage);

	t2_guard_before_real(&guard);
	ret = t2_real_daemon()(nochdir, noclose);
	t2_guard_after_real(&guard);

	if (t2_sys_getpid() == guard.pid) {
		t2_birth_in_parent(&guard, &saved, -1);
	} else {
		const char *name = t2_guard_thread_name(&guard);

		t2_birth_announce(&guard, NULL);
		if (guard.thread->birth.record)
			atomic_store(&guard.thread->birth.record->pid, t2_sys_getpid());
		t2_notice_end(guard.stream, name, 0, &usage);
		t2_birth_in_child(&guard);
		t2_birth_own_session(&guard);
	}
	t2_guard_leave(&guard);
	return ret;
}
