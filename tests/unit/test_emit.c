/* SPDX-License-Identifier: MIT */
/* preload/emit.c: targets and their numbers, batches, and what is stamped on events. */
#include "preload/limits.h"
#include "preload/pool.h"
#include "tests/unit/emit.h"

#include <stdlib.h>
#include <sys/resource.h>

TestSuite(emit, .init = set_up, .fini = remove_dir, .timeout = 30);

/* --- targets ------------------------------------------------------------------------ */

Test(emit, without_settings_there_is_no_target)
{
	cr_assert_eq(t2_emit_init(&stream, NULL), 0);
	cr_assert_eq(emit_one(1), T2_ALL_TARGETS, "nobody has to be told");
}

Test(emit, what_cannot_be_a_target_does_not_count)
{
	set(T2_SETTING_NORMAL, "0");
	set(T2_SETTING_PERF, "relative");
	set(T2_SETTING_EVENT, "");
	cr_assert_eq(t2_emit_init(&stream, NULL), 0);
}

Test(emit, every_format_has_a_target_of_its_own)
{
	set(T2_SETTING_NORMAL, in_dir("normal"));
	set(T2_SETTING_PERF, in_dir("perf"));
	set(T2_SETTING_EVENT, in_dir("event"));
	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 3);
	cr_assert_eq(emit_one(42), T2_ALL_TARGETS);
	cr_assert_not_null(strstr(file_text(in_dir("normal")), "signal elapsed:"));
	cr_assert_not_null(strstr(file_text(in_dir("normal")), " code:42\n"));
	cr_assert_not_null(strstr(file_text(in_dir("perf")), "| signo:42\n"));
	cr_assert_not_null(strstr(file_text(in_dir("event")), ",\"signo\":42}\n"));
}

Test(emit, the_brief_settings_are_obeyed)
{
	set(T2_SETTING_NORMAL, in_dir("normal"));
	set(T2_SETTING_NORMAL_BRIEF, "yes");
	set(T2_SETTING_PERF, in_dir("perf"));
	set(T2_SETTING_PERF_BRIEF, "no");
	set(T2_SETTING_EVENT, in_dir("event"));
	set(T2_SETTING_EVENT_BRIEF, "unintelligible");
	t2_emit_init(&stream, "UTC0");
	emit_one(42);
	cr_assert(!strncmp(file_text(in_dir("normal")), "signal ", 7));
	cr_assert(strncmp(file_text(in_dir("perf")), "d2 ", 3));
	cr_assert_not_null(strstr(file_text(in_dir("event")), "\"time\":"));
}

Test(emit, the_time_zone_is_that_of_the_start)
{
	struct t2_event event = signal_event(1);

	set(T2_SETTING_NORMAL, in_dir("normal"));
	t2_emit_init(&stream, "XXX-5:45");
	event.wall_ns = start.wall_ns;
	event.abs_ns = start.mono_ns;
	emit(&event, 1);
	cr_assert(!strncmp(file_text(in_dir("normal")), "22:51:52.372883 ", 16), "%s", text);
}

Test(emit, a_directory_gets_a_file_called_by_the_last_component)
{
	set(T2_SETTING_EVENT, dir);
	set(T2_SETTING_PERF, dir);
	t2_emit_init(&stream, "UTC0");
	emit_one(1);
	cr_assert_not_null(strstr(file_text(in_dir(SID)), "| signo:1\n"));
	cr_assert_not_null(strstr(file_text(in_dir(SID ".1")), "\"signo\":1}\n"));
}

Test(emit, an_inherited_target_is_as_new)
{
	struct t2_stream child;

	set(T2_SETTING_EVENT, dir);
	t2_emit_init(&stream, "UTC0");
	emit_one(1);
	stream.dst[EVENT].nr_lost = 5;
	t2_session_begin(&child.session, t2_session_sid(&stream.session), NULL, "child", 8, start);
	t2_emit_inherit(&child, &stream, true);
	t2_emit(&child, "main", (struct t2_event[]){signal_event(2)}, 1, T2_ALL_TARGETS, 0);
	file_text(in_dir("20261120T170652.372883Z-H15a8054a-P00000008"));
	cr_assert_eq(count(text, "\n"), 1);
	cr_assert_not_null(strstr(text, "\"signo\":2}\n"));
	cr_assert_eq(stream.dst[EVENT].nr_lost, 5);
}

