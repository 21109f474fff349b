/* SPDX-License-Identifier: MIT */
/*
 * exec: one program becomes another.
 *
 * A session says so before and, if it comes back, after. A child that has not
 * spoken yet announces itself here, with the argv that will run; since a failed
 * attempt cannot be taken back, it first looks whether this one can succeed
 * (shells and language runtimes try every directory of PATH by hand).
 */
#include "hooks/exec.h"

#include <errno.h>
#include <string.h>

#include "hooks/attempts.h"
#include "hooks/birth.h"
#include "hooks/handover.h"
#include "hooks/hook.h"
#include "hooks/notice.h"
#include "hooks/real.h"
#include "preload/libc.h"
#include "preload/search.h"
#include "preload/sys.h"

static int call_real(const struct t2_exec *exec, char *const *envp)
{
	switch (exec->kind) {
	case T2_EXEC_PATH:
		return t2_real_execve()(exec->name, exec->argv, envp);
	case T2_EXEC_SEARCH:
		return t2_real_execvpe()(exec->name, exec->argv, envp);
	case T2_EXEC_FD:
		return t2_real_fexecve()(exec->fd, exec->argv, envp);
	case T2_EXEC_AT:
#if T2_GLIBC(34)
		return t2_real_execveat()(exec->fd, exec->name, exec->argv, envp, exec->flags);
#endif
	case T2_EXEC_AT_RAW:
		return (int)t2_real_syscall()(SYS_execveat, exec->fd, exec->name, exec->argv, envp,
					      exec->flags);
	case T2_EXEC_PATH_RAW:
		return (int)t2_real_syscall()(SYS_execve, exec->name, exec->argv, envp);
	}
	return -1;
}

/* The host's vector may not even leave room for ours: then it goes as it was. */
static int call_with(const struct t2_exec *exec, char *const *envp)
{
	int ret = call_real(exec, envp);

	if (ret < 0 && *t2_errno() == E2BIG && envp != exec->envp)
		ret = call_real(exec, exec->envp);
	return ret;
}

/* Before the real call. Returns the exec id, or -1 in a child that is silent so far. */
static int say_before(struct t2_guard *guard, const struct t2_exec *exec, const char *file)
{
	const char *const *argv = (const char *const *)exec->argv;

	if (guard->stream)
		return t2_notice_exec(guard->stream, t2_guard_thread_name(guard), exec->name, argv);
	if (file)
		t2_birth_announce(guard, argv);
	return -1;
}

static void say_after(struct t2_guard *guard, const struct t2_exec *exec, int exec_id)
{
	int error = guard->saved_errno;

	if (guard->stream)
		t2_notice_exec_result(guard->stream, t2_guard_thread_name(guard), exec_id, error);
	else
		t2_attempts_remember(&guard->thread->birth.attempts, exec->name,
				     (const char *const *)exec->argv, error);
}

/* A vfork child cannot give back what its parent's memory holds once it has gone. */
static void leave_to_parent(struct t2_guard *guard, const struct t2_handover *handover)
{
	if (guard->thread->birth.shares_memory)
		guard->thread->birth.environment = handover->environment;
}

static void take_back(struct t2_guard *guard)
{
	if (guard->thread->birth.shares_memory)
		guard->thread->birth.environment.mem = NULL;
}

/* What a relative name starts from. */
static int start_of(const struct t2_exec *exec)
{
	return exec->kind == T2_EXEC_PATH || exec->kind == T2_EXEC_SEARCH ||
			       exec->kind == T2_EXEC_PATH_RAW
		       ? AT_FDCWD
		       : exec->fd;
}

static int exec_recorded(struct t2_guard *guard, const struct t2_exec *exec)
{
	struct t2_search search = {
		.fd = start_of(exec),
		.name = exec->name,
		.flags = exec->flags,
		.uses_path = exec->kind == T2_EXEC_SEARCH,
		.is_fd = exec->kind == T2_EXEC_FD,
	};
	struct t2_handover handover;
	int exec_id, ret;

	t2_search_find(&search, guard->thread);
	t2_handover_begin(&handover, guard->stream ? guard->stream : guard->thread->birth.parent,
			  &search, exec->envp);
	exec_id = say_before(guard, exec, search.file);
	t2_search_release(&search);
	leave_to_parent(guard, &handover);

	/* It ends all other threads. */
	if (guard->stream == &t2_main)
		t2_emit_shut();
	t2_guard_before_real(guard);
	ret = call_with(exec, handover.envp);
	t2_guard_after_real(guard);
	if (guard->stream == &t2_main)
		t2_emit_reopen();

	take_back(guard);
	t2_handover_end(&handover);
	say_after(guard, exec, exec_id);
	return ret;
}

/* Nothing is recorded here, but children further down may be. */
static int exec_unrecorded(const struct t2_exec *exec)
{
	struct t2_search search = {.name = exec->name,
				   .fd = start_of(exec),
				   .flags = exec->flags,
				   .is_fd = exec->kind == T2_EXEC_FD,
				   .uses_path = exec->kind == T2_EXEC_SEARCH};
	struct t2_handover handover;
	int saved_errno = *t2_errno();
	int ret;

	if (t2_handover_may_look())
		t2_search_find(&search, &search);
	t2_handover_begin(&handover, NULL, &search, exec->envp);
	t2_search_release(&search);
	*t2_errno() = saved_errno;
	ret = call_with(exec, handover.envp);
	saved_errno = *t2_errno();
	t2_handover_end(&handover);
	*t2_errno() = saved_errno;
	return ret;
}

int t2_exec(const struct t2_exec *exec)
{
	struct t2_guard guard;
	int ret;

	if (t2_is_wild(exec->name) || t2_is_wild(exec->argv) || t2_is_wild(exec->envp)) {
		t2_guard_is_on();
		return call_real(exec, exec->envp);
	}
	if (!t2_guard_enter(&guard))
		return t2_handover_is_needed() ? exec_unrecorded(exec)
					       : call_real(exec, exec->envp);
	ret = exec_recorded(&guard, exec);
	t2_guard_leave(&guard);
	return ret;
}

T2_HOOK(int, execve, (const char *path, char *const argv[], char *const envp[]))
{
	return t2_exec(
		&(struct t2_exec){.kind = T2_EXEC_PATH, .name = path, .argv = argv, .envp = envp});
}

T2_HOOK(int, execv, (const char *path, char *const argv[]))
{
	return t2_exec(&(struct t2_exec){
		.kind = T2_EXEC_PATH, .name = path, .argv = argv, .envp = *t2_environ()});
}

T2_HOOK(int, execvpe, (const char *file, char *const argv[], char *const envp[]))
{
	return t2_exec(&(struct t2_exec){
		.kind = T2_EXEC_SEARCH, .name = file, .argv = argv, .envp = envp});
}

T2_HOOK(int, execvp, (const char *file, char *const argv[]))
{
	return t2_exec(&(struct t2_exec){
		.kind = T2_EXEC_SEARCH, .name = file, .argv = argv, .envp = *t2_environ()});
}

T2_HOOK(int, fexecve, (int fd, char *const argv[], char *const envp[]))
{
	return t2_exec(&(struct t2_exec){.kind = T2_EXEC_FD, .fd = fd, .argv = argv, .envp = envp});
}

#if T2_GLIBC(34)
T2_HOOK(int, execveat,
	(int fd, const char *path, char *const argv[], char *const envp[], int flags))
{
	return t2_exec(&(struct t2_exec){.kind = T2_EXEC_AT,
					 .fd = fd,
					 .name = path,
					 .argv = argv,
					 .envp = envp,
					 .flags = flags});
}
#endif
