/* SPDX-License-Identifier: MIT */
/*
 * One call of the program may be several tries for the kernel: the exec*p
 * functions go through PATH, and give a file without #! to the shell. So runs
 * of the same argv are compared, not single calls.
 */
#include "check.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct run {
	const struct t2_vec *argv;
	size_t nr;
	bool is_replaced;     /* the last one succeeded */
	struct t2_vec errors; /* real: struct t2_record; told: struct t2_told of exec_result */
	const struct t2_record *last;
};

static bool is_shell_fallback(const struct run *run, const struct t2_record *record)
{
	return run->last->error == ENOEXEC && record->u.exec.path &&
	       !strcmp(record->u.exec.path, "/bin/sh");
}

static struct run *add_run(struct t2_vec *runs, const struct t2_vec *argv)
{
	struct run *run = t2_zalloc(sizeof(*run));

	run->argv = argv;
	t2_vec_add(runs, run);
	return run;
}

/* With @is_joining, what may be the C library's own second try is part of the first. */
static void find_real(const struct t2_image *image, struct t2_vec *runs, bool is_joining)
{
	struct run *run = NULL;

	for (size_t i = 0; i < image->attempts.nr; i++) {
		const struct t2_record *record = image->attempts.at[i];

		if (!run || (!t2_vec_equals(run->argv, &record->u.exec.argv) &&
			     !(is_joining && is_shell_fallback(run, record))))
			run = add_run(runs, &record->u.exec.argv);
		run->nr++;
		run->last = record;
		run->is_replaced = !record->result;
		if (record->result)
			t2_vec_add(&run->errors, record);
	}
}

static const struct t2_told *result_of(const struct t2_session *session, long exec_id)
{
	for (size_t i = 0; i < session->told.nr; i++) {
		const struct t2_told *told = session->told.at[i];

		if (!strcmp(told->event, "exec_result") &&
		    t2_told_number(told, "exec_id") == exec_id)
			return told;
	}
	return NULL;
}

static void find_told(const struct t2_session *session, struct t2_vec *runs)
{
	struct run *run = NULL;

	for (size_t i = 0; i < session->told.nr; i++) {
		const struct t2_told *told = session->told.at[i], *result;
		struct t2_vec *argv;

		if (strcmp(told->event, "exec"))
			continue;
		argv = t2_zalloc(sizeof(*argv));
		t2_told_list(told, "argv", argv);
		if (!run || !t2_vec_equals(run->argv, argv))
			run = add_run(runs, argv);
		run->nr++;
		result = result_of(session, t2_told_number(told, "exec_id"));
		run->is_replaced = !result;
		if (result)
			t2_vec_add(&run->errors, result);
	}
}

static bool has_error(const struct run *real, long number)
{
	for (size_t i = 0; i < real->errors.nr; i++)
		if (((const struct t2_record *)real->errors.at[i])->error == number)
			return true;
	return false;
}

static bool fits(const struct run *real, const struct run *told)
{
	if (!t2_vec_equals(real->argv, told->argv) || told->nr > real->nr ||
	    real->is_replaced != told->is_replaced ||
	    told->errors.nr != told->nr - told->is_replaced)
		return false;
	for (size_t i = 0; i < told->errors.nr; i++)
		if (!has_error(real, t2_told_number(told->errors.at[i], "code")))
			return false;
	return true;
}

/*
 * Is every told run a real one? A child that is not a session yet keeps its
 * failures to itself: it may leave out some, but not the last one.
 */
static bool runs_fit(const struct t2_vec *real, const struct t2_vec *told, bool may_skip)
{
	size_t k = 0;

	for (size_t i = 0; i < real->nr; i++) {
		if (k < told->nr && fits(real->at[i], told->at[k]))
			k++;
		else if (!may_skip || i + 1 == real->nr)
			return false;
	}
	return k == told->nr;
}

static const char *describe(const struct t2_vec *runs)
{
	struct t2_vec words = {0};

	for (size_t i = 0; i < runs->nr; i++) {
		const struct run *run = runs->at[i];

		t2_vec_add(&words, run->is_replaced ? "done:" : "failed:");
		t2_vec_add(&words, t2_vec_join(run->argv, 80));
		t2_vec_add(&words, ";");
	}
	return words.nr ? t2_vec_join(&words, 400) : "none";
}

static void check_ids(const struct t2_image *image)
{
	const struct t2_session *session = image->session;
	size_t nr_results = t2_session_count(session, "exec_result"), nr_found = 0;
	const struct t2_told *told;

	for (size_t i = 0; (told = t2_session_find(session, "exec", i)); i++) {
		long exec_id = t2_told_number(told, "exec_id");

		if (exec_id != (long)i)
			t2_report("%s: exec number %zu has exec_id %ld", t2_image_name(image), i,
				  exec_id);
		nr_found += result_of(session, exec_id) != NULL;
	}
	if (nr_found != nr_results)
		t2_report("%s: has %zu exec_result events for %zu execs", t2_image_name(image),
			  nr_results, nr_found);
}

void t2_check_execs(const struct t2_image *image)
{
	struct t2_vec joined = {0}, real = {0}, told = {0};

	find_real(image, &joined, true);
	find_real(image, &real, false);
	find_told(image->session, &told);
	if (!runs_fit(&joined, &told, !image->exec) && !runs_fit(&real, &told, !image->exec))
		t2_report("%s: execs told are not the real ones; told: %s real: %s",
			  t2_image_name(image), describe(&told), describe(&real));
	check_ids(image);
}