/* --- numbers -------------------------------------------------------------------------- */

/* The only one-digit number the test runner has left over, or so it should be. */
static int free_number(void)
{
	for (int fd = 9; fd > 2; fd--) {
		if (fcntl(fd, F_GETFD) < 0)
			return fd;
	}
	cr_skip_test("all of the numbers 3 to 9 are in use");
	return -1;
}

static int open_as(int number, const char *name)
{
	int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(dup2(fd, number), number);
	if (fd != number)
		close(fd);
	return number;
}

static void set_number(enum t2_setting setting, int number)
{
	char digit[] = {(char)('0' + number), '\0'};

	set(setting, digit);
}

static const char *pins_of(const char *name, int number)
{
	static char pins[64];
	struct stat st;

	cr_assert_eq(stat(in_dir(name), &st), 0);
	snprintf(pins, sizeof(pins), "%d:%016lx:%016lx", number, (unsigned long)st.st_dev,
		 (unsigned long)st.st_ino);
	return pins;
}

Test(emit, the_first_process_tells_what_its_numbers_are)
{
	int number = open_as(free_number(), "host");

	set_number(T2_SETTING_EVENT, number);
	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 1);
	cr_assert_not_null(t2_config_value(&t2_config, T2_SETTING_PINS));
	cr_assert_str_eq(t2_config_value(&t2_config, T2_SETTING_PINS), pins_of("host", number));
	cr_assert_eq(t2_emit_numbered(&stream), 1U << EVENT);
	emit_one(3);
	cr_assert_eq(count(file_text(in_dir("host")), "\n"), 1);
}

Test(emit, files_are_not_told_of)
{
	begin_with_file();
	cr_assert_null(t2_config_value(&t2_config, T2_SETTING_PINS));
	cr_assert_eq(t2_emit_numbered(&stream), 0);
}

Test(emit, a_number_that_is_what_was_told_is_written_to)
{
	int number = open_as(free_number(), "host");

	set(T2_SETTING_PINS, pins_of("host", number));
	set_number(T2_SETTING_EVENT, number);
	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 1);
	emit_one(3);
	cr_assert_eq(count(file_text(in_dir("host")), "\n"), 1);
}

Test(emit, a_number_that_is_something_else_by_now_is_not_written_to)
{
	int number = open_as(free_number(), "host");
	char told[64];

	strcpy(told, pins_of("host", number));
	open_as(number, "precious");
	set(T2_SETTING_PINS, told);
	set_number(T2_SETTING_EVENT, number);
	t2_emit_init(&stream, "UTC0");
	emit_one(3);
	cr_assert_str_empty(file_text(in_dir("precious")));
	cr_assert_str_empty(file_text(in_dir("host")));
	cr_assert_str_eq(t2_config_value(&t2_config, T2_SETTING_PINS), told);
}

Test(emit, of_several_pins_the_number_s_own_counts)
{
	int number = open_as(free_number(), "host");
	char told[128];

	snprintf(told, sizeof(told), "2:0000000000000001:0000000000000002,%s",
		 pins_of("host", number));
	set(T2_SETTING_PINS, told);
	set_number(T2_SETTING_EVENT, number);
	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 1);
	emit_one(3);
	cr_assert_eq(count(file_text(in_dir("host")), "\n"), 1);
}

Test(emit, a_closed_number_is_no_target)
{
	set_number(T2_SETTING_EVENT, free_number());
	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 0);
}

/* --- batches -------------------------------------------------------------------------- */

