/* SPDX-License-Identifier: MIT */
/*
 * posix_spawn: another process from the start. What will run is known, so it is
 * announced before the call.
 *
 * The two versions differ (the old one runs a text file without #! through the
 * shell, the new one fails), so each hook leads to its own.
 */
#include <errno.h>
#include <fcntl.h>

#include "hooks/handover.h"
#include "hooks/hook.h"
#include "hooks/offspring.h"
#include "hooks/real.h"
#include "preload/libc.h"

#define SPAWN_ARGS                                                                                 \
	(pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,                 \
	 const posix_spawnattr_t *attr, char *const argv[], char *const envp[])

typedef int spawn_fn SPAWN_ARGS;

/* The arguments of one call, and whose number comes back. */
struct spawn {
	spawn_fn *real;
	pid_t *pid;
	const char *file;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attr;
	char *const *argv;
	char *const *envp;
	bool uses_path;
};

static int call_with(const struct spawn *spawn, char *const *envp)
{
	int ret = spawn->real(spawn->pid, spawn->file, spawn->actions, spawn->attr, spawn->argv,
			      envp);

	if (ret == E2BIG && envp != spawn->envp)
		ret = spawn->real(spawn->pid, spawn->file, spawn->actions, spawn->attr, spawn->argv,
				  spawn->envp);
	return ret;
}

/* With the environment for a child of @stream; NULL: of a program passed through. */
static int call_edited(const struct spawn *spawn, const struct t2_stream *stream)
{
	struct t2_search search = {
		.fd = AT_FDCWD, .name = spawn->file, .uses_path = spawn->uses_path};
	struct t2_handover handover;
	int saved_errno = *t2_errno();
	int ret;

	if (t2_handover_may_look())
		t2_search_find(&search, t2_thread_self());
	t2_handover_begin(&handover, stream, &search, spawn->envp);
	t2_search_release(&search);
	*t2_errno() = saved_errno;
	ret = call_with(spawn, handover.envp);
	saved_errno = *t2_errno();
	t2_handover_end(&handover);
	*t2_errno() = saved_errno;
	return ret;
}

static int spawn_recorded(struct t2_guard *guard, const struct spawn *spawn,
			  pid_t (*pid_of)(int descriptor))
{
	struct t2_offspring offspring;
	struct spawn asked = *spawn;
	pid_t pid = -1;
	int ret;

	/* The host may not want the number; we do. */
	if (!asked.pid)
		asked.pid = &pid;
	t2_offspring_begin(&offspring, guard, T2_CHILD_SPAWN, false,
			   (const char *const *)spawn->argv);

	t2_guard_before_real(guard);
	ret = call_edited(&asked, guard->stream);
	t2_guard_after_real(guard);

	t2_offspring_end(&offspring, guard, ret ? -1 : pid_of ? pid_of(*asked.pid) : *asked.pid);
	return ret;
}

static int spawn_any(struct spawn spawn, pid_t (*pid_of)(int descriptor))
{
	struct t2_guard guard;
	int ret;

	if (t2_is_wild(spawn.file) || t2_is_wild(spawn.argv) || t2_is_wild(spawn.envp))
		return call_with(&spawn, spawn.envp);
	if (!t2_guard_enter(&guard))
		return t2_handover_is_needed() ? call_edited(&spawn, NULL)
					       : call_with(&spawn, spawn.envp);
	ret = spawn_recorded(&guard, &spawn, pid_of);
	t2_guard_leave(&guard);
	return ret;
}

T2_HOOK_NEW(int, posix_spawn, "GLIBC_2.15", SPAWN_ARGS)
{
	t2_guard_is_on();
	return spawn_any(
		(struct spawn){t2_real_posix_spawn(), pid, file, actions, attr, argv, envp, false},
		NULL);
}

T2_HOOK_NEW(int, posix_spawnp, "GLIBC_2.15", SPAWN_ARGS)
{
	t2_guard_is_on();
	return spawn_any(
		(struct spawn){t2_real_posix_spawnp(), pid, file, actions, attr, argv, envp, true},
		NULL);
}

#if T2_HAS_OLD_VERSIONS
T2_HOOK_OLD(int, posix_spawn, "GLIBC_2.2.5", SPAWN_ARGS)
{
	t2_guard_is_on();
	return spawn_any((struct spawn){t2_real_posix_spawn_old(), pid, file, actions, attr, argv,
					envp, false},
			 NULL);
}

T2_HOOK_OLD(int, posix_spawnp, "GLIBC_2.2.5", SPAWN_ARGS)
{
	t2_guard_is_on();
	return spawn_any((struct spawn){t2_real_posix_spawnp_old(), pid, file, actions, attr, argv,
					envp, true},
			 NULL);
}
#endif

#if T2_GLIBC(39)
/* They give a descriptor; the number behind it is asked for. */
static pid_t pid_of_descriptor(int descriptor)
{
	pid_t (*pidfd_getpid_)(int) = (pid_t(*)(int))t2_real_find("pidfd_getpid");
	pid_t pid = pidfd_getpid_ ? pidfd_getpid_(descriptor) : 0;

	return pid > 0 ? pid : 0;
}

T2_HOOK(int, pidfd_spawn, SPAWN_ARGS)
{
	t2_guard_is_on();
	return spawn_any(
		(struct spawn){t2_real_pidfd_spawn(), pid, file, actions, attr, argv, envp, false},
		pid_of_descriptor);
}

T2_HOOK(int, pidfd_spawnp, SPAWN_ARGS)
{
	t2_guard_is_on();
	return spawn_any(
		(struct spawn){t2_real_pidfd_spawnp(), pid, file, actions, attr, argv, envp, true},
		pid_of_descriptor);
}
#endif
