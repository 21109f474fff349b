/* SPDX-License-Identifier: MIT */
#include "preload/zone.h"

#include <stdbool.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/civil.h"
#include "preload/limits.h"
#include "preload/pool.h"
#include "preload/sys.h"

#define DAY 86400

/* Reading a rule: what is left of it. A syntax error leaves an empty rest. */
struct cursor {
	const char *at;
};

static bool skip(struct cursor *in, char c)
{
	if (*in->at != c)
		return false;
	in->at++;
	return true;
}

static int number(struct cursor *in)
{
	int value = 0;

	while (*in->at >= '0' && *in->at <= '9' && value < 100000)
		value = value * 10 + (*in->at++ - '0');
	return value;
}

/* [+-]hh[:mm[:ss]] in seconds; a rule's date may be up to a week off (RFC 8536). */
static int clock_time(struct cursor *in)
{
	int sign = skip(in, '-') ? -1 : 1;
	int hours, minutes = 0, seconds = 0;

	skip(in, '+');
	hours = number(in);
	if (skip(in, ':'))
		minutes = number(in);
	if (skip(in, ':'))
		seconds = number(in);
	return hours > 167 || minutes > 59 || seconds > 59
		       ? 0
		       : sign * (hours * 3600 + minutes * 60 + seconds);
}

/* What is added to a zone's clock to get UTC; no zone is further away than a day. */
static int zone_time(struct cursor *in)
{
	int seconds = clock_time(in);

	return seconds > DAY || seconds < -DAY ? 0 : seconds;
}

static bool name(struct cursor *in)
{
	const char *start = in->at;

	if (skip(in, '<')) {
		while (*in->at && *in->at != '>')
			in->at++;
		return skip(in, '>');
	}
	while ((*in->at | 0x20) >= 'a' && (*in->at | 0x20) <= 'z')
		in->at++;
	return in->at - start >= 3;
}

