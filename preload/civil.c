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

static void put_two(struct t2_buf *out, unsigned value)
{
	t2_buf_put_u64_padded(out, value, 2, '0');
}

static void put_date(struct t2_buf *out, const struct t2_civil *civil, const char *separator)
{
	t2_buf_put_u64_padded(out, (uint64_t)civil->year, 4, '0');
	t2_buf_put_str(out, separator);
	put_two(out, civil->month);
	t2_buf_put_str(out, separator);
	put_two(out, civil->day);
}

static void put_time(struct t2_buf *out, const struct t2_civil *civil, const char *separator)
{
	put_two(out, civil->hour);
	t2_buf_put_str(out, separator);
	put_two(out, civil->minute);
	t2_buf_put_str(out, separator);
	put_two(out, civil->second);
	t2_buf_put_char(out, '.');
	t2_buf_put_u64_padded(out, civil->micro, 6, '0');
}

void t2_civil_put_compact(struct t2_buf *out, uint64_t wall_ns)
{
	struct t2_civil civil = t2_civil_from_ns(wall_ns);

	put_date(out, &civil, "");
	t2_buf_put_char(out, 'T');
	put_time(out, &civil, "");
	t2_buf_put_char(out, 'Z');
}

void t2_civil_put_iso(struct t2_buf *out, uint64_t wall_ns)
{
	struct t2_civil civil = t2_civil_from_ns(wall_ns);

	put_date(out, &civil, "-");
	t2_buf_put_char(out, 'T');
	put_time(out, &civil, ":");
	t2_buf_put_char(out, 'Z');
}

void t2_civil_put_clock(struct t2_buf *out, uint64_t wall_ns, int offset_s)
{
	int64_t local = (int64_t)wall_ns + (int64_t)offset_s * 1000000000;
	struct t2_civil civil = t2_civil_from_ns(local < 0 ? 0 : (uint64_t)local);

	put_time(out, &civil, ":");
}
