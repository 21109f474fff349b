/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "match.h"
#include "report.h"

#include <string.h>

/*
 * The last event of this image itself: a child may announce itself in our name
 * at any time, even when we are gone, and then says that it is still there.
 */
static const struct t2_told *last_own(const struct t2_session *session)
{
	for (size_t i = session->told.nr; i-- > 0;) {
		const struct t2_told *told = session->told.at[i];

		if (strcmp(told->event, "child_start") && strcmp(told->event, "child_ready"))
			return told;
	}
	return session->told.at[session->told.nr - 1];
}

/* Are there @nr events of that name, and is the last event the last of them? */
static bool check_last(const struct t2_image *image, const char *event, size_t nr)
{
	const struct t2_session *session = image->session;
	size_t nr_told = t2_session_count(session, event);

	if (nr_told != nr) {
		t2_report("%s: has %zu %s events, not %zu", t2_image_name(image), nr_told, event,
			  nr);
		return false;
	}
	if (nr && strcmp(event, last_own(session)->event))
		t2_report("%s: %s is followed by %s", t2_image_name(image), event,
			  last_own(session)->event);
	return nr > 0;
}

static void check_code(const struct t2_image *image, const char *event)
{
	const struct t2_told *told = t2_session_find(image->session, event, 0);

	if (told && t2_told_number(told, "code") != image->end_code)
		t2_report("%s: %s has code %ld, the status was %d", t2_image_name(image), event,
			  t2_told_number(told, "code"), image->end_code);
}

static void check_exited(const struct t2_image *image, bool is_exit_free)
{
	bool is_blind = image->is_thread_exit && image->process->birth == T2_BIRTH_CLONE;

	if (!is_blind && check_last(image, "atexit", 1))
		check_code(image, "atexit");
	if (!is_exit_free)
		check_code(image, "exit");
	if (t2_session_count(image->session, "exit") > 1)
		t2_report("%s: has several exit events", t2_image_name(image));
}

static void check_killed(const struct t2_image *image)
{
	const struct t2_told *told = t2_session_find(image->session, "signal", 0);
	bool is_catchable = t2_match_is_catchable(image->end_code);

	check_last(image, "atexit", 0);
	/* In the middle of an exec the old handlers are gone and the new ones not there. */
	if (image->dying)
		return;
	if (check_last(image, "signal", is_catchable) && told &&
	    t2_told_number(told, "signo") != image->end_code)
		t2_report("%s: signal has signo %ld, it died of %d", t2_image_name(image),
			  t2_told_number(told, "signo"), image->end_code);
}

static void check_replaced(const struct t2_image *image)
{
	check_last(image, "atexit", 0);
	check_last(image, "exit", 0);
	if (strcmp(last_own(image->session)->event, "exec"))
		t2_report("%s: was replaced by exec, but its last event is %s",
			  t2_image_name(image), last_own(image->session)->event);
}

static void check_threads(const struct t2_image *image)
{
	size_t nr_started = t2_session_count(image->session, "thread_start");
	size_t nr_ended = t2_session_count(image->session, "thread_exit");

	if (nr_started > image->nr_threads)
		t2_report("%s: tells of %zu threads, there were %zu", t2_image_name(image),
			  nr_started, image->nr_threads);
	if (nr_ended > nr_started)
		t2_report("%s: %zu threads ended, %zu began", t2_image_name(image), nr_ended,
			  nr_started);
}

void t2_check_end(const struct t2_image *image, bool is_exit_free)
{
	check_threads(image);
	if (image->end != T2_END_KILLED && image->end != T2_END_UNKNOWN)
		check_last(image, "signal", 0);
	switch (image->end) {
	case T2_END_EXEC:
		check_replaced(image);
		break;
	case T2_END_EXIT:
		check_exited(image, is_exit_free);
		break;
	case T2_END_KILLED:
		check_killed(image);
		break;
	case T2_END_UNKNOWN:
		break;
	}
}
