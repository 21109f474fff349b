/* SPDX-License-Identifier: MIT */
/*
 * popen(), and the two calls that end its stream and reap the shell: like
 * system(), libc's own tells nobody the pid and takes the environment from the
 * process, so we do it ourselves, as popen(3) describes it. The stream is an
 * ordinary one; the child table knows that a shell hangs on it.
 */
#include <errno.h>
#include <string.h>

#include "hooks/handover.h"
#include "hooks/hook.h"
#include "hooks/offspring.h"
#include "hooks/real.h"
#include "preload/libc.h"
#include "preload/limits.h"
#include "preload/slots.h"
#include "preload/sys.h"

/*
 * The streams we made and whose shell hangs on them. In the process's own
 * memory: a forked child has the stream, but not the shell.
 */
struct piped {
	_Atomic(FILE *) file; /* NULL: not open yet, or no more */
	pid_t pid;
};

static struct piped piped[T2_STREAMS_MAX] T2_PLACE_RARE;
static atomic_uint words[T2_SLOT_WORDS(T2_STREAMS_MAX)];
static const struct t2_slots slots = {words, T2_STREAMS_MAX};
static atomic_uint nr_piped; /* fclose() looks no further while it is 0 */

/* Take @file's entry away. Returns the pid of its shell, or 0. */
static pid_t take_piped(FILE *file)
{
	if (!atomic_load_explicit(&nr_piped, memory_order_relaxed))
		return 0;
	for (unsigned i = 0; i < T2_STREAMS_MAX; i++) {
		FILE *wanted = file;
		pid_t pid = piped[i].pid;

		if (!atomic_compare_exchange_strong(&piped[i].file, &wanted, NULL))
			continue;
		t2_slots_release(&slots, i);
		atomic_fetch_sub(&nr_piped, 1);
		return pid;
	}
	return 0;
}

struct request {
	bool is_read;
	bool keeps_on_exec; /* without "e" the parent's end is inherited, as ever */
	int parent_end, child_end;
};

/* "r" or "w", and "e" anywhere; anything else is an error. */
static bool parse_mode(struct request *request, const char *mode)
{
	bool is_read = false, is_write = false;

	request->keeps_on_exec = true;
	for (; *mode; mode++) {
		if (*mode == 'r')
			is_read = true;
		else if (*mode == 'w')
			is_write = true;
		else if (*mode == 'e')
			request->keeps_on_exec = false;
		else
			return false;
	}
	request->is_read = is_read;
	return is_read != is_write;
}

static int open_pipe(struct request *request)
{
	int ends[2];
	int ret = (int)T2_SYS(SYS_pipe2, ends, O_CLOEXEC);
	int target = request->is_read ? STDOUT_FILENO : STDIN_FILENO;

	if (ret < 0)
		return -ret;
	request->parent_end = ends[!request->is_read];
	request->child_end = ends[request->is_read];
	/* In the child our end would be overwritten before it is closed. */
	if (request->parent_end == target) {
		int moved = t2_sys_fcntl(target, F_DUPFD_CLOEXEC, 0);

		t2_sys_close(target);
		if (moved < 0) {
			t2_sys_close(request->child_end);
			return -moved;
		}
		request->parent_end = moved;
	}
	return 0;
}

/* POSIX: the streams of earlier calls are closed in the new child. */
static int close_earlier(posix_spawn_file_actions_t *actions, const struct request *request)
{
	int target = request->is_read ? STDOUT_FILENO : STDIN_FILENO;
	int ret = 0;

	for (unsigned i = 0; !ret && atomic_load(&nr_piped) && i < T2_STREAMS_MAX; i++) {
		FILE *file = atomic_load(&piped[i].file);
		int fd = file ? t2_libc_fileno_unlocked()(file) : -1;

		if (fd >= 0 && fd != request->child_end && fd != target)
			ret = t2_libc_posix_spawn_file_actions_addclose()(actions, fd);
	}
	return ret;
}

/* Returns 0 or an errno. */
static int spawn_shell(const struct request *request, const char *command, char *const *envp,
		       pid_t *ret_pid)
{
	char *const argv[] = {
		(char *)"sh",
		(char *)"-c",
#if T2_GLIBC(38)
		(char *)"--",
#endif
		(char *)command,
		NULL
	};
	posix_spawn_file_actions_t actions;
	int ret;

	ret = t2_libc_posix_spawn_file_actions_init()(&actions);
	if (ret)
		return ret;
	/* Onto itself, this clears close-on-exec. */
	ret = t2_libc_posix_spawn_file_actions_adddup2()(
		&actions, request->child_end, request->is_read ? STDOUT_FILENO : STDIN_FILENO);
	if (!ret)
		ret = close_earlier(&actions, request);
	if (!ret)
		ret = t2_real_posix_spawn()(ret_pid, "/bin/sh", &actions, NULL, argv, envp);
	t2_libc_posix_spawn_file_actions_destroy()(&actions);
	/* Whatever it was, libc's says so since it spawns. */
	return ret && T2_GLIBC(29) ? ENOMEM : ret;
}

