/* SPDX-License-Identifier: MIT */
#include "hooks/birth.h"

#include <string.h>

#include "hooks/attempts.h"
#include "hooks/notice.h"
#include "preload/exe.h"
#include "preload/ledger.h"
#include "preload/pool.h"
#include "preload/sys.h"

/*
 * The session of a vfork child. It lives in a block of its own because t2_main,
 * in this very memory, is its parent's.
 */
struct overlay {
	struct t2_stream stream; /* first: the pointer in the thread is to this */
	struct t2_stream *outer; /* of the vfork child that made this one, or NULL */
	struct t2_block block;
};

static void pop_overlay(struct t2_thread *thread)
{
	struct overlay *overlay = (struct overlay *)thread->overlay;
	struct t2_block block = overlay->block;

	thread->overlay = overlay->outer;
	t2_pool_release(&block);
}

void t2_overlay_drop(struct t2_thread *thread)
{
	while (thread->overlay)
		pop_overlay(thread);
}

struct t2_stream *t2_overlay_find(struct t2_thread *thread, pid_t pid)
{
	struct t2_stream *found = thread->overlay;

	while (found && found->session.pid != pid)
		found = ((struct overlay *)found)->outer;
	while (found && thread->overlay != found)
		pop_overlay(thread);
	return found;
}

static struct t2_stream *push_overlay(struct t2_thread *thread)
{
	struct t2_block block;
	struct overlay *overlay;

	if (t2_pool_claim(&block, sizeof(*overlay), thread))
		return NULL;
	overlay = (struct overlay *)(void *)block.mem;
	overlay->block = block;
	overlay->outer = thread->overlay;
	return &overlay->stream;
}

void t2_birth_announce(struct t2_guard *guard, const char *const *argv)
{
	struct t2_birth *birth = &guard->thread->birth;
	struct t2_announcement announcement = {
		.child_id = birth->child_id,
		.child_class = birth->child_class,
		.argv = argv,
		.when = birth->start,
		.told = birth->record ? &birth->record->told : NULL,
		.flags = birth->shares_memory ? T2_EMIT_BORROWED : 0,
	};
	const char *name = t2_guard_thread_name(guard);
	unsigned before;
	int unborn = T2_CHILD_UNBORN;

	if (!birth->record)
		return; /* told by the parent beforehand */
	/* The parent of a vfork child cannot; that of a forked one would. */
	if (birth->shares_memory)
		atomic_compare_exchange_strong(&birth->record->pid, &unborn, guard->pid);
	before = atomic_fetch_or(&birth->record->told, T2_CHILD_SPEAKS);
	if (before & T2_CHILD_SPEAKS)
		return;
	t2_notice_child_start(birth->parent, name, &announcement);
	if (before & T2_CHILD_READY_DUE)
		t2_notice_child_ready(birth->parent, name, birth->record, guard->pid,
				      announcement.flags);
}

/* In a copy of the parent's memory: what was the parent's becomes ours. */
static struct t2_stream *take_over(struct t2_guard *guard)
{
	t2_child_reset();
	t2_ledger_reset(guard->thread);
	t2_pool_reset(guard->thread);
	return &t2_main;
}

static void begin_session(struct t2_guard *guard, struct t2_stream *stream)
{
	const struct t2_birth *birth = &guard->thread->birth;
	const struct t2_session *parent = &birth->parent->session;
	struct t2_beginning beginning = {.when = birth->start};
	struct t2_block block;

	beginning.exe = t2_exe_read(&block, guard->thread, NULL);
	if (!beginning.exe)
		return;
	t2_emit_inherit(stream, birth->parent, !birth->shares_memory);
	t2_session_begin(&stream->session, t2_session_sid(parent), t2_session_hierarchy(parent),
			 t2_exe_name(beginning.exe), guard->pid, birth->start);
	if (stream == &t2_main)
		t2_thread_begin_main(guard->thread, birth->start.mono_ns);
	t2_notice_start(stream, "main", &beginning);
	t2_pool_release(&block);
}

static struct t2_stream *become_session(struct t2_guard *guard)
{
	struct t2_thread *thread = guard->thread;
	struct t2_stream *stream;