Test(emit, a_batch_is_one_write_in_the_order_of_its_events)
{
	/* Each write to such a pipe is one read from it. */
	int fd = begin_with_pipe(EVENT, O_DIRECT);
	struct t2_event events[] = {signal_event(1), signal_event(2), signal_event(3)};
	ssize_t len;

	cr_assert_eq(emit(events, 3), T2_ALL_TARGETS);
	emit_one(4);
	len = read(fd, text, sizeof(text) - 1);
	cr_assert_gt(len, 0);
	text[len] = '\0';
	cr_assert_eq(count(text, "\n"), 3);
	cr_assert_lt(strstr(text, "\"signo\":1}"), strstr(text, "\"signo\":2}"));
	cr_assert_lt(strstr(text, "\"signo\":2}"), strstr(text, "\"signo\":3}"));
	cr_assert_eq(count(drain(fd), "\n"), 1);
	close(fd);
}

Test(emit, no_events_are_nothing_to_tell)
{
	begin_with_file();
	t2_emit(&stream, "main", NULL, 0, T2_ALL_TARGETS, 0);
	cr_assert_neq(access(in_dir("event"), F_OK), 0);
}

Test(emit, a_kind_the_format_does_not_show_makes_no_file)
{
	struct t2_event event = event_of(T2_EVENT_THREAD_START);

	set(T2_SETTING_NORMAL, in_dir("normal"));
	t2_emit_init(&stream, "UTC0");
	emit(&event, 1);
	cr_assert_neq(access(in_dir("normal"), F_OK), 0);
}

Test(emit, a_line_beyond_the_block_size_is_whole)
{
	struct t2_event event = event_of(T2_EVENT_START);
	char *word = calloc(1, 100001);
	const char *argv[] = {word, "last", NULL};

	memset(word, 'w', 100000);
	begin_with_file();
	event.u.start.argv = argv;
	cr_assert_eq(emit(&event, 1), T2_ALL_TARGETS);
	file_text(in_dir("event"));
	cr_assert_eq(count(text, "\n"), 1);
	cr_assert_eq(count(text, "wwwwwwwwww"), 10000);
	cr_assert_not_null(strstr(text, "\",\"last\"]}\n"));
	free(word);
}

Test(emit, every_length_around_the_block_size_is_whole)
{
	struct t2_event event = event_of(T2_EVENT_CMD_PATH);
	char *path = calloc(1, T2_BLOCK_SIZE + 100);
	size_t overhead;

	begin_with_file();
	event.u.cmd_path.path = "";
	emit(&event, 1);
	overhead = strlen(file_text(in_dir("event")));
	for (size_t len = T2_BLOCK_SIZE - overhead - 3; len < T2_BLOCK_SIZE - overhead + 3; len++) {
		memset(path, 'p', len);
		unlink(in_dir("event"));
		event = event_of(T2_EVENT_CMD_PATH);
		event.u.cmd_path.path = path;
		emit(&event, 1);
		cr_assert_eq(strlen(file_text(in_dir("event"))), overhead + len);
		cr_assert_str_eq(text + strlen(text) - 4, "p\"}\n");
	}
	free(path);
}

Test(emit, a_batch_beyond_the_block_size_is_whole)
{
	static struct t2_event events[1000];

	for (int i = 0; i < 1000; i++)
		events[i] = signal_event(i);
	begin_with_file();
	cr_assert_eq(emit(events, 1000), T2_ALL_TARGETS);
	cr_assert_eq(count(file_text(in_dir("event")), "\n"), 1000);
	cr_assert_not_null(strstr(text, "\"signo\":999}\n"));
}

Test(emit, no_memory_is_left_claimed)
{
	struct t2_block block;

	begin_with_file();
	for (int i = 0; i < 3 * T2_BLOCKS; i++)
		emit_one(i);
	cr_assert_eq(t2_pool_claim(&block, 1, &block), 0);
	cr_assert_eq(block.index, 0);
}

