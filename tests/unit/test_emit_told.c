/* SPDX-License-Identifier: MIT */
/* preload/emit.c: who need not be told again, and what is said of lost lines. */
#include "tests/unit/emit.h"

#include <signal.h>
#include <sys/resource.h>

TestSuite(emit_told, .init = set_up, .fini = remove_dir, .timeout = 30);

/* What tells of lost lines begins so. */
#define LOST "\"category\":\"t2shim\",\"key\":\"lost\",\"value\":{\"lines\":"

/* --- who was told ------------------------------------------------------------------------ */

Test(emit_told, a_target_not_asked_for_is_left_out)
{
	struct t2_event event = signal_event(1);

	set(T2_SETTING_PERF, in_dir("perf"));
	set(T2_SETTING_EVENT, in_dir("event"));
	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 2);
	t2_emit(&stream, "main", &event, 1, 1U << PERF, 0);
	cr_assert_eq(count(file_text(in_dir("perf")), "\n"), 1);
	cr_assert_neq(access(in_dir("event"), F_OK), 0);
	t2_emit(&stream, "main", &event, 1, 0, 0);
	cr_assert_eq(count(file_text(in_dir("perf")), "\n"), 1);
}

/* Its parent may still be able to write where a child cannot. */
Test(emit_told, a_target_that_fails_is_not_told_and_then_off)
{
	set(T2_SETTING_EVENT, in_dir("no/event"));
	set(T2_SETTING_PERF, in_dir("perf"));
	t2_emit_init(&stream, "UTC0");
	cr_assert_eq(emit_one(1), T2_ALL_TARGETS & ~(1U << EVENT));
	cr_assert_eq(stream.dst[EVENT].kind, T2_DST_OFF);
	cr_assert_eq(emit_one(2), T2_ALL_TARGETS, "one that is off need not be told");
	cr_assert_eq(count(file_text(in_dir("perf")), "\n"), 2, "the others are told");
}

Test(emit_told, a_borrowed_target_that_fails_is_not_told)
{
	struct t2_event event = signal_event(1);

	set(T2_SETTING_EVENT, in_dir("no/event"));
	set(T2_SETTING_PERF, in_dir("perf"));
	t2_emit_init(&stream, "UTC0");
	cr_assert_eq(emit_as(&event, 1, T2_EMIT_BORROWED), T2_ALL_TARGETS & ~(1U << EVENT));
	cr_assert_neq(stream.dst[EVENT].kind, T2_DST_OFF);
	cr_assert_eq(count(file_text(in_dir("perf")), "\n"), 1);
}

/* Nobody has told it, and its owner is to know that it was tried. */
#define DROPPED_BY_ANOTHER ((T2_ALL_TARGETS & ~(1U << EVENT)) | 1U << EVENT << T2_TOLD_DROPPED)

static void fill(int fd)
{
	char byte = 'x';

	while (write(fd, &byte, 1) == 1)
		;
}

/* A forked child has a copy of what its parent counted, and may vanish with it. */
Test(emit_told, losses_are_told_by_the_process_that_had_them)
{
	int fd = begin_with_pipe(EVENT, 0);

	stream.dst[EVENT].nr_lost = 3;
	stream.session.is_foreign = true;
	emit_one(1);
	cr_assert_eq(count(drain(fd), "\n"), 1, "a child tells its parent's losses");
	cr_assert_eq(stream.dst[EVENT].nr_lost, 3);
	stream.session.is_foreign = false;
	emit_one(1);
	cr_assert_eq(count(drain(fd), "\n"), 2);
	close(fd);
}

/* Its count is a copy, which nobody will ever read. */
Test(emit_told, what_a_forked_child_drops_is_its_parent_s_to_tell)
{
	int fd = begin_with_pipe(EVENT, 0);

	stream.session.is_foreign = true;
	fill(stream.dst[EVENT].fd);
	cr_assert_eq(emit_one(1), DROPPED_BY_ANOTHER);
	cr_assert_eq(stream.dst[EVENT].nr_lost, 0);
	close(fd);
}

