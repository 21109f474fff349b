/* SPDX-License-Identifier: MIT */
/*
 * popen(), and the two calls that end its stream and reap the shell inside
 * libc; wordexp(), which runs shells of its own.
 */
#include <errno.h>
#include <string.h>

#include "hooks/birth.h"
#include "hooks/handover.h"
#include "hooks/hook.h"
#include "hooks/notice.h"
#include "hooks/offspring.h"
#include "hooks/real.h"
#include "preload/sys.h"

/*
 * Behind its FILE, libc keeps a pointer to the stream's functions and then the
 * shell's pid (the same since glibc 2.1). Nothing public tells it, so the
 * number is believed only if the kernel knows a child of ours by it.
 */
#define PID_OFFSET (sizeof(FILE) + sizeof(void *))

static pid_t pid_of(const FILE *file)
{
	siginfo_t info;
	pid_t pid;

	memcpy(&pid, (const char *)file + PID_OFFSET, sizeof(pid));
	if (pid > 0 && !t2_sys_waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT, NULL))
		return pid;
	return 0;
}

static FILE *popen_recorded(struct t2_guard *guard, __typeof__(popen) *real, const char *command,
			    const char *mode)
{
	const char *const argv[] = {command, NULL};
	struct t2_offspring offspring;
	struct t2_loan loan;
	FILE *file;

	t2_offspring_begin(&offspring, guard, T2_CHILD_POPEN, true, argv);
	t2_loan_begin(&loan, guard->stream);

	t2_guard_before_real(guard);
	file = real(command, mode);
	t2_guard_after_real(guard);

	t2_loan_end(&loan);
	if (file && offspring.record)
		t2_child_set_file(offspring.record, file);
	t2_offspring_end(&offspring, guard, file ? pid_of(file) : -1);
	return file;
}

static FILE *popen_by(__typeof__(popen) *real, const char *command, const char *mode)
{
	struct t2_guard guard;
	struct t2_loan loan;
	FILE *file;

	if (t2_guard_enter(&guard)) {
		file = popen_recorded(&guard, real, command, mode);
		t2_guard_leave(&guard);
	} else if (t2_handover_is_needed()) {
		t2_loan_begin(&loan, NULL);
		file = real(command, mode);
		t2_loan_end(&loan);
	} else {
		file = real(command, mode);
	}
	return file;
}

T2_HOOK(FILE *, popen, (const char *command, const char *mode))
{
	t2_guard_is_on();
	return popen_by(t2_real.popen, command, mode);
}

T2_HOOK(FILE *, _IO_popen, (const char *command, const char *mode))
{
	t2_guard_is_on();
	return popen_by(t2_real._IO_popen, command, mode);
}

/*
 * @file ends, and with it its shell. The record is taken first: once the stream
 * is closed its address may be another's. What the shell has used is the
 * difference of all children; if another was reaped meanwhile, nobody can say.
 */
static int end_stream(struct t2_guard *guard, int (*real)(FILE *), FILE *file)
{
	struct rusage before, used;
	struct t2_child child;
	bool has_max_rss;
	unsigned nr_reaped;
	int ret;

	if (!t2_child_take_file(file, &child))
		return real(file);
	memset(&before, 0, sizeof(before));
	t2_sys_getrusage(RUSAGE_CHILDREN, &before);
	nr_reaped = t2_offspring_nr_reaped();

	t2_guard_before_real(guard);
	ret = real(file);
	t2_guard_after_real(guard);

	if (ret < 0 || !guard->stream || !t2_offspring_is_gone(ret))
		return ret;
	has_max_rss = t2_offspring_used_since(&before, &used);
	t2_offspring_told(guard, &child, child.pid, t2_offspring_code(ret),
			  nr_reaped == t2_offspring_nr_reaped() ? &used : NULL, has_max_rss);
	return ret;
}

static int end_stream_by(int (*real)(FILE *), FILE *file)
{
	struct t2_guard guard;
	int ret;

	if (!t2_guard_enter(&guard))
		return real(file);
	ret = end_stream(&guard, real, file);
	t2_guard_leave(&guard);
	return ret;
}

T2_HOOK(int, pclose, (FILE * file))
{
	t2_guard_is_on();
	return end_stream_by(t2_real.pclose, file);
}

T2_HOOK(int, fclose, (FILE * file))
{
	/* Called for every file of the host; only popen streams concern us. */
	if (t2_guard_is_on() && t2_child_has_files())
		return end_stream_by(t2_real.fclose, file);
	return t2_real.fclose(file);
}

/* Whether a shell will be needed: for $(command) and `command`. */
static bool has_command(const char *words, int flags)
{
	if (flags & WRDE_NOCMD)
		return false;
	for (; words && *words; words++) {
		if (*words == '`' || (words[0] == '$' && words[1] == '(' && words[2] != '('))
			return true;
	}
	return false;
}

/*
 * Its shells are made and reaped inside libc, one per command, and nobody tells
 * their pids: announced together, never reported as ended. They record
 * themselves all the same.
 */
T2_HOOK(int, wordexp, (const char *words, wordexp_t *expansion, int flags))
{
	const char *const argv[] = {words, NULL};
	struct t2_offspring offspring;
	struct t2_guard guard;
	struct t2_loan loan;
	int ret;

	if (!t2_guard_enter(&guard))
		return t2_real.wordexp(words, expansion, flags);
	if (!has_command(words, flags)) {
		t2_guard_leave(&guard);
		return t2_real.wordexp(words, expansion, flags);
	}
	t2_offspring_begin(&offspring, &guard, T2_CHILD_SYSTEM, true, argv);
	t2_loan_begin(&loan, guard.stream);

	t2_guard_before_real(&guard);
	ret = t2_real.wordexp(words, expansion, flags);
	t2_guard_after_real(&guard);

	t2_loan_end(&loan);
	t2_offspring_end(&offspring, &guard, 0);
	t2_guard_leave(&guard);
	return ret;
}