Test(emit, without_memory_the_event_is_lost)
{
	struct rlimit limit, none;
	struct t2_block block;
	unsigned told;

	begin_with_file();
	while (!t2_pool_claim(&block, 1, &block) && block.index >= 0)
		;
	getrlimit(RLIMIT_AS, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &none);
	told = emit_one(1);
	setrlimit(RLIMIT_AS, &limit);
	cr_assert_eq(told, T2_ALL_TARGETS, "what is counted is not told again");
	cr_assert_eq(stream.dst[EVENT].nr_lost, 1);
}

/* --- stamps --------------------------------------------------------------------------- */

Test(emit, events_belong_to_the_session_and_the_thread)
{
	struct t2_event event = signal_event(1);

	begin_with_file();
	t2_emit(&stream, "th01:worker", &event, 1, T2_ALL_TARGETS, 0);
	cr_assert_str_eq(event.sid, t2_session_sid(&stream.session));
	cr_assert_str_eq(event.thread, "th01:worker");
	cr_assert_eq(event.depth, 2);
	cr_assert_not_null(strstr(file_text(in_dir("event")),
				  "\"sid\":\"a/20200101T000000.000000Z-H15a8054a-P00000001/" SID
				  "\",\"thread\":\"th01:worker\""));
}

/* Both readings are cut to microseconds before they are subtracted, as git does. */
static const struct {
	uint64_t mono_ns, abs_ns;
} readings[] = {
	{5000000999, 0},
	{5000001000, 1000},
	{5000001998, 1000},
	{5001234999, 1234000},
	{5999999999, 999999000},
	{6000000000, 1000000000},
	{5000000000, 0},
	{4999999999, 0},
	{1, 0},
	{105000000999, 100000000000},
};

Test(emit, given_times_are_readings_of_the_monotonic_clock)
{
	begin_with_file();
	for (size_t i = 0; i < sizeof(readings) / sizeof(*readings); i++) {
		struct t2_event event = signal_event(1);
		char expected[64];

		event.wall_ns = start.wall_ns + 1;
		event.abs_ns = readings[i].mono_ns;
		unlink(in_dir("event"));
		emit(&event, 1);
		cr_assert_eq(event.abs_ns, readings[i].abs_ns, "at %lu it is %lu, not %lu",
			     readings[i].mono_ns, readings[i].abs_ns, event.abs_ns);
		cr_assert_eq(event.wall_ns, start.wall_ns + 1);
		snprintf(expected, sizeof(expected), "\"t_abs\":%lu.%06lu,",
			 readings[i].abs_ns / 1000000000, readings[i].abs_ns / 1000 % 1000000);
		cr_assert_not_null(strstr(file_text(in_dir("event")), expected), "no %s in %s",
				   expected, text);
	}
}

Test(emit, events_without_a_time_get_the_present_one)
{
	struct t2_event events[] = {signal_event(1), signal_event(2), signal_event(3)};
	struct t2_moment before, after;

	begin_with_file();
	stream.session.start = t2_clock_now();
	events[1].wall_ns = 1000;
	events[1].abs_ns = stream.session.start.mono_ns;
	before = t2_clock_now();
	emit(events, 3);
	after = t2_clock_now();
	cr_assert_geq(events[0].wall_ns, before.wall_ns);
	cr_assert_leq(events[0].wall_ns, after.wall_ns);
	cr_assert_geq(events[0].abs_ns + 1000, before.mono_ns - stream.session.start.mono_ns);
	cr_assert_leq(events[0].abs_ns, after.mono_ns - stream.session.start.mono_ns + 1000);
	cr_assert_eq(events[0].abs_ns % 1000, 0);
	cr_assert_eq(events[2].wall_ns, events[0].wall_ns, "one reading for a batch");
	cr_assert_eq(events[2].abs_ns, events[0].abs_ns, "one reading for a batch");
	cr_assert_eq(events[1].wall_ns, 1000, "a given time stays");
	cr_assert_eq(events[1].abs_ns, 0);
}