Test(emit_told, what_another_process_dropped_is_counted)
{
	int fd = begin_with_pipe(EVENT, 0);

	stream.dst[EVENT].nr_lost = 3;
	t2_emit_note_lost(&stream, 1U << EVENT);
	t2_emit_note_lost(&stream, 0);
	emit_one(1);
	cr_assert_not_null(strstr(drain(fd), LOST "4}"), "%s", text);
	close(fd);
}

/* Those that were lost before are not forgotten for that. */
Test(emit_told, what_there_was_no_memory_for_is_counted)
{
	static char long_text[2 * T2_BLOCK_SIZE];
	struct t2_event events[] = {event_of(T2_EVENT_ERROR), event_of(T2_EVENT_THREAD_START)};
	struct rlimit limit;
	int fd = begin_with_pipe(NORMAL, 0);

	memset(long_text, 'x', sizeof(long_text) - 1);
	events[0].u.error.msg = events[0].u.error.fmt = long_text;
	stream.dst[NORMAL].nr_lost = 3;
	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = 4096;
	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	emit(events, 2); /* NORMAL shows no threads */
	limit.rlim_cur = limit.rlim_max;
	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	cr_assert_eq(stream.dst[NORMAL].nr_lost, 4, "%u", stream.dst[NORMAL].nr_lost);
	close(fd);
}

Test(emit_told, a_borrowed_target_that_drops_changes_nothing)
{
	int fd = begin_with_pipe(EVENT, 0);
	struct t2_event event = signal_event(1);
	struct t2_stream before;

	stream.dst[EVENT].nr_lost = 3;
	fill(stream.dst[EVENT].fd);
	memcpy(&before, &stream, sizeof(before));
	cr_assert_eq(emit_as(&event, 1, T2_EMIT_BORROWED), DROPPED_BY_ANOTHER);
	cr_assert(!memcmp(&before, &stream, sizeof(before)), "the stream was changed");
	drain(fd);
	t2_emit(&stream, "main", &event, 1, T2_ALL_TARGETS, T2_EMIT_BORROWED);
	cr_assert_eq(count(drain(fd), "\n"), 1, "losses are their owner's to tell");
	cr_assert_eq(stream.dst[EVENT].nr_lost, 3);
	close(fd);
}

Test(emit_told, a_file_size_limit_does_not_kill_unless_it_is_known_to_be_harmless)
{
	struct rlimit limit;

	begin_with_file();
	emit_one(1);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = strlen(file_text(in_dir("event")));
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	signal(SIGXFSZ, SIG_DFL);
	cr_assert_eq(emit_one(2), T2_ALL_TARGETS & ~(1U << EVENT));
	cr_assert_eq(stream.dst[EVENT].kind, T2_DST_OFF);
}

/* A child and its parent, of which only one is to tell. */
Test(emit_told, what_another_process_has_told_is_not_told_again)
{
	struct t2_event event = signal_event(1);
	atomic_uint told = 1U << EVENT;

	set(T2_SETTING_EVENT, in_dir("event"));
	set(T2_SETTING_PERF, in_dir("perf"));
	t2_emit_init(&stream, "UTC0");
	t2_emit_once(&stream, "main", &event, 1, &told, 0);
	cr_assert_neq(access(in_dir("event"), F_OK), 0);
	cr_assert_eq(count(file_text(in_dir("perf")), "\n"), 1);
	cr_assert_eq(told, 1U << EVENT | 1U << PERF);
}

/* --- losses ------------------------------------------------------------------------------ */

