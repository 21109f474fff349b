/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct t2_image *t2_process_last(const struct t2_process *process)
{
	return process->images.at[process->images.nr - 1];
}

const struct t2_vec *t2_image_argv(const struct t2_image *image)
{
	static const struct t2_vec nothing;

	while (!image->exec) {
		image = image->process->creator;
		if (!image)
			return &nothing;
	}
	return &image->argv;
}

const struct t2_record *t2_process_first_exec(const struct t2_process *process)
{
	for (size_t i = 0; i < process->images.nr; i++) {
		const struct t2_image *image = process->images.at[i];

		if (image->exec)
			return image->exec;
	}
	return NULL;
}

const char *t2_image_name(const struct t2_image *image)
{
	char *name = NULL;

	if (asprintf(&name, "pid %ld (%s%s)", image->process->pid, image->exec ? "" : "fork of ",
		     t2_vec_join(t2_image_argv(image), 100)) < 0)
		return "";
	return name;
}

static struct t2_image *add_image(struct t2_process *process, int64_t now_us)
{
	struct t2_image *image = t2_zalloc(sizeof(*image));

	image->process = process;
	image->previous = process->images.nr ? t2_process_last(process) : NULL;
	image->begin_us = image->end_us = now_us;
	t2_vec_add(&process->images, image);
	return image;
}

static struct t2_process *add_process(struct t2_history *history, struct t2_task *task)
{
	struct t2_process *process = t2_zalloc(sizeof(*process));

	process->pid = task->tid;
	process->reap_code = -1;
	task->process = process;
	t2_vec_add(&history->processes, process);
	return process;
}

/* The run of task number @tid that a clone which began at @seq has made. */
static struct t2_task *find_child(const struct t2_trace *trace, long tid, size_t seq)
{
	for (size_t i = 0; i < trace->tasks.nr; i++) {
		struct t2_task *task = trace->tasks.at[i];

		if (task->tid == tid && !task->is_linked && task->first_seq > seq)
			return task;
	}
	return NULL;
}

static int compare_ends(const void *a, const void *b)
{
	const struct t2_record *x = *(struct t2_record *const *)a;
	const struct t2_record *y = *(struct t2_record *const *)b;

	return x->end_seq < y->end_seq ? -1 : x->end_seq > y->end_seq;
}

/*
 * When a record takes effect. A new process is there before the call that made
 * it comes back, and may even be gone by then.
 */
static size_t effect_seq(const struct t2_record *record)
{
	switch (record->kind) {
	case T2_RECORD_CLONE:
	case T2_RECORD_EXIT:
	case T2_RECORD_ALIVE:
		return record->begin_seq;
	default:
		return record->end_seq;
	}
}

static int compare_effects(const void *a, const void *b)
{
	size_t x = effect_seq(*(struct t2_record *const *)a);
	size_t y = effect_seq(*(struct t2_record *const *)b);

	return x < y ? -1 : x > y;
}

/* The first run that nobody else has made, since @seq. */
static struct t2_task *find_orphan(const struct t2_trace *trace, size_t seq)
{
	for (size_t i = 0; i < trace->tasks.nr; i++) {
		struct t2_task *task = trace->tasks.at[i];

		if (!task->is_linked && task->first_seq > seq)
			return task;
	}
	return NULL;
}

/*
 * Where the process ended before strace could print what its clone came back with, the
 * child is there and nobody says whose it is.
 */
static void link_orphans(const struct t2_trace *trace)
{
	for (size_t i = 0; i < trace->records.nr; i++) {
		struct t2_record *record = trace->records.at[i];

		if (record->kind != T2_RECORD_CLONE || record->has_result)
			continue;
		record->u.clone.child = find_orphan(trace, record->begin_seq);
		if (record->u.clone.child)
			record->u.clone.child->is_linked = true;
	}
}

static void link_tasks(const struct t2_trace *trace)
{
	for (size_t i = 0; i < trace->records.nr; i++) {
		struct t2_record *record = trace->records.at[i];

		if (record->kind != T2_RECORD_CLONE || !record->has_result || record->result <= 0)
			continue;
		record->u.clone.child = find_child(trace, record->result, record->begin_seq);
		if (record->u.clone.child)
			record->u.clone.child->is_linked = true;
	}
	link_orphans(trace);
}

static enum t2_birth birth_of(const struct t2_record *record)
{
	if (record->u.clone.is_vfork && record->u.clone.has_stack && record->u.clone.has_vm)
		return T2_BIRTH_SPAWN;
	if (record->u.clone.is_vfork)
		return T2_BIRTH_VFORK;
	return record->u.clone.has_stack || record->u.clone.has_vm ? T2_BIRTH_CLONE : T2_BIRTH_FORK;
}

