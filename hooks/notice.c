/* SPDX-License-Identifier: MIT */
#include "hooks/notice.h"

#include <errno.h>
#include <string.h>

#include "hooks/tallies.h"
#include "preload/ancestry.h"
#include "preload/argv.h"
#include "preload/buf.h"
#include "preload/pool.h"
#include "preload/str.h"
#include "preload/sys.h"
#include "preload/thread.h"
#include "preload/version.h"

/* An event that names the line which made it, as git's do. */
#define EVENT(event, kind) event_here(event, T2_EVENT_##kind, __LINE__)

static struct t2_event *event_here(struct t2_event *event, enum t2_event_kind kind, int line)
{
	t2_event_init(event, kind);
	event->file = __FILE__;
	event->line = line;
	return event;
}

/* t2_emit() takes a monotonic reading in abs_ns where wall_ns is set. */
static void set_time(struct t2_event *event, struct t2_moment when)
{
	event->wall_ns = when.wall_ns;
	event->abs_ns = when.mono_ns;
}

/* From @start to now, both cut to microseconds as git's are. */
static uint64_t elapsed(uint64_t start_mono_ns)
{
	return t2_clock_between(start_mono_ns, t2_clock_now().mono_ns);
}

/* The working directory, in memory to be released; NULL where it has no path. */
static const char *current_directory(struct t2_block *ret_block, const void *owner)
{
	ssize_t len;

	if (t2_pool_claim(ret_block, T2_PATH_BLOCK_SIZE, owner))
		return NULL;
	len = t2_sys_getcwd(ret_block->mem, ret_block->size);
	if (len == -ERANGE) {
		t2_pool_release(ret_block);
		if (t2_pool_claim(ret_block, T2_PATH_SIZE, owner))
			return NULL;
		len = t2_sys_getcwd(ret_block->mem, ret_block->size);
	}
	return len > 0 ? ret_block->mem : NULL;
}

/* Without the parameters. */
#define START_EVENTS 6

static struct t2_event *put_param(struct t2_event *next, const char *scope, const char *name,
				  const char *value)
{
	EVENT(next, DEF_PARAM);
	next->u.def_param.scope = scope;
	next->u.def_param.param = name;
	next->u.def_param.value = value;
	return next + 1;
}

/* The events of a beginning, into @next. Returns where they end. */
static struct t2_event *put_start(struct t2_event *next, const struct t2_beginning *beginning,
				  const char *const *argv, const char *const *ancestry,
				  const char *hierarchy, const char *cwd)
{
	next = EVENT(next, VERSION);
	next->u.version.evt = T2_EVENT_FORMAT;
	next++->u.version.exe = T2_VERSION;
	next = EVENT(next, CMD_PATH);
	next++->u.cmd_path.path = beginning->exe;
	if (ancestry) {
		next = EVENT(next, CMD_ANCESTRY);
		next++->u.cmd_ancestry.ancestry = ancestry;
	}
	next = EVENT(next, START);
	next++->u.start.argv = argv;
	next = EVENT(next, CMD_NAME);
	next->u.cmd_name.name = t2_str_base_name(hierarchy);
	next++->u.cmd_name.hierarchy = hierarchy;
	if (cwd)
		next = put_param(next, "unknown", "cwd", cwd);
	for (size_t i = 0; beginning->params && i < beginning->params->nr; i++) {
		const struct t2_param *param = &beginning->params->list[i];

		next = put_param(next, param->scope, param->name, param->value);
	}
	return next;
}

void t2_notice_start(struct t2_stream *stream, const char *thread_name,
		     const struct t2_beginning *beginning)
{
	const void *owner = t2_thread_self();
	const size_t nr = START_EVENTS + (beginning->params ? beginning->params->nr : 0);
	struct t2_event *events, *end;
	struct t2_block block, place = {0}, ancestors = {0};
	struct t2_argv argv = {0};
	const char *const *ancestry = NULL;
	const char *cwd;

	if (t2_pool_claim(&block, nr * sizeof(*events), owner))
		return;
	cwd = current_directory(&place, owner);
	if (beginning->has_ancestry && !t2_pool_claim(&ancestors, T2_BLOCK_SIZE, owner))
		ancestry = t2_ancestry_read(ancestors.mem, ancestors.size);
	if (!beginning->argv)
		t2_argv_read(&argv, beginning->exe, owner);
	events = (struct t2_event *)(void *)block.mem;
	end = put_start(events, beginning, beginning->argv ? beginning->argv : argv.vector,
			ancestry, t2_session_hierarchy(&stream->session), cwd);
	for (struct t2_event *event = events; event < end; event++)
		set_time(event, beginning->when);
	t2_emit(stream, thread_name, events, (size_t)(end - events), T2_ALL_TARGETS, 0);
	t2_argv_release(&argv);
	t2_pool_release(&ancestors);
	t2_pool_release(&place);
	t2_pool_release(&block);
}

