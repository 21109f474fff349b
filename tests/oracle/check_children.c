/* SPDX-License-Identifier: MIT */
/*
 * child_start does not say which process it is about. child_exit and
 * child_ready do, and are joined to it by their child_id; what is left over is
 * joined by class and argv.
 */
#include "check.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct start {
	const struct t2_told *told;
	long child_id;
	const struct t2_told *ended; /* child_exit or child_ready */
	struct t2_process *child;
};

static const struct t2_image *first_image(const struct t2_process *process)
{
	return process->images.at[0];
}

static bool is_failed_spawn(const struct t2_process *child)
{
	return child->birth == T2_BIRTH_SPAWN && !t2_process_first_exec(child);
}

static bool fits_class(const struct t2_process *child, const struct t2_told *told)
{
	static const char *const classes[] = {
		[T2_BIRTH_ROOT] = "",
		[T2_BIRTH_FORK] = "fork clone",
		[T2_BIRTH_VFORK] = "vfork clone",
		[T2_BIRTH_SPAWN] = "spawn system popen clone",
		[T2_BIRTH_CLONE] = "clone fork",
	};
	const char *class = t2_told_string(told, "child_class");
	bool is_shell = !strcmp(class, "system") || !strcmp(class, "popen");

	if (json_is_true(json_object_get(told->line, "use_shell")) != is_shell)
		return false;
	return *class && strstr(classes[child->birth], class);
}

/* The command given to system() or popen(), as the shell was started with it. */
static bool is_command(const struct t2_vec *argv, const struct t2_vec *told)
{
	return told->nr == 1 && argv->nr >= 3 && !strcmp(argv->at[0], "sh") &&
	       !strcmp(argv->at[1], "-c") && !strcmp(argv->at[argv->nr - 1], told->at[0]);
}

/* What the program asked for, where the C library gave a file without #! to the shell. */
static const struct t2_vec *before_fallback(const struct t2_image *image)
{
	const struct t2_record *failed, *done;

	if (image->attempts.nr < 2)
		return NULL;
	failed = image->attempts.at[image->attempts.nr - 2];
	done = image->attempts.at[image->attempts.nr - 1];
	if (failed->error != ENOEXEC || !done->u.exec.path || strcmp(done->u.exec.path, "/bin/sh"))
		return NULL;
	return &failed->u.exec.argv;
}

/* It may have announced an exec, and was killed before it came to that. */
static bool is_cut_short(const struct t2_image *image, const struct t2_vec *told)
{
	if (image->dying)
		return t2_vec_equals(&image->dying->u.exec.argv, told);
	return image->end == T2_END_KILLED && (!image->session || image->has_probed) &&
	       image->process->birth != T2_BIRTH_SPAWN;
}

/* A file without #! that a shell then reads itself, in the child it made for it. */
static const struct t2_vec *unreadable_by_kernel(const struct t2_image *image)
{
	const struct t2_record *last;

	if (!image->attempts.nr)
		return NULL;
	last = image->attempts.at[image->attempts.nr - 1];
	return last->error == ENOEXEC ? &last->u.exec.argv : NULL;
}

/* The argv a child_start of @child has to have. */
static const struct t2_vec *expected_argv(const struct t2_process *child)
{
	const struct t2_image *image = first_image(child);
	const struct t2_record *last;

	if (is_failed_spawn(child) && image->attempts.nr) {
		last = image->attempts.at[image->attempts.nr - 1];
		return &last->u.exec.argv;
	}
	if (t2_process_first_exec(child) && image->need != T2_NEED_MUST && !image->session)
		return &t2_process_first_exec(child)->u.exec.argv;
	return t2_image_argv(image);
}

/* With @is_loose, what may be an argv is one. */
static bool fits_argv(const struct t2_process *child, const struct t2_told *told, bool is_loose)
{
	const struct t2_vec *real = expected_argv(child);
	const struct t2_vec *asked = before_fallback(first_image(child));
	const struct t2_vec *own = unreadable_by_kernel(first_image(child));
	struct t2_vec argv = {0};
	bool does_fit;

	t2_told_list(told, "argv", &argv);
	if (json_is_true(json_object_get(told->line, "use_shell")))
		does_fit = is_command(real, &argv);
	else
		does_fit = (is_loose && is_cut_short(first_image(child), &argv)) ||
			   t2_vec_equals(real, &argv) || (asked && t2_vec_equals(asked, &argv)) ||
			   (own && t2_vec_equals(own, &argv));
	free(argv.at);
	return does_fit;
}