static void see_clone(struct t2_history *history, struct t2_process *process,
		      const struct t2_record *record)
{
	struct t2_image *image = t2_process_last(process);
	struct t2_process *child;

	if (record->has_result && record->result < 0)
		image->nr_failed_clones++;
	if (!record->u.clone.child)
		return;
	if (record->u.clone.is_thread) {
		record->u.clone.child->process = process;
		image->nr_threads++;
		return;
	}
	child = add_process(history, record->u.clone.child);
	child->birth = birth_of(record);
	child->creator = image;
	child->has_parent_flag = record->u.clone.has_parent_flag;
	child->cwd = process->cwd;
	add_image(child, record->begin_us);
	t2_vec_add(&image->children, child);
}

static void see_exec(struct t2_history *history, struct t2_process *process,
		     const struct t2_record *record)
{
	struct t2_image *image = t2_process_last(process);

	t2_vec_add(&image->attempts, record);
	if (!record->has_result) {
		image->dying = record;
		return;
	}
	if (record->result) {
		history->nr_failed_execs++;
		return;
	}
	history->nr_execs++;
	image->end = T2_END_EXEC;
	image->end_us = record->end_us;
	image = add_image(process, record->begin_us);
	image->exec = record;
	image->cwd = process->cwd;
	image->argv = record->u.exec.argv;
	image->has_argv = record->u.exec.has_argv;
}

/* The latest child of @process with @pid, if it is not reaped yet. */
static struct t2_process *unreaped_child(const struct t2_history *history,
					 const struct t2_process *process, long pid)
{
	struct t2_process *orphan = NULL;

	for (size_t i = history->processes.nr; i-- > 0;) {
		struct t2_process *child = history->processes.at[i];

		if (child->pid != pid || child->reaper || !child->creator)
			continue;
		if (child->creator->process == process)
			return child;
		orphan = child;
	}
	return orphan;
}

static void see_wait(struct t2_history *history, struct t2_process *process,
		     const struct t2_record *record)
{
	struct t2_process *child;

	if (record->u.wait.is_any) {
		for (size_t i = 0; i < history->processes.nr; i++) {
			child = history->processes.at[i];
			if (child->creator && child->creator->process == process)
				child->is_maybe_reaped = true;
		}
		return;
	}
	child = unreaped_child(history, process, record->u.wait.pid);
	if (!child)
		return;
	child->reaper = t2_process_last(process);
	child->reap_code = record->u.wait.code;
	t2_vec_add(&child->reaper->reaped, child);
	history->nr_reaped++;
}

static void see_chdir(struct t2_process *process, const char *path)
{
	char *joined = NULL;

	if (path[0] == '/')
		process->cwd = path;
	else if (asprintf(&joined, "%s/%s", process->cwd, path) > 0)
		process->cwd = joined;
}

static void see_ended(struct t2_process *process, const struct t2_record *record)
{
	struct t2_image *image = t2_process_last(process);

	if (record->task->tid != process->pid)
		return;
	process->is_over = true;
	image->end = record->u.ended.is_killed ? T2_END_KILLED : T2_END_EXIT;
	image->end_code = record->u.ended.code;
	image->end_us = record->end_us;
}

static void see_record(struct t2_history *history, const struct t2_record *record)
{
	struct t2_process *process = record->task->process;

	if (!process || process->is_over)
		return;
	switch (record->kind) {
	case T2_RECORD_EXEC:
		see_exec(history, process, record);
		break;
	case T2_RECORD_CLONE:
		see_clone(history, process, record);
		break;
	case T2_RECORD_EXIT:
		t2_process_last(process)->is_thread_exit = !record->u.exit.is_group;
		break;
	case T2_RECORD_WAIT:
		see_wait(history, process, record);
		break;
	case T2_RECORD_CHDIR:
		see_chdir(process, record->u.chdir.path);
		break;
	case T2_RECORD_LOADED:
		t2_process_last(process)->is_loaded = true;
		t2_process_last(process)->loaded_us = record->begin_us;
		break;
	case T2_RECORD_ALIVE:
		t2_process_last(process)->is_active = true;
		break;
	case T2_RECORD_PROBE:
		t2_process_last(process)->has_probed = true;
		break;
	case T2_RECORD_ENDED:
		see_ended(process, record);
		break;
	}
}

int t2_history_build(struct t2_history *ret_history, const struct t2_trace *trace, const char *cwd)
{
	const struct t2_record *first = trace->records.nr ? trace->records.at[0] : NULL;
	struct t2_process *root;

	if (!first || first->kind != T2_RECORD_EXEC)
		return -EINVAL;
	qsort(trace->records.at, trace->records.nr, sizeof(*trace->records.at), compare_ends);
	link_tasks(trace);
	qsort(trace->records.at, trace->records.nr, sizeof(*trace->records.at), compare_effects);
	first->task->is_linked = true;
	root = add_process(ret_history, first->task);
	root->cwd = cwd;
	add_image(root, first->begin_us);
	for (size_t i = 0; i < trace->records.nr; i++)
		see_record(ret_history, trace->records.at[i]);
	return 0;
}