Test(emit_told, what_was_dropped_is_told_once_and_first)
{
	int fd = begin_with_pipe(EVENT, 0);
	struct t2_event events[] = {signal_event(1), signal_event(2), signal_event(3)};
	const char *lost;

	fill(stream.dst[EVENT].fd);
	cr_assert_eq(emit(events, 3), T2_ALL_TARGETS, "a dropped batch is not told again");
	emit_one(4);
	cr_assert_eq(stream.dst[EVENT].nr_lost, 4);
	drain(fd);
	emit_one(5);
	lost = strstr(drain(fd), LOST "4}");
	cr_assert_not_null(lost, "no four lines in %s", text);
	cr_assert_eq(count(text, "\n"), 2);
	cr_assert_lt(lost, strstr(text, "\"signo\":5}"), "it comes first");
	cr_assert_eq(stream.dst[EVENT].nr_lost, 0);
	emit_one(6);
	cr_assert_eq(count(drain(fd), "\n"), 1, "it is told once");
	close(fd);
}

Test(emit_told, the_line_that_tells_is_not_counted_itself)
{
	int fd = begin_with_pipe(EVENT, 0);

	fill(stream.dst[EVENT].fd);
	for (int i = 0; i < 10; i++)
		emit_one(i);
	cr_assert_eq(stream.dst[EVENT].nr_lost, 10, "ten lines, not %u", stream.dst[EVENT].nr_lost);
	close(fd);
}

Test(emit_told, each_target_counts_its_own_losses)
{
	int fd = begin_with_pipe(EVENT, 0);

	t2_dst_init(&stream.dst[PERF], "/dev/null");
	fill(stream.dst[EVENT].fd);
	emit_one(1);
	cr_assert_eq(stream.dst[EVENT].nr_lost, 1);
	cr_assert_eq(stream.dst[PERF].nr_lost, 0);
	close(fd);
}

Test(emit_told, perf_tells_its_losses)
{
	int fd = begin_with_pipe(PERF, 0);

	fill(stream.dst[PERF].fd);
	emit_one(1);
	emit_one(2);
	cr_assert_eq(stream.dst[PERF].nr_lost, 2);
	drain(fd);
	emit_one(3);
	cr_assert_not_null(strstr(drain(fd), "lost:{\"lines\":2}\n"), "%s", text);
	close(fd);
}

/* It shows no data, but it may not forget either. */
Test(emit_told, normal_counts_its_losses)
{
	int fd = begin_with_pipe(NORMAL, 0);

	fill(stream.dst[NORMAL].fd);
	for (int i = 0; i < 10; i++)
		emit_one(i);
	cr_assert_eq(stream.dst[NORMAL].nr_lost, 10, "ten lines, not %u",
		     stream.dst[NORMAL].nr_lost);
	close(fd);
}

Test(emit_told, normal_tells_its_losses)
{
	int fd = begin_with_pipe(NORMAL, 0);

	fill(stream.dst[NORMAL].fd);
	emit_one(1);
	drain(fd);
	emit_one(2);
	cr_assert_eq(count(drain(fd), "\n"), 2, "one line was lost, and all that is said is: %s",
		     text);
	close(fd);
}

/* Longer than a pipe takes at once, so that a part may get through. */
Test(emit_told, lines_that_arrived_and_lines_that_were_lost_are_all_there_were)
{
	static struct t2_event events[100];
	int fd = begin_with_pipe(EVENT, 0), nr_emitted = 0, nr_arrived = 0;
	unsigned nr_lost = 0;

	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 100; i++)
			events[i] = signal_event(i);
		emit(events, 100);
		nr_emitted += 100;
	}
	nr_arrived += (int)count(drain(fd), "\"signo\":");
	cr_assert_gt(nr_arrived, 0);
	cr_assert_lt(nr_arrived, nr_emitted);
	emit_one(1);
	nr_emitted++;
	nr_arrived += (int)count(drain(fd), "\"signo\":");
	cr_assert_eq(sscanf(strstr(text, LOST) + strlen(LOST), "%u", &nr_lost), 1);
	cr_assert_eq(nr_arrived + (int)nr_lost, nr_emitted,
		     "%d lines: %d arrived, and %u are said to be lost", nr_emitted, nr_arrived,
		     nr_lost);
	close(fd);
}