/* Returns 0 or an errno; whatever was opened is closed then. */
static int start(struct t2_guard *guard, struct request *request, const char *command,
		 FILE **ret_file, pid_t *ret_pid)
{
	struct t2_handover handover;
	FILE *file;
	int ret = open_pipe(request);

	if (ret)
		return ret;
	file = t2_libc_fdopen()(request->parent_end, request->is_read ? "r" : "w");
	ret = file ? 0 : *t2_errno();
	if (!ret) {
		t2_handover_begin(&handover, guard->stream, NULL, *t2_environ());
		ret = spawn_shell(request, command, handover.envp, ret_pid);
		t2_handover_end(&handover);
	}
	t2_sys_close(request->child_end);
	if (!ret) {
		if (request->keeps_on_exec)
			t2_sys_fcntl(request->parent_end, F_SETFD, 0);
		*ret_file = file;
	} else if (file) {
		t2_real_fclose()(file);
	} else {
		t2_sys_close(request->parent_end);
	}
	return ret;
}

static FILE *popen_recorded(struct t2_guard *guard, struct request *request, unsigned slot,
			    const char *command)
{
	const char *const argv[] = {command, NULL};
	struct t2_offspring offspring;
	FILE *file = NULL;
	pid_t pid = -1;
	int error;

	t2_offspring_begin(&offspring, guard, T2_CHILD_POPEN, true, argv);
	error = start(guard, request, command, &file, &pid);
	t2_offspring_end(&offspring, guard, error ? -1 : pid);
	if (error) {
		guard->saved_errno = error;
		t2_slots_release(&slots, slot);
		return NULL;
	}
	piped[slot].pid = pid;
	atomic_store(&piped[slot].file, file);
	atomic_fetch_add(&nr_piped, 1);
	return file;
}

static FILE *popen_unrecorded(__typeof__(popen) *real, const char *command, const char *mode)
{
	struct t2_loan loan;
	FILE *file;

	if (!t2_handover_is_needed())
		return real(command, mode);
	t2_loan_begin(&loan, NULL);
	file = real(command, mode);
	t2_loan_end(&loan);
	return file;
}

static FILE *popen_by(__typeof__(popen) *real, const char *command, const char *mode)
{
	struct request request;
	struct t2_guard guard;
	unsigned slot;
	FILE *file;

	/* What libc refuses, and what we have no room for, is libc's. */
	if (!t2_guard_is_on() || !command || !mode || !parse_mode(&request, mode) ||
	    !t2_slots_claim(&slots, &slot))
		return popen_unrecorded(real, command, mode);
	if (!t2_guard_enter(&guard)) {
		t2_slots_release(&slots, slot);
		return popen_unrecorded(real, command, mode);
	}
	file = popen_recorded(&guard, &request, slot, command);
	t2_guard_leave(&guard);
	return file;
}

T2_HOOK(FILE *, popen, (const char *command, const char *mode))
{
	t2_guard_is_on();
	return popen_by(t2_real_popen(), command, mode);
}

T2_HOOK(FILE *, _IO_popen, (const char *command, const char *mode))
{
	t2_guard_is_on();
	return popen_by(t2_real__IO_popen(), command, mode);
}

/* Close the stream, then wait for its shell; not a point of cancellation. */
static int end_shell(FILE *file, pid_t pid)
{
	struct rusage usage;
	int status = -1;
	long ret;

	t2_real_fclose()(file);
	do {
		ret = T2_SYS(SYS_wait4, pid, &status, 0, &usage);
	} while (ret == -EINTR);
	if (ret < 0) {
		*t2_errno() = (int)-ret;
		return -1;
	}
	t2_offspring_waited(pid, t2_offspring_code(status), &usage);
	return status;
}

static int end_by(int (*real)(FILE *), FILE *file)
{
	pid_t pid = take_piped(file);

	return pid ? end_shell(file, pid) : real(file);
}

T2_HOOK(int, pclose, (FILE * file))
{
	t2_guard_is_on();
	return end_by(t2_real_pclose(), file);
}

T2_HOOK(int, fclose, (FILE * file))
{
	t2_guard_is_on();
	return end_by(t2_real_fclose(), file);
}