void t2_notice_exit(struct t2_stream *stream, const char *thread_name, int code)
{
	struct t2_session *session = &stream->session;
	struct t2_event event;

	/* exit() inside an exit handler: the time of the first, the code of the
	 * last, which is the process's. */
	if (atomic_load(&session->has_exit))
		return;
	session->exit_time = t2_clock_now();
	atomic_store(&session->has_exit, true);
	/* Many programs close stderr in an exit handler, which runs before ours. */
	EVENT(&event, EXIT)->u.exit.code = code & 0xff;
	t2_emit(stream, thread_name, &event, 1, t2_emit_numbered(stream), 0);
}

static uint64_t microseconds(struct timeval tv)
{
	return (uint64_t)tv.tv_sec * 1000000 + (uint64_t)tv.tv_usec;
}

static inline void put_member(struct t2_buf *out, const char *key, uint64_t value)
{
	t2_buf_put_str(out, key);
	t2_buf_put_u64(out, value);
}

static void put_usage(struct t2_buf *out, const struct rusage *usage)
{
	put_member(out, "{\"user_us\":", microseconds(usage->ru_utime));
	put_member(out, ",\"sys_us\":", microseconds(usage->ru_stime));
	put_member(out, ",\"max_rss_kb\":", (uint64_t)usage->ru_maxrss);
	put_member(out, ",\"minor_faults\":", (uint64_t)usage->ru_minflt);
	put_member(out, ",\"major_faults\":", (uint64_t)usage->ru_majflt);
	put_member(out, ",\"in_blocks\":", (uint64_t)usage->ru_inblock);
	put_member(out, ",\"out_blocks\":", (uint64_t)usage->ru_oublock);
	put_member(out, ",\"voluntary_switches\":", (uint64_t)usage->ru_nvcsw);
	put_member(out, ",\"involuntary_switches\":", (uint64_t)usage->ru_nivcsw);
	t2_buf_put_char(out, '}');
}

void t2_notice_measure(struct t2_usage *usage)
{
	memset(usage, 0, sizeof(*usage));
	t2_sys_getrusage(RUSAGE_SELF, &usage->self);
	t2_sys_getrusage(RUSAGE_CHILDREN, &usage->children);
}

/* JSON of two rusages: at most 18 members of 45 bytes. */
#define USAGE_SIZE 832

static void put_usages(struct t2_buf *out, const struct t2_usage *usage)
{
	t2_buf_put_str(out, "{\"self\":");
	put_usage(out, &usage->self);
	t2_buf_put_str(out, ",\"children\":");
	put_usage(out, &usage->children);
	t2_buf_put(out, "}", 2);
}

void t2_notice_child_ready(struct t2_stream *stream, const char *thread_name,
			   const struct t2_child *child, pid_t pid, unsigned flags)
{
	struct t2_event event;

	EVENT(&event, CHILD_READY);
	event.u.child_ready.child_id = child->child_id;
	event.u.child_ready.pid = pid;
	event.u.child_ready.ready = "ready";
	event.rel_ns = elapsed(child->start.mono_ns);
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, flags);
}

/*
 * Who is still there when the parent ends; nobody will report them again. One
 * that has not spoken yet says so itself, if it ever speaks; what one could not
 * say is counted now.
 */
static void tell_children(struct t2_stream *stream, const char *thread_name)
{
	struct t2_child *child;

	for (unsigned i = 0; (child = t2_child_at(i)); i++) {
		int pid = atomic_load(&child->pid);
		unsigned told;

		if (pid <= 0)
			continue;
		told = atomic_fetch_or(&child->told, T2_CHILD_READY_DUE);
		t2_emit_note_lost(stream, told >> T2_TOLD_DROPPED & T2_ALL_TARGETS & ~told);
		if (told & T2_CHILD_SPEAKS)
			t2_notice_child_ready(stream, thread_name, child, pid, 0);
	}
}

static void tell_end(struct t2_stream *stream, const char *thread_name, int code, const char *usage)
{
	struct t2_session *session = &stream->session;
	struct t2_event events[3];
	unsigned told;

	EVENT(&events[0], EXIT)->u.exit.code = code & 0xff;
	if (atomic_load(&session->has_exit))
		set_time(&events[0], session->exit_time);
	EVENT(&events[1], DATA_JSON);
	events[1].rel_ns = elapsed(session->start.mono_ns);
	events[1].u.data_json.category = "process";
	events[1].u.data_json.key = "rusage";
	events[1].u.data_json.value = usage;
	EVENT(&events[2], ATEXIT)->u.exit.code = code & 0xff;
	told = atomic_load(&session->has_exit) ? t2_emit_numbered(stream) : 0;
	if (t2_tallies_are_used(t2_thread_self())) {
		/* What the program counted stands between exit and atexit, and only
		 * exit inside the regions it left open. */
		t2_emit(stream, thread_name, events, 1, T2_ALL_TARGETS & ~told, 0);
		t2_tallies_end_process(stream, t2_thread_self(), thread_name);
		told = T2_ALL_TARGETS;
	}
	t2_emit(stream, thread_name, events, 3, T2_ALL_TARGETS & ~told, 0);
	t2_emit(stream, thread_name, events + 1, 2, told, 0);
}