static const char *describe(const struct t2_told *told)
{
	struct t2_vec argv = {0};

	t2_told_list(told, "argv", &argv);
	return t2_vec_join(&argv, 200);
}

static struct start *find_start(struct t2_vec *starts, long child_id)
{
	for (size_t i = 0; i < starts->nr; i++) {
		struct start *start = starts->at[i];

		if (start->child_id == child_id)
			return start;
	}
	return NULL;
}

static void find_starts(const struct t2_image *image, struct t2_vec *ret_starts)
{
	for (size_t i = 0; i < image->session->told.nr; i++) {
		const struct t2_told *told = image->session->told.at[i];
		struct start *start;

		if (strcmp(told->event, "child_start"))
			continue;
		start = t2_zalloc(sizeof(*start));
		start->told = told;
		start->child_id = t2_told_number(told, "child_id");
		if (find_start(ret_starts, start->child_id))
			t2_report("%s: several child_start with child_id %ld", t2_image_name(image),
				  start->child_id);
		t2_vec_add(ret_starts, start);
	}
}

static void join(struct start *start, struct t2_process *child)
{
	start->child = child;
	child->started = start->told;
}

/* A child that was never there: the spawn failed. */
static void see_failed(const struct t2_image *image, struct start *start)
{
	for (size_t i = 0; i < image->children.nr; i++) {
		struct t2_process *child = image->children.at[i];

		if (child->started || !is_failed_spawn(child) ||
		    !fits_argv(child, start->told, true))
			continue;
		join(start, child);
		child->ended = start->ended;
		break;
	}
	if (!start->child && !image->nr_failed_clones)
		t2_report("%s: line %zu: no spawn of [%s] failed", t2_image_name(image),
			  start->ended->line_nr, describe(start->told));
	if (t2_told_number(start->ended, "code") != -1)
		t2_report("%s: line %zu: pid is -1, code is not", t2_image_name(image),
			  start->ended->line_nr);
}

static bool was_reaped(const struct t2_image *image, const struct t2_process *child)
{
	return child->reaper == image || (!child->reaper && child->is_maybe_reaped);
}

/* @child's end was told. Was it that end? */
static void end(const struct t2_image *image, struct t2_process *child, const struct t2_told *told)
{
	long code = t2_told_number(told, "code");

	child->ended = told;
	if (child->reap_code != -1 && child->reap_code != code)
		t2_report("%s: child_exit of pid %ld has code %ld, reaped was %d",
			  t2_image_name(image), child->pid, code, child->reap_code);
}

/*
 * A child from before the last exec, or an adopted one: it is reaped here
 * without having been announced here.
 */
static bool see_foreign(const struct t2_image *image, const struct t2_told *told)
{
	long pid = t2_told_number(told, "pid");

	for (size_t i = 0; i < image->reaped.nr; i++) {
		struct t2_process *child = image->reaped.at[i];

		if (child->pid == pid && child->creator != image && !child->ended) {
			end(image, child, told);
			return true;
		}
	}
	return false;
}

static void see_exit(const struct t2_image *image, struct start *start)
{
	const struct t2_told *told = start->ended;
	long pid = t2_told_number(told, "pid");

	if (pid == -1) {
		see_failed(image, start);
		return;
	}
	for (size_t i = 0; i < image->children.nr; i++) {
		struct t2_process *child = image->children.at[i];

		if (child->pid != pid || child->ended || !was_reaped(image, child))
			continue;
		join(start, child);
		end(image, child, told);
		return;
	}
	t2_report("%s: line %zu: child_exit of pid %ld, which was not reaped here",
		  t2_image_name(image), told->line_nr, pid);
}

static void see_ready(const struct t2_image *image, struct start *start)
{
	long pid = t2_told_number(start->ended, "pid");

	for (size_t i = 0; i < image->children.nr; i++) {
		struct t2_process *child = image->children.at[i];

		if (child->pid == pid && !child->started && child->reaper != image) {
			join(start, child);
			return;
		}
	}
	t2_report("%s: line %zu: child_ready of pid %ld, which is no unreaped child",
		  t2_image_name(image), start->ended->line_nr, pid);
}

