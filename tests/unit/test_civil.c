/* SPDX-License-Identifier: MIT */
/* preload/civil.c: dates against gmtime_r, and the three forms they are written in. */
#include "preload/buf.h"
#include "preload/civil.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#define SECOND 1000000000ULL

/* Asserts only what fails: each assertion is a message to the test runner. */
static void assert_as_libc_says(uint64_t seconds)
{
	struct t2_civil civil = t2_civil_from_ns(seconds * SECOND);
	time_t at = (time_t)seconds;
	struct tm tm;

	gmtime_r(&at, &tm);
	if (civil.year == tm.tm_year + 1900 && (int)civil.month == tm.tm_mon + 1 &&
	    (int)civil.day == tm.tm_mday && (int)civil.hour == tm.tm_hour &&
	    (int)civil.minute == tm.tm_min && (int)civil.second == tm.tm_sec)
		return;
	cr_assert_fail(
		"second %llu is %d-%02d-%02d %02d:%02d:%02d, not %d-%02u-%02u %02u:%02u:%02u",
		(unsigned long long)seconds, tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		tm.tm_hour, tm.tm_min, tm.tm_sec, civil.year, civil.month, civil.day, civil.hour,
		civil.minute, civil.second);
}

Test(civil, both_ends_of_every_day_until_2200_are_as_libc_says)
{
	uint64_t day;

	for (day = 0; day < 84006; day++) {
		assert_as_libc_says(day * 86400);
		assert_as_libc_says(day * 86400 + 86399);
	}
}

Test(civil, any_second_is_as_libc_says)
{
	uint64_t state = 1;
	int i;

	for (i = 0; i < 100000; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		/* Up to 2515: all that nanoseconds since the epoch can say is 2554. */
		assert_as_libc_says((state >> 30) % (UINT64_MAX / SECOND - 86400 * 365 * 40ULL));
	}
}

Test(civil, fractions_are_cut_to_microseconds)
{
	cr_assert_eq(t2_civil_from_ns(5 * SECOND + 999).micro, 0);
	cr_assert_eq(t2_civil_from_ns(5 * SECOND + 1999).micro, 1);
	cr_assert_eq(t2_civil_from_ns(6 * SECOND - 1).micro, 999999);
	cr_assert_eq(t2_civil_from_ns(6 * SECOND - 1).second, 5);
}

static char text[64];
static struct t2_buf out;

static void start(void)
{
	t2_buf_init(&out, text, sizeof(text) - 1);
}

static void assert_wrote(const char *expected)
{
	text[out.len] = '\0';
	cr_assert_str_eq(text, expected);
}

TestSuite(civil, .init = start);

/* 2026-11-20T17:06:52.372883Z, and a bit that is cut off */
#define WALL_NS 1795194412372883999ULL

Test(civil, the_compact_form_is_that_of_a_session_id)
{
	t2_civil_put_compact(&out, WALL_NS);
	assert_wrote("20261120T170652.372883Z");
}

Test(civil, the_iso_form_is_that_of_an_event_line)
{
	t2_civil_put_iso(&out, WALL_NS);
	assert_wrote("2026-11-20T17:06:52.372883Z");
}

Test(civil, small_numbers_are_padded_with_zeros)
{
	t2_civil_put_iso(&out, (31 + 1) * 86400 * SECOND + 3723 * SECOND + 4000);
	assert_wrote("1970-02-02T01:02:03.000004Z");
}

static const struct {
	int offset_s;
	const char *text;
} clocks[] = {
	{0, "17:06:52.372883"},
	{3600, "18:06:52.372883"},
	{-3600, "16:06:52.372883"},
	{14 * 3600, "07:06:52.372883"},
	{-12 * 3600, "05:06:52.372883"},
	{-(17 * 3600 + 6 * 60 + 53), "23:59:59.372883"},
	{5 * 3600 + 45 * 60, "22:51:52.372883"},
	{-1172, "16:47:20.372883"},
};

Test(civil, the_clock_is_moved_by_the_offset)
{
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		start();
		t2_civil_put_clock(&out, WALL_NS, clocks[i].offset_s);
		assert_wrote(clocks[i].text);
	}
}