	t2_birth_announce(guard, NULL);
	stream = thread->birth.shares_memory ? push_overlay(thread) : take_over(guard);
	if (!stream)
		return NULL;
	begin_session(guard, stream);
	t2_attempts_tell(&thread->birth.attempts, stream, "main");
	if (thread->birth.shares_memory)
		thread->overlay = stream;
	else
		t2_overlay_drop(thread);
	thread->birth.parent = NULL;
	return stream;
}

bool t2_birth_hold(const struct t2_birth *birth)
{
	return birth->parent && !birth->shares_memory && t2_emit_hold();
}

struct t2_stream *t2_birth_own_session(struct t2_guard *guard)
{
	const uint64_t all_signals = ~0UL;
	uint64_t mask;
	bool holds;

	if (guard->stream)
		return guard->stream;
	/* A handler in the middle of it would find half a session
	 * (tests/stress/killed.sh). */
	t2_sys_sigmask(SIG_BLOCK, &all_signals, &mask);
	holds = t2_birth_hold(&guard->thread->birth);
	guard->stream = become_session(guard);
	if (holds)
		t2_emit_let_go();
	t2_sys_sigmask(SIG_SETMASK, &mask, NULL);
	return guard->stream;
}

/* With the argv it inherits: nobody knows yet what it will run. */
static void speak_beforehand(struct t2_guard *guard)
{
	const struct t2_birth *birth = &guard->thread->birth;
	struct t2_announcement announcement = {
		.child_id = birth->child_id,
		.child_class = birth->child_class,
		.when = birth->start,
	};

	t2_notice_child_start(birth->parent, t2_guard_thread_name(guard), &announcement);
	if (birth->record)
		atomic_store(&birth->record->told, T2_ALL_TARGETS | T2_CHILD_SPEAKS);
}

/* There is no child. */
static void take_back(struct t2_guard *guard, const struct t2_birth *birth)
{
	int next = birth->child_id + 1;

	/* Nobody has seen the number if nobody has taken the next one. */
	if (t2_child_is_shared(birth->record))
		atomic_compare_exchange_strong(&birth->parent->session.next_child_id, &next,
					       birth->child_id);
	else
		t2_notice_child_failed(birth->parent, t2_guard_thread_name(guard), birth->child_id,
				       birth->start);
	t2_child_release(birth->record);
}

void t2_birth_begin(struct t2_guard *guard, enum t2_child_class child_class, bool shares_memory,
		    struct t2_birth *ret_saved)
{
	struct t2_stream *stream = t2_birth_own_session(guard);
	struct t2_birth *birth = &guard->thread->birth;
	struct t2_child *record;

	*ret_saved = *birth;
	memset(birth, 0, sizeof(*birth));
	if (!stream)
		return;
	birth->child_id = atomic_fetch_add(&stream->session.next_child_id, 1);
	birth->child_class = child_class;
	birth->shares_memory = shares_memory;
	birth->start = t2_clock_now();
	birth->parent = stream;
	birth->record = record = t2_child_claim();
	if (record) {
		record->child_id = birth->child_id;
		record->child_class = child_class;
		record->start = birth->start;
		memcpy(record->thread, t2_guard_thread_name(guard), sizeof(record->thread));
	}
	if (!t2_child_is_shared(record))
		speak_beforehand(guard);
}

void t2_birth_in_parent(struct t2_guard *guard, const struct t2_birth *saved, pid_t pid)
{
	struct t2_birth birth = guard->thread->birth;
	int unborn = T2_CHILD_UNBORN;

	guard->thread->birth = *saved;
	/* What a child in this memory could not give back. */
	t2_pool_release(&birth.environment);
	t2_pool_release(&birth.attempts);
	if (guard->stream == &t2_main)
		t2_overlay_drop(guard->thread);
	if (!birth.parent)
		return;
	if (pid < 0) {
		take_back(guard, &birth);
	} else if (birth.record) {
		/* Not if it has been reaped already, in another thread. */
		atomic_compare_exchange_strong(&birth.record->pid, &unborn, pid);
	}
}

void t2_birth_in_child(struct t2_guard *guard)
{
	t2_emit_fork();
	guard->stream = NULL;
	guard->pid = t2_sys_getpid();
}
