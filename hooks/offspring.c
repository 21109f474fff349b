/* SPDX-License-Identifier: MIT */
#include "hooks/offspring.h"

#include <string.h>
#include <sys/wait.h>

#include "hooks/birth.h"
#include "hooks/notice.h"

void t2_offspring_begin(struct t2_offspring *offspring, struct t2_guard *guard,
			enum t2_child_class child_class, bool use_shell, const char *const *argv)
{
	struct t2_stream *stream = t2_birth_own_session(guard);
	struct t2_announcement announcement = {
		.child_class = child_class,
		.use_shell = use_shell,
		.argv = argv,
		.when = t2_clock_now(),
	};
	const char *name = t2_guard_thread_name(guard);
	struct t2_child *record;

	memset(offspring, 0, sizeof(*offspring));
	if (!stream)
		return;
	announcement.child_id = atomic_fetch_add(&stream->session.next_child_id, 1);
	t2_notice_child_start(stream, name, &announcement);
	offspring->child_id = announcement.child_id;
	offspring->start = announcement.when;
	offspring->record = record = t2_child_claim();
	if (record) {
		record->child_id = announcement.child_id;
		record->child_class = child_class;
		record->start = announcement.when;
		memcpy(record->thread, name, sizeof(record->thread));
		atomic_store(&record->told, T2_ALL_TARGETS | T2_CHILD_SPEAKS);
	}
}

void t2_offspring_end(struct t2_offspring *offspring, struct t2_guard *guard, pid_t pid)
{
	int unborn = T2_CHILD_UNBORN;

	if (pid > 0 && offspring->record)
		atomic_compare_exchange_strong(&offspring->record->pid, &unborn, pid);
	else
		t2_child_release(offspring->record);
	if (pid < 0 && guard->stream)
		t2_notice_child_failed(guard->stream, t2_guard_thread_name(guard),
				       offspring->child_id, offspring->start);
}

int t2_offspring_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool t2_offspring_is_gone_info(const siginfo_t *info)
{
	return info->si_pid && (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
				info->si_code == CLD_DUMPED);
}

int t2_offspring_info_code(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED ? info->si_status : 128 + info->si_status;
}

bool t2_offspring_is_gone(int status)
{
	return WIFEXITED(status) || WIFSIGNALED(status);
}

static void tell_end(struct t2_guard *guard, struct t2_child *child, pid_t pid, int code,
		     const struct rusage *usage)
{
	struct t2_announcement announcement = {
		.child_id = child->child_id,
		.child_class = child->child_class,
		.when = child->start,
		.told = &child->told,
	};
	struct t2_ending ending = {
		.child_id = child->child_id,
		.pid = pid,
		.code = code,
		.since = child->start,
		.usage = usage,
	};

	if (t2_emit_targets(guard->stream) & ~atomic_load(&child->told))
		t2_notice_child_start(guard->stream, child->thread, &announcement);
	t2_notice_child_exit(guard->stream, t2_guard_thread_name(guard), &ending);
}

void t2_offspring_reaped(struct t2_guard *guard, pid_t pid, int code, const struct rusage *usage)
{
	struct t2_child child;

	if (!guard->stream || atomic_load(&guard->stream->session.has_ended))
		return;
	if (!t2_child_take(pid, &child)) {
		/* Not of our making: inherited over an exec, adopted, or made by a
		 * raw system call. It gets a number and no start. */
		memset(&child, 0, sizeof(child));
		child.child_id = atomic_fetch_add(&guard->stream->session.next_child_id, 1);
		atomic_store(&child.told, T2_ALL_TARGETS);
	}
	tell_end(guard, &child, pid, code, usage);
}

void t2_offspring_waited(pid_t pid, int code, const struct rusage *usage)
{
	struct t2_guard guard;

	if (!t2_guard_enter(&guard))
		return;
	t2_offspring_reaped(&guard, pid, code, usage);
	t2_guard_leave(&guard);
}
