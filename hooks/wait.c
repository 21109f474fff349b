/* SPDX-License-Identifier: MIT */
/*
 * A child ended: told when it is reaped, never when it is only stopped,
 * continued or looked at.
 *
 * Every form goes through one that also tells what the child has used; all are
 * the same system call. The caller's own pointers are handed to it and read
 * only after success, so that a bad one still fails with EFAULT.
 */
#include <errno.h>

#include "hooks/hook.h"
#include "hooks/offspring.h"
#include "hooks/real.h"
#include "preload/libc.h"
#include "preload/sys.h"

static pid_t wait_any(pid_t pid, int *status, int options, struct rusage *usage)
{
	struct rusage own_usage;
	int own_status = 0;
	pid_t ret;

	status = status ? status : &own_status;
	/* cppcheck-suppress uninitvar; the call fills it */
	usage = usage ? usage : &own_usage;
	ret = t2_real_wait4()(pid, status, options, usage);
	if (ret > 0 && t2_offspring_is_gone(*status))
		t2_offspring_waited(ret, t2_offspring_code(*status), usage);
	return ret;
}

T2_HOOK(pid_t, wait, (int *status))
{
	return t2_guard_is_on() ? wait_any(-1, status, 0, NULL) : t2_real_wait()(status);
}

T2_HOOK(pid_t, __wait, (int *status))
{
	return t2_guard_is_on() ? wait_any(-1, status, 0, NULL) : t2_real___wait()(status);
}

T2_HOOK(pid_t, waitpid, (pid_t pid, int *status, int options))
{
	return t2_guard_is_on() ? wait_any(pid, status, options, NULL)
				: t2_real_waitpid()(pid, status, options);
}

T2_HOOK(pid_t, __waitpid, (pid_t pid, int *status, int options))
{
	return t2_guard_is_on() ? wait_any(pid, status, options, NULL)
				: t2_real___waitpid()(pid, status, options);
}

T2_HOOK(pid_t, wait3, (int *status, int options, struct rusage *usage))
{
	return t2_guard_is_on() ? wait_any(-1, status, options, usage)
				: t2_real_wait3()(status, options, usage);
}

T2_HOOK(pid_t, wait4, (pid_t pid, int *status, int options, struct rusage *usage))
{
	return t2_guard_is_on() ? wait_any(pid, status, options, usage)
				: t2_real_wait4()(pid, status, options, usage);
}

/* What the kernel writes, and no byte more. */
static void show(siginfo_t *info, const siginfo_t *found)
{
	info->si_signo = found->si_signo;
	info->si_errno = found->si_errno;
	info->si_code = found->si_code;
	info->si_pid = found->si_pid;
	info->si_uid = found->si_uid;
	info->si_status = found->si_status;
}

/*
 * libc's waitid does not pass on what the child used, and the raw call is no
 * cancellation point. So the one waits without reaping, and the other reaps
 * what it found. If somebody else was quicker, again.
 */
static int waitid_measured(idtype_t type, id_t id, siginfo_t *info, int options,
			   struct rusage *usage)
{
	for (;;) {
		siginfo_t found = {.si_pid = 0};
		int ret = t2_real_waitid()(type, id, &found, options | WNOWAIT);

		if (ret || !found.si_pid) {
			if (!ret)
				show(info, &found);
			return ret;
		}
		/* A descriptor names one child, and perhaps in another namespace. */
		ret = t2_sys_waitid(type == P_ALL || type == P_PGID ? P_PID : (int)type,
				    type == P_ALL || type == P_PGID ? (id_t)found.si_pid : id, info,
				    options | WNOHANG, usage);
		if (!ret && info->si_pid)
			return 0;
		if (ret && ret != -ECHILD) {
			*t2_errno() = -ret;
			return -1;
		}
	}
}

T2_HOOK(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options))
{
	siginfo_t own_info = {.si_pid = 0};
	siginfo_t *used = info ? info : &own_info;
	int saved_errno = *t2_errno();
	struct rusage usage;

	if (!t2_guard_is_on() || options & WNOWAIT || !(options & WEXITED))
		return t2_real_waitid()(type, id, info, options);
	if (waitid_measured(type, id, used, options, &usage))
		return -1;
	*t2_errno() = saved_errno;
	if (t2_offspring_is_gone_info(used))
		t2_offspring_waited(used->si_pid, t2_offspring_info_code(used), &usage);
	return 0;
}
