/* SPDX-License-Identifier: MIT */
#include "preload/civil.h"

#include "preload/buf.h"

#define DAYS_PER_ERA 146097 /* 400 years */

/*
 * The year is taken to begin in March, so that the leap day is its last one and
 * the months' lengths follow the line (153 m + 2) / 5.
 */
struct t2_civil t2_civil_from_ns(uint64_t wall_ns)
{
	uint64_t seconds = wall_ns / 1000000000;
	uint64_t days = seconds / 86400 + 719468; /* since 0000-03-01 */
	unsigned time = (unsigned)(seconds % 86400);
	unsigned day_of_era = (unsigned)(days % DAYS_PER_ERA);
	unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 -
				day_of_era / (DAYS_PER_ERA - 1)) /
			       365;
	unsigned day_of_year =
		day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	unsigned month = (5 * day_of_year + 2) / 153; /* from March */
	struct t2_civil civil = {
		.year = (int)(days / DAYS_PER_ERA * 400 + year_of_era + (month >= 10)),
		.month = month < 10 ? month + 3 : month - 9,
		.day = day_of_year - (153 * month + 2) / 5 + 1,
		.hour = time / 3600,
		.minute = time / 60 % 60,
		.second = time % 60,
		.micro = (unsigned)(wall_ns / 1000 % 1000000),
	};

	return civil;
}

/*
 * "YYYY-MM-DD" or "YYYYMMDD" at @at; years of four digits, as far as the clock goes.
 * Returns its end.
 */
static char *put_date(char *at, const struct t2_civil *civil, bool is_compact)
{
	t2_buf_two_digits(at, (unsigned)civil->year / 100 % 100);
	t2_buf_two_digits(at + 2, (unsigned)civil->year % 100);
	at += 4;
	if (!is_compact)
		*at++ = '-';
	t2_buf_two_digits(at, civil->month);
	at += 2;
	if (!is_compact)
		*at++ = '-';
	t2_buf_two_digits(at, civil->day);
	return at + 2;
}

/* "hh:mm:ss.uuuuuu" or "hhmmss.uuuuuu" at @at. Returns its end. */
static char *put_time(char *at, const struct t2_civil *civil, bool is_compact)
{
	t2_buf_two_digits(at, civil->hour);
	at += 2;
	if (!is_compact)
		*at++ = ':';
	t2_buf_two_digits(at, civil->minute);
	at += 2;
	if (!is_compact)
		*at++ = ':';
	t2_buf_two_digits(at, civil->second);
	at[2] = '.';
	t2_buf_two_digits(at + 3, civil->micro / 10000);
	t2_buf_two_digits(at + 5, civil->micro / 100 % 100);
	t2_buf_two_digits(at + 7, civil->micro % 100);
	return at + 9;
}

static void put_moment(struct t2_buf *out, uint64_t wall_ns, bool is_compact)
{
	struct t2_civil civil = t2_civil_from_ns(wall_ns);
	char text[sizeof("2025-11-20T17:06:52.372883Z")];
	char *at = put_date(text, &civil, is_compact);

	*at++ = 'T';
	at = put_time(at, &civil, is_compact);
	*at++ = 'Z';
	t2_buf_put(out, text, (size_t)(at - text));
}

void t2_civil_put_compact(struct t2_buf *out, uint64_t wall_ns)
{
	put_moment(out, wall_ns, true);
}

void t2_civil_put_iso(struct t2_buf *out, uint64_t wall_ns)
{
	put_moment(out, wall_ns, false);
}

void t2_civil_put_clock(struct t2_buf *out, uint64_t wall_ns, int offset_s)
{
	int64_t local = (int64_t)wall_ns + (int64_t)offset_s * 1000000000;
	struct t2_civil civil = t2_civil_from_ns(local < 0 ? 0 : (uint64_t)local);
	char text[sizeof("17:06:52.372883")];

	t2_buf_put(out, text, (size_t)(put_time(text, &civil, false) - text));
}
