/* SPDX-License-Identifier: MIT */
/*
 * The public API of preload/trace2.h: what the program says of itself.
 *
 * Saying something is something of one's own, so a forked child that has not
 * spoken yet becomes a session. A vfork child borrows its parent's memory, and
 * what it says is dropped.
 */
#include "preload/trace2.h"

#include <limits.h>

#include "hooks/birth.h"
#include "hooks/hook.h"
#include "hooks/tallies.h"
#include "preload/buf.h"
#include "preload/clock.h"
#include "preload/ledger.h"

/* One call: who makes it, where in its source. */
struct call {
	struct t2_guard guard;
	struct t2_stream *stream;
	struct t2_event event;
};

static bool enter(struct call *call)
{
	if (!t2_guard_enter(&call->guard) || call->guard.thread->birth.shares_memory)
		return false;
	call->stream = t2_birth_own_session(&call->guard);
	return call->stream && !atomic_load(&call->stream->session.has_ended);
}

static bool begin(struct call *call, enum t2_event_kind kind, const char *file, int line)
{
	if (!enter(call))
		return false;
	t2_event_init(&call->event, kind);
	call->event.file = file;
	call->event.line = line;
	return true;
}

static void end(struct call *call)
{
	t2_emit(call->stream, t2_guard_thread_name(&call->guard), &call->event, 1, T2_ALL_TARGETS,
		0);
	t2_guard_leave(&call->guard);
}

static void set_repo(struct t2_event *event, int repo)
{
	if (repo > 0)
		event->repo = repo;
}

static const char *text(const char *str)
{
	return str ? str : "";
}

static int is_enabled(void)
{
	return t2_guard_is_on();
}

static void cmd_name(const char *file, int line, const char *name)
{
	struct call call;

	if (!begin(&call, T2_EVENT_CMD_NAME, file, line))
		return;
	t2_session_add_name(&call.stream->session, text(name));
	call.event.u.cmd_name.name = text(name);
	call.event.u.cmd_name.hierarchy = t2_session_hierarchy(&call.stream->session);
	end(&call);
}

static void cmd_mode(const char *file, int line, const char *mode)
{
	struct call call;

	if (!begin(&call, T2_EVENT_CMD_MODE, file, line))
		return;
	call.event.u.cmd_mode.name = text(mode);
	end(&call);
}

static void cmd_alias(const char *file, int line, const char *alias, const char *const *argv)
{
	struct call call;

	if (!begin(&call, T2_EVENT_ALIAS, file, line))
		return;
	call.event.u.alias.alias = text(alias);
	call.event.u.alias.argv = argv;
	end(&call);
}

static void cmd_error(const char *file, int line, const char *msg, const char *fmt)
{
	struct call call;

	if (!begin(&call, T2_EVENT_ERROR, file, line))
		return;
	call.event.u.error.msg = text(msg);
	call.event.u.error.fmt = text(fmt);
	end(&call);
}

static void def_param(const char *file, int line, const char *param, const char *value)
{
	struct call call;

	if (!begin(&call, T2_EVENT_DEF_PARAM, file, line))
		return;
	call.event.u.def_param.scope = "unknown";
	call.event.u.def_param.param = text(param);
	call.event.u.def_param.value = value;
	end(&call);
}

static int def_repo(const char *file, int line, const char *worktree)
{
	struct call call;
	int repo;

	if (!begin(&call, T2_EVENT_DEF_REPO, file, line))
		return TRACE2_NO_REPO;
	repo = atomic_fetch_add(&call.stream->session.next_repo_id, 1);
	set_repo(&call.event, repo);
	call.event.u.def_repo.worktree = text(worktree);
	end(&call);
	return repo;
}

/* When the innermost open region began; outside of any, the thread. */
static uint64_t inner_start(struct t2_thread *thread)
{
	const struct t2_ledger *ledger = thread->ledger;
	unsigned nr = thread->nr_regions;

	if (!nr || !ledger)
		return thread->start_mono_ns;
	/* cppcheck-suppress negativeIndex; nr is not 0 here */
	return ledger->region_start_ns[(nr < T2_REGIONS_MAX ? nr : T2_REGIONS_MAX) - 1];
}

/* The moment of the event, and how long it is since the innermost region began. */
static void set_elapsed(struct call *call)
{
	struct t2_moment now = t2_clock_now();

	call->event.wall_ns = now.wall_ns;
	call->event.abs_ns = now.mono_ns;
	call->event.rel_ns = t2_clock_between(inner_start(call->guard.thread), now.mono_ns);
}

static void set_region(struct t2_event *event, const char *category, const char *label, int repo,
		       const char *msg)
{
	event->u.region.category = category;
	event->u.region.label = label;
	event->u.region.msg = msg;
	set_repo(event, repo);
}

/* Told first: the line of the enter stands at the outer level. */
static void open_region(struct call *call)
{
	struct t2_thread *thread = call->guard.thread;
	struct t2_ledger *ledger = t2_ledger_of(thread);
	uint64_t start_ns = t2_clock_now().mono_ns;

	end(call);
	if (ledger && thread->nr_regions < T2_REGIONS_MAX)
		ledger->region_start_ns[thread->nr_regions] = start_ns;
	if (thread->nr_regions < USHRT_MAX)
		thread->nr_regions++;
}

static void close_region(struct call *call)
{
	set_elapsed(call);
	if (call->guard.thread->nr_regions)
		call->guard.thread->nr_regions--;
	end(call);
}

static void region_enter(const char *file, int line, const char *category, const char *label,
			 int repo, const char *msg)
{
	struct call call;

	if (!begin(&call, T2_EVENT_REGION_ENTER, file, line))
		return;
	set_region(&call.event, category, label, repo, msg);
	open_region(&call);
}