void t2_notice_end(struct t2_stream *stream, const char *thread_name, int code,
		   const struct t2_usage *usage)
{
	struct t2_block scratch;
	struct t2_usage now;
	struct t2_buf text;

	if (atomic_exchange(&stream->session.has_ended, true))
		return;
	if (t2_pool_claim(&scratch, USAGE_SIZE, t2_thread_self()))
		return;
	if (!usage)
		t2_notice_measure(&now);
	t2_buf_init(&text, scratch.mem, USAGE_SIZE);
	put_usages(&text, usage ? usage : &now);
	if (stream == &t2_main)
		tell_children(stream, thread_name);
	tell_end(stream, thread_name, code, text.base);
	t2_pool_release(&scratch);
}

void t2_notice_signal(struct t2_stream *stream, const char *thread_name, int signo)
{
	struct t2_event event;

	/* Also in the middle of an ordinary end, or just behind it: a process
	 * that is killed before the kernel let it exit has been killed. */
	atomic_store(&stream->session.has_ended, true);
	if (atomic_exchange(&stream->session.has_died, true))
		return;
	EVENT(&event, SIGNAL)->u.signal.signo = signo;
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
}

void t2_notice_child_start(struct t2_stream *stream, const char *thread_name,
			   const struct t2_announcement *announcement)
{
	struct t2_argv argv = {0};
	struct t2_event event;

	if (!announcement->argv)
		t2_argv_read(&argv, t2_str_base_name(t2_session_hierarchy(&stream->session)),
			     t2_thread_self());
	EVENT(&event, CHILD_START);
	event.u.child_start.child_id = announcement->child_id;
	event.u.child_start.child_class = t2_child_class_names[announcement->child_class];
	event.u.child_start.use_shell = announcement->use_shell;
	event.u.child_start.argv = announcement->argv ? announcement->argv : argv.vector;
	set_time(&event, announcement->when);
	if (announcement->told)
		t2_emit_once(stream, thread_name, &event, 1, announcement->told,
			     announcement->flags);
	else
		t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, announcement->flags);
	t2_argv_release(&argv);
}

void t2_notice_child_exit(struct t2_stream *stream, const char *thread_name,
			  const struct t2_ending *ending)
{
	struct t2_event event;

	EVENT(&event, CHILD_EXIT);
	event.u.child_exit.child_id = ending->child_id;
	event.u.child_exit.pid = ending->pid;
	event.u.child_exit.code = ending->code;
	event.rel_ns = ending->since.mono_ns ? elapsed(ending->since.mono_ns) : 0;
	if (ending->usage) {
		event.u.child_exit.user_ns = microseconds(ending->usage->ru_utime) * 1000;
		event.u.child_exit.sys_ns = microseconds(ending->usage->ru_stime) * 1000;
		event.u.child_exit.max_rss_kb = ending->usage->ru_maxrss;
	}
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
}

void t2_notice_child_failed(struct t2_stream *stream, const char *thread_name, int child_id,
			    struct t2_moment since)
{
	const struct t2_ending ending = {
		.child_id = child_id, .pid = -1, .code = -1, .since = since};

	t2_notice_child_exit(stream, thread_name, &ending);
}

static int make_exec(struct t2_event *event, struct t2_stream *stream, const char *exe,
		     const char *const *argv)
{
	int exec_id = atomic_fetch_add(&stream->session.next_exec_id, 1);

	EVENT(event, EXEC);
	event->u.exec.exec_id = exec_id;
	event->u.exec.exe = exe;
	event->u.exec.argv = argv;
	return exec_id;
}

static void make_exec_result(struct t2_event *event, int exec_id, int code)
{
	EVENT(event, EXEC_RESULT);
	event->u.exec_result.exec_id = exec_id;
	event->u.exec_result.code = code;
}

int t2_notice_exec(struct t2_stream *stream, const char *thread_name, const char *exe,
		   const char *const *argv)
{
	struct t2_event event;
	int exec_id = make_exec(&event, stream, exe, argv);

	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
	return exec_id;
}

void t2_notice_exec_result(struct t2_stream *stream, const char *thread_name, int exec_id, int code)
{
	struct t2_event event;

	make_exec_result(&event, exec_id, code);
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
}

void t2_notice_exec_failed(struct t2_stream *stream, const char *thread_name, const char *exe,
			   const char *const *argv, struct t2_moment when, int code)
{
	struct t2_event events[2];

	make_exec_result(&events[1], make_exec(&events[0], stream, exe, argv), code);
	set_time(&events[0], when);
	set_time(&events[1], when);
	t2_emit(stream, thread_name, events, 2, T2_ALL_TARGETS, 0);
}

void t2_notice_thread_start(struct t2_stream *stream, const char *thread_name)
{
	struct t2_event event;

	EVENT(&event, THREAD_START);
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
}

void t2_notice_thread_exit(struct t2_stream *stream, const char *thread_name,
			   uint64_t start_mono_ns)
{
	struct t2_event event;

	EVENT(&event, THREAD_EXIT);
	event.rel_ns = elapsed(start_mono_ns);
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
}
