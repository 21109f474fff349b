/* SPDX-License-Identifier: MIT */
#include "trace.h"
#include "call.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TID_MAX 4194304 /* the kernel's own upper bound */

/* What is going on in the tasks that are alive, by number. */
struct slot {
	struct t2_task *task;
	char *pending; /* first half of an unfinished call */
	size_t begin_seq;
	int64_t begin_us;
};

struct reader {
	struct t2_trace *trace;
	struct slot *slots;
	bool is_cut;
};

struct line {
	long tid;
	int64_t us;
	char *text;
};

static struct t2_record *add_record(struct reader *reader, struct slot *slot, int64_t us)
{
	struct t2_record *record = t2_zalloc(sizeof(*record));

	record->task = slot->task;
	record->begin_seq = record->end_seq = reader->trace->nr_lines;
	record->begin_us = record->end_us = us;
	t2_vec_add(&reader->trace->records, record);
	return record;
}

static void see_call(struct reader *reader, struct slot *slot, int64_t us, const char *text)
{
	struct t2_record *record = add_record(reader, slot, us);
	bool is_cut;

	if (slot->begin_seq) {
		record->begin_seq = slot->begin_seq;
		record->begin_us = slot->begin_us;
		slot->begin_seq = 0;
	}
	if (!t2_call_parse(record, text, &is_cut)) {
		reader->trace->records.nr--;
		free(record);
		return;
	}
	reader->is_cut |= is_cut;
	reader->trace->has_loaded |= record->kind == T2_RECORD_LOADED;
}

static void see_end(struct reader *reader, struct slot *slot, int64_t us, const char *text)
{
	struct t2_record *record = add_record(reader, slot, us);
	long status;

	/* A call that never came back; exits are such calls. */
	if (slot->pending) {
		struct slot whole = *slot;
		char *call = NULL;

		if (asprintf(&call, "%s) = ?", slot->pending) > 0)
			see_call(reader, &whole, us, call);
		free(call);
		slot->pending = NULL;
		slot->begin_seq = 0;
	}
	record->kind = T2_RECORD_ENDED;
	record->u.ended.is_killed = !strncmp(text, "+++ killed by ", 14);
	if (record->u.ended.is_killed)
		record->u.ended.code = t2_call_signal(text + 14);
	else if (t2_text_number_after(text, "+++ exited with ", &status))
		record->u.ended.code = (int)status;
	slot->task = NULL;
}

/* A signal that no other process has sent. */
static void see_signal(struct reader *reader, struct slot *slot, int64_t us, const char *text)
{
	long sender;

	if (!t2_text_number_after(text, "si_pid=", &sender) || sender == slot->task->tid)
		add_record(reader, slot, us)->kind = T2_RECORD_ALIVE;
}

/* The thread numbered @old became the leader by exec; its call goes on there. */
static void move_exec(struct reader *reader, struct slot *leader, long old)
{
	struct slot *slot = old > 0 && old <= TID_MAX ? &reader->slots[old] : NULL;
	struct slot moved;

	if (!slot || !slot->pending)
		return;
	moved = *slot;
	memset(slot, 0, sizeof(*slot));
	free(leader->pending);
	leader->pending = moved.pending;
	leader->begin_seq = moved.begin_seq;
	leader->begin_us = moved.begin_us;
	/* What strace 6.1 then prints as result of the exec is not its result. */
	strcat(leader->pending, "\1");
}

static void see_unfinished(struct slot *slot, size_t seq, int64_t us, const char *text,
			   const char *mark)
{
	size_t len = (size_t)(mark - text);

	free(slot->pending);
	slot->pending = t2_zalloc(len + 2);
	memcpy(slot->pending, text, len);
	slot->begin_seq = seq;
	slot->begin_us = us;
}

static void see_resumed(struct reader *reader, struct slot *slot, int64_t us, const char *text)
{
	const char *rest = strstr(text, " resumed>");
	size_t len = slot->pending ? strlen(slot->pending) : 0;
	char *whole = NULL;

	if (!len || !rest)
		return;
	rest += 9;
	if (slot->pending[len - 1] == '\1') {
		slot->pending[len - 1] = '\0';
		rest = ") = 0";
	}
	if (asprintf(&whole, "%s%s", slot->pending, rest) > 0)
		see_call(reader, slot, us, whole);
	free(whole);
	free(slot->pending);
	slot->pending = NULL;
}

/* Where the mark of a call that is not over begins, or NULL. */
static const char *unfinished_mark(const char *text)
{
	const char *mark = strrchr(text, '<');

	if (!mark || mark == text || mark[-1] != ' ')
		return NULL;
	if (!strcmp(mark, "<unfinished ...>"))
		return mark - 1;
	return !strncmp(mark, "<pid changed to ", 16) ? mark - 1 : NULL;
}