static void region_leave(const char *file, int line, const char *category, const char *label,
			 int repo, const char *msg)
{
	struct call call;

	if (!begin(&call, T2_EVENT_REGION_LEAVE, file, line))
		return;
	set_region(&call.event, category, label, repo, msg);
	close_region(&call);
}

static void data_string(const char *file, int line, const char *category, int repo, const char *key,
			const char *value)
{
	struct call call;

	if (!begin(&call, T2_EVENT_DATA, file, line))
		return;
	set_elapsed(&call);
	call.event.u.data.category = text(category);
	call.event.u.data.key = text(key);
	call.event.u.data.value = text(value);
	set_repo(&call.event, repo);
	end(&call);
}

static void data_json(const char *file, int line, const char *category, int repo, const char *key,
		      const char *json)
{
	struct call call;

	if (!begin(&call, T2_EVENT_DATA_JSON, file, line))
		return;
	set_elapsed(&call);
	call.event.u.data_json.category = text(category);
	call.event.u.data_json.key = text(key);
	call.event.u.data_json.value = json && *json ? json : "null";
	set_repo(&call.event, repo);
	end(&call);
}

static void print(const char *file, int line, const char *msg)
{
	struct call call;

	if (!begin(&call, T2_EVENT_PRINTF, file, line))
		return;
	call.event.u.printf.msg = text(msg);
	end(&call);
}

static void timer_start(struct trace2_timer *timer)
{
	struct call call;
	struct t2_ledger *ledger;
	int index;

	if (!enter(&call))
		return;
	ledger = t2_ledger_of(call.guard.thread);
	index = t2_ledger_timer(&timer->slot, timer->category, timer->name, timer->wants_threads);
	if (ledger && index >= 0)
		t2_ledger_start(ledger, index, t2_clock_now().mono_ns);
	t2_guard_leave(&call.guard);
}

static void timer_stop(struct trace2_timer *timer)
{
	struct call call;
	struct t2_ledger *ledger;
	uint64_t now_ns;
	int index;

	if (!is_enabled())
		return;
	now_ns = t2_clock_now().mono_ns; /* first, so that our work is not in it */
	if (!enter(&call))
		return;
	ledger = t2_ledger_of(call.guard.thread);
	index = t2_ledger_timer(&timer->slot, timer->category, timer->name, timer->wants_threads);
	if (ledger && index >= 0)
		t2_ledger_stop(ledger, index, now_ns);
	t2_guard_leave(&call.guard);
}

static void counter_add(struct trace2_counter *counter, uint64_t value)
{
	struct call call;
	struct t2_ledger *ledger;
	int index;

	if (!enter(&call))
		return;
	ledger = t2_ledger_of(call.guard.thread);
	index = t2_ledger_counter(&counter->slot, counter->category, counter->name,
				  counter->wants_threads);
	if (ledger && index >= 0)
		ledger->counters[index] += value;
	t2_guard_leave(&call.guard);
}

#define PROC_ON "thread-proc on "

static void thread_start(const char *file, int line, const char *name)
{
	char msg[sizeof(PROC_ON) + T2_THREAD_NAME_SIZE + T2_NAME_MAX];
	struct t2_thread *thread;
	struct t2_buf out;
	struct call call;

	if (!begin(&call, T2_EVENT_REGION_ENTER, file, line))
		return;
	thread = call.guard.thread;
	if (!thread->name[0]) {
		t2_thread_begin(thread, &call.stream->session, text(name), t2_clock_now().mono_ns);
		thread->is_announced = true;
		call.event.kind = T2_EVENT_THREAD_START;
		end(&call);
		return;
	}
	t2_buf_init(&out, msg, sizeof(msg) - 1);
	t2_buf_put_str(&out, PROC_ON);
	t2_buf_put_str(&out, thread->name);
	t2_buf_put_str(&out, ": ");
	t2_buf_put_str(&out, text(name));
	msg[t2_buf_overflowed(&out) ? out.cap : out.len] = '\0';
	set_region(&call.event, NULL, NULL, TRACE2_NO_REPO, msg);
	thread->has_proc_region = true;
	open_region(&call);
}

static void thread_exit(const char *file, int line)
{
	char msg[sizeof(PROC_ON) + T2_THREAD_NAME_SIZE];
	struct t2_buf out;
	struct call call;

	if (!begin(&call, T2_EVENT_REGION_LEAVE, file, line))
		return;
	if (!call.guard.thread->has_proc_region) {
		t2_tallies_end_thread(call.stream, call.guard.thread);
		t2_guard_leave(&call.guard);
		return;
	}
	call.guard.thread->has_proc_region = false;
	t2_buf_init(&out, msg, sizeof(msg) - 1);
	t2_buf_put_str(&out, PROC_ON);
	t2_buf_put_str(&out, call.guard.thread->name);
	msg[t2_buf_overflowed(&out) ? out.cap : out.len] = '\0';
	set_region(&call.event, NULL, NULL, TRACE2_NO_REPO, msg);
	close_region(&call);
}

__attribute__((visibility("default"))) const struct trace2_api trace2_api_v1 = {
	.is_enabled = is_enabled,
	.cmd_name = cmd_name,
	.cmd_mode = cmd_mode,
	.cmd_alias = cmd_alias,
	.cmd_error = cmd_error,
	.def_param = def_param,
	.def_repo = def_repo,
	.region_enter = region_enter,
	.region_leave = region_leave,
	.data_string = data_string,
	.data_json = data_json,
	.print = print,
	.timer_start = timer_start,
	.timer_stop = timer_stop,
	.counter_add = counter_add,
	.thread_start = thread_start,
	.thread_exit = thread_exit,
};