static void see_ends(const struct t2_image *image, struct t2_vec *starts)
{
	for (size_t i = 0; i < image->session->told.nr; i++) {
		const struct t2_told *told = image->session->told.at[i];
		bool is_exit = !strcmp(told->event, "child_exit");
		struct start *start;

		if (!is_exit && strcmp(told->event, "child_ready"))
			continue;
		start = find_start(starts, t2_told_number(told, "child_id"));
		if (!start && is_exit && see_foreign(image, told))
			continue;
		if (!start || start->ended) {
			t2_report("%s: line %zu: %s with child_id %ld %s", t2_image_name(image),
				  told->line_nr, told->event, t2_told_number(told, "child_id"),
				  start ? "though it has ended" : "without child_start");
			continue;
		}
		start->ended = told;
		if (is_exit)
			see_exit(image, start);
		else
			see_ready(image, start);
	}
}

/* Join a child_start without an end to a child of which nothing else is known. */
static void see_open(const struct t2_image *image, struct start *start, bool is_loose)
{
	for (size_t i = 0; i < image->children.nr; i++) {
		struct t2_process *child = image->children.at[i];

		if (!child->started && fits_class(child, start->told) &&
		    fits_argv(child, start->told, is_loose)) {
			join(start, child);
			return;
		}
	}
	if (!is_loose)
		return;
	t2_report("%s: line %zu: child_start of [%s], which is no child", t2_image_name(image),
		  start->told->line_nr, describe(start->told));
}

static void check_joined(const struct t2_image *image, const struct start *start)
{
	const struct t2_process *child = start->child;

	if (!fits_argv(child, start->told, true))
		t2_report("%s: child_start of pid %ld has argv [%s], real is [%s]",
			  t2_image_name(image), child->pid, describe(start->told),
			  t2_vec_join(expected_argv(child), 200));
	if (!fits_class(child, start->told))
		t2_report("%s: child_start of pid %ld (%s) has class %s, use_shell %d",
			  t2_image_name(image), child->pid, t2_vec_join(expected_argv(child), 200),
			  t2_told_string(start->told, "child_class"),
			  json_is_true(json_object_get(start->told->line, "use_shell")));
}

/* Does somebody live to tell that @child began? */
static bool is_announced(const struct t2_image *image, const struct t2_process *child)
{
	const struct t2_image *first = first_image(child);

	return child->reaper == image || t2_process_first_exec(child) ||
	       child->birth == T2_BIRTH_SPAWN || first->need == T2_NEED_MUST;
}

static void check_child(const struct t2_image *image, const struct t2_process *child)
{
	const struct t2_image *first = first_image(child);

	if (first->is_exempt || t2_process_last(child)->is_exempt)
		return;
	if (!child->started && is_announced(image, child))
		t2_report("%s: has no child_start for child %s", t2_image_name(image),
			  t2_image_name(t2_process_last(child)));
	if (child->started && !child->ended && child->reaper == image)
		t2_report("%s: has no child_exit for child %s, reaped with code %d",
			  t2_image_name(image), t2_image_name(t2_process_last(child)),
			  child->reap_code);
}

static void check_foreign(const struct t2_image *image)
{
	for (size_t i = 0; i < image->reaped.nr; i++) {
		const struct t2_process *child = image->reaped.at[i];
		const struct t2_image *last = t2_process_last(child);

		if (child->creator != image && !child->ended && !last->is_exempt)
			t2_report("%s: has no child_exit for %s, reaped with code %d",
				  t2_image_name(image), t2_image_name(last), child->reap_code);
	}
}

size_t t2_check_children(const struct t2_image *image)
{
	struct t2_vec starts = {0};
	size_t nr_compared = 0;

	find_starts(image, &starts);
	see_ends(image, &starts);
	for (size_t i = 0; i < starts.nr; i++) {
		struct start *start = starts.at[i];

		if (!start->child && !start->ended)
			see_open(image, start, false);
	}
	for (size_t i = 0; i < starts.nr; i++) {
		struct start *start = starts.at[i];

		if (!start->child && !start->ended)
			see_open(image, start, true);
		if (start->child)
			check_joined(image, start);
	}
	for (size_t i = 0; i < image->children.nr; i++) {
		const struct t2_process *child = image->children.at[i];

		check_child(image, child);
		nr_compared += child->ended && child->reaper == image;
	}
	check_foreign(image);
	return nr_compared;
}