static void see_line(struct reader *reader, long tid, int64_t us, const char *text)
{
	struct slot *slot = &reader->slots[tid];
	const char *mark;
	long old;

	reader->trace->nr_lines++;
	if (!slot->task) {
		slot->task = t2_zalloc(sizeof(*slot->task));
		slot->task->tid = tid;
		slot->task->first_seq = reader->trace->nr_lines;
		t2_vec_add(&reader->trace->tasks, slot->task);
	}
	slot->task->last_seq = reader->trace->nr_lines;
	mark = unfinished_mark(text);
	if (!strncmp(text, "+++ superseded by execve in pid ", 32)) {
		if (t2_text_number_after(text, " in pid ", &old))
			move_exec(reader, slot, old);
	} else if (!strncmp(text, "+++ ", 4)) {
		see_end(reader, slot, us, text);
	} else if (!strncmp(text, "<... ", 5)) {
		see_resumed(reader, slot, us, text);
	} else if (mark) {
		see_unfinished(slot, reader->trace->nr_lines, us, text, mark);
	} else if (!strncmp(text, "--- ", 4)) {
		see_signal(reader, slot, us, text);
	} else if (*text != '[') {
		see_call(reader, slot, us, text);
	}
}

/* "1234 1795210770.912424 call(...", the number only if @tid is 0. */
static bool split_line(char *text, long tid, struct line *ret_line)
{
	char *at = text;
	long seconds, micros;

	text[strcspn(text, "\n")] = '\0';
	ret_line->tid = tid ? tid : strtol(at, &at, 10);
	if (ret_line->tid <= 0 || ret_line->tid > TID_MAX)
		return false;
	seconds = strtol(at, &at, 10);
	if (seconds <= 0 || *at != '.')
		return false;
	micros = strtol(at + 1, &at, 10);
	ret_line->us = (int64_t)seconds * 1000000 + micros;
	ret_line->text = at + strspn(at, " ");
	return true;
}

static int read_one(struct reader *reader, const char *path)
{
	struct line line;
	char *text = NULL;
	size_t cap = 0;
	FILE *in = fopen(path, "re");

	if (!in)
		return -errno;
	while (getline(&text, &cap, in) > 0) {
		if (!split_line(text, 0, &line)) {
			fprintf(stderr, "oracle: %s: not a line of strace -f -ttt: %.60s\n", path,
				text);
			fclose(in);
			return -EINVAL;
		}
		see_line(reader, line.tid, line.us, line.text);
	}
	free(text);
	fclose(in);
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = *(struct line *const *)a, *y = *(struct line *const *)b;

	if (x->us != y->us)
		return x->us < y->us ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static void collect(struct t2_vec *lines, const char *path)
{
	const char *dot = strrchr(path, '.');
	long tid = strtol(dot + 1, NULL, 10);
	struct line line;
	char *text = NULL;
	size_t cap = 0;
	FILE *in = tid > 0 ? fopen(path, "re") : NULL;

	while (in && getline(&text, &cap, in) > 0) {
		struct line *kept;

		text = strdup(text);
		if (!text || !split_line(text, tid, &line))
			continue;
		kept = t2_zalloc(sizeof(*kept));
		*kept = line;
		t2_vec_add(lines, kept);
		text = NULL;
		cap = 0;
	}
	if (in)
		fclose(in);
}

static int read_prefix(struct reader *reader, const char *prefix)
{
	struct t2_vec lines = {0};
	char *pattern = NULL;
	glob_t found;

	if (asprintf(&pattern, "%s.[0-9]*", prefix) < 0 || glob(pattern, 0, NULL, &found))
		return -ENOENT;
	for (size_t i = 0; i < found.gl_pathc; i++)
		collect(&lines, found.gl_pathv[i]);
	qsort(lines.at, lines.nr, sizeof(*lines.at), compare_lines);
	for (size_t i = 0; i < lines.nr; i++) {
		struct line *line = lines.at[i];

		see_line(reader, line->tid, line->us, line->text);
	}
	globfree(&found);
	free(pattern);
	return lines.nr ? 0 : -EINVAL;
}

int t2_trace_read(struct t2_trace *trace, const char *path)
{
	struct reader reader = {.trace = trace};
	struct stat st;
	int error;

	reader.slots = t2_zalloc((TID_MAX + 1) * sizeof(*reader.slots));
	error = stat(path, &st) ? read_prefix(&reader, path) : read_one(&reader, path);
	free(reader.slots);
	if (!error && reader.is_cut) {
		fprintf(stderr, "oracle: %s: strings are cut; use strace -v -s 131072\n", path);
		return -EINVAL;
	}
	return error;
}