static bool is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_before_month(int year, int month)
{
	static const short days[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

	return days[month - 1] + (month > 2 && is_leap(year));
}

/* Days from the epoch to the first of January; years from 1970 on. */
static int64_t days_before_year(int year)
{
	int y = year - 1;

	return (int64_t)(year - 1970) * 365 + (y / 4 - 492) - (y / 100 - 19) + (y / 400 - 4);
}

/* "Mm.w.d": weekday d of week w of month m; week 5 is the last. */
static int day_by_week(struct cursor *in, int year)
{
	int month = number(in), week, weekday, first, day, length;

	skip(in, '.');
	week = number(in);
	skip(in, '.');
	weekday = number(in);
	if (month < 1 || month > 12)
		return 0;
	first = days_before_month(year, month);
	length = (month < 12 ? days_before_month(year, month + 1) : 365 + is_leap(year)) - first;
	/* The epoch was a Thursday. */
	day = (weekday - (int)((days_before_year(year) + first + 4) % 7) + 7) % 7 + 7 * (week - 1);
	return first + (day >= length ? day - 7 : day);
}

/* A date of the rule, as seconds from the start of @year on the local clock. */
static int64_t rule_date(struct cursor *in, int year)
{
	int day;

	if (skip(in, 'M')) {
		day = day_by_week(in, year);
	} else if (skip(in, 'J')) { /* 1 to 365, never the leap day */
		day = number(in);
		day += is_leap(year) && day >= 60 ? 0 : -1;
	} else {
		day = number(in);
	}
	return (int64_t)day * DAY + (skip(in, '/') ? clock_time(in) : 2 * 3600);
}

int t2_zone_offset_of_rule(const char *rule, int64_t unix_s)
{
	struct cursor in = {rule};
	int standard, summer, year;
	int64_t now, start, end;

	if (!name(&in))
		return 0;
	standard = -zone_time(&in);
	if (!name(&in))
		return standard;
	summer = *in.at && *in.at != ',' ? -zone_time(&in) : standard + 3600;
	if (!skip(&in, ',')) /* glibc's default: the rule of the United States */
		in.at = "M3.2.0,M11.1.0";

	year = t2_civil_from_ns((uint64_t)(unix_s + standard) * 1000000000).year;
	start = rule_date(&in, year) - standard;
	skip(&in, ',');
	end = rule_date(&in, year) - summer;
	now = unix_s - days_before_year(year) * DAY;
	if (start < end)
		return now >= start && now < end ? summer : standard;
	return now >= start || now < end ? summer : standard;
}

static int64_t big_endian(const unsigned char *at, int nr_bytes)
{
	uint64_t value = nr_bytes == 4 && at[0] & 0x80 ? UINT64_MAX : 0;

	while (nr_bytes--)
		value = value << 8 | *at++;
	return (int64_t)value;
}

/* One of the two tables of a zone file: counts and where its parts begin. */
struct table {
	const unsigned char *times, *indexes, *types, *end;
	size_t nr_times, nr_types;
	int time_size;
};

/* The table whose header is at @at; false if it does not fit into @len bytes. */
static bool read_table(struct table *t, const unsigned char *at, size_t len, int time_size)
{
	size_t nr_isut, nr_isstd, nr_leap, nr_chars;

	if (len < 44 || memcmp(at, "TZif", 4))
		return false;
	nr_isut = (size_t)big_endian(at + 20, 4) & 0xffff;
	nr_isstd = (size_t)big_endian(at + 24, 4) & 0xffff;
	nr_leap = (size_t)big_endian(at + 28, 4) & 0xffff;
	t->nr_times = (size_t)big_endian(at + 32, 4) & 0xffff;
	t->nr_types = (size_t)big_endian(at + 36, 4) & 0xffff;
	nr_chars = (size_t)big_endian(at + 40, 4) & 0xffff;
	t->time_size = time_size;
	t->times = at + 44;
	t->indexes = t->times + t->nr_times * (size_t)time_size;
	t->types = t->indexes + t->nr_times;
	t->end = t->types + t->nr_types * 6 + nr_chars + nr_leap * ((size_t)time_size + 4) +
		 nr_isstd + nr_isut;
	return t->nr_types && (size_t)(t->end - at) <= len;
}

static int offset_in_table(const struct table *t, int64_t unix_s)
{
	size_t type = 0;

	for (size_t i = 0; i < t->nr_times; i++) {
		if (big_endian(t->times + i * (size_t)t->time_size, t->time_size) > unix_s)
			break;
		type = t->indexes[i];
	}
	return type < t->nr_types ? (int)big_endian(t->types + 6 * type, 4) : 0;
}

int t2_zone_offset_of_file(const void *bytes, size_t len, int64_t unix_s)
{
	const unsigned char *at = bytes;
	struct table first, t;
	size_t used;
	char rule[80];
	size_t rule_len = 0;

	if (!read_table(&first, at, len, 4))
		return 0;
	used = (size_t)(first.end - at);
	if (at[4] < '2' || !read_table(&t, at + used, len - used, 8))
		return offset_in_table(&first, unix_s);
	/* Behind the last transition the footer's rule holds. */
	if (t.nr_times && big_endian(t.times + 8 * (t.nr_times - 1), 8) > unix_s)
		return offset_in_table(&t, unix_s);
	for (const unsigned char *c = t.end + 1; c < at + len && *c != '\n' && rule_len < 79; c++)
		rule[rule_len++] = (char)*c;
	rule[rule_len] = '\0';
	return rule_len ? t2_zone_offset_of_rule(rule, unix_s) : offset_in_table(&t, unix_s);
}

static int open_zone(const char *tz)
{
	char path[256];
	struct t2_buf out;

	if (!tz)
		return t2_sys_open("/etc/localtime", O_RDONLY | O_CLOEXEC, 0);
	t2_buf_init(&out, path, sizeof(path));
	if (*tz != '/')
		t2_buf_put_str(&out, "/usr/share/zoneinfo/");
	t2_buf_put_str(&out, tz);
	t2_buf_put_char(&out, '\0');
	return t2_buf_overflowed(&out) ? -1 : t2_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
}

int t2_zone_offset(const char *tz, int64_t unix_s)
{
	struct t2_block block;
	int offset = 0;
	ssize_t len;
	int fd;

	if (tz && *tz == ':')
		tz++;
	if (tz && !*tz)
		return 0;
	fd = open_zone(tz);
	if (fd < 0)
		return tz ? t2_zone_offset_of_rule(tz, unix_s) : 0;
	if (!t2_pool_claim(&block, T2_BLOCK_SIZE, &block)) {
		len = t2_sys_read(fd, block.mem, block.size);
		if (len > 0)
			offset = t2_zone_offset_of_file(block.mem, (size_t)len, unix_s);
		t2_pool_release(&block);
	}
	t2_sys_close(fd);
	return offset;
}
