/* SPDX-License-Identifier: MIT */
#include "formatters/scalar_reader.h"

#include <stdbool.h>
#include <string.h>

#define NS_PER_S 1000000000

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

enum t2_scalar t2_scalar_to_i64(const char *text, size_t len, int64_t *ret_value)
{
	const char *end = text + len;
	bool is_negative = len && *text == '-';
	uint64_t value = 0;

	for (text += is_negative; text < end; text++) {
		if (!is_digit(*text))
			return T2_SCALAR_WRONG_FORM;
		if (value > (uint64_t)INT64_MAX / 10)
			return T2_SCALAR_OUT_OF_RANGE;
		value = value * 10 + (uint64_t)(*text - '0');
	}
	if (value > (uint64_t)INT64_MAX)
		return T2_SCALAR_OUT_OF_RANGE;
	*ret_value = is_negative ? -(int64_t)value : (int64_t)value;
	return T2_SCALAR_OK;
}

/* The exponent of a JSON number, bounded so that nobody can overflow it. */
static int read_exponent(const char *text, const char *end)
{
	bool is_negative = text < end && *text == '-';
	int exponent = 0;

	if (text < end && (*text == '-' || *text == '+'))
		text++;
	for (; text < end; text++) {
		if (exponent < 100000)
			exponent = exponent * 10 + (*text - '0');
	}
	return is_negative ? -exponent : exponent;
}

static enum t2_scalar scale(uint64_t mantissa, int exponent, uint64_t *ret_value)
{
	for (; mantissa && exponent > 0; exponent--) {
		if (mantissa > (UINT64_MAX - 1) / 10)
			return T2_SCALAR_OUT_OF_RANGE;
		mantissa *= 10;
	}
	for (; mantissa && exponent < 0; exponent++)
		mantissa /= 10;
	*ret_value = mantissa;
	return T2_SCALAR_OK;
}

enum t2_scalar t2_scalar_to_ns(const char *text, size_t len, uint64_t *ret_ns)
{
	const char *end = text + len;
	bool is_negative = len && *text == '-';
	bool is_fraction = false;
	uint64_t mantissa = 0;
	int exponent = 9;

	for (text += is_negative; text < end; text++) {
		bool is_kept = mantissa <= (UINT64_MAX - 9) / 10;

		if (*text == '.') {
			is_fraction = true;
			continue;
		}
		if (!is_digit(*text))
			break;
		if (is_kept)
			mantissa = mantissa * 10 + (uint64_t)(*text - '0');
		/* A digit that is not kept counts where it makes the number larger. */
		if (is_kept == is_fraction)
			exponent += is_fraction ? -1 : 1;
	}
	if (is_negative && mantissa)
		return T2_SCALAR_OUT_OF_RANGE;
	if (text < end)
		exponent += read_exponent(text + 1, end);
	return scale(mantissa, exponent, ret_ns);
}

/* --- dates ------------------------------------------------------------------ */

/* @nr digits at *@at, between @min and @max, and what follows them. */
static bool read_field(const char **at, int nr, int min, int max, int *ret_value)
{
	int value = 0;

	for (; nr; nr--, (*at)++) {
		if (!is_digit(**at))
			return false;
		value = value * 10 + (**at - '0');
	}
	*ret_value = value;
	return value >= min && value <= max;
}

static bool skip_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

static bool is_leap(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Since 1970-01-01; negative before. */
static int64_t count_days(int year, int month, int day)
{
	static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	int past = year - 1;
	int64_t days = (int64_t)past * 365 + past / 4 - past / 100 + past / 400;

	return days - 719162 + before[month - 1] + (month > 2 && is_leap(year)) + day - 1;
}

static bool read_date(const char **at, int64_t *ret_days)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year, month, day;

	if (!read_field(at, 4, 1, 9999, &year) || !skip_char(at, '-') ||
	    !read_field(at, 2, 1, 12, &month) || !skip_char(at, '-') ||
	    !read_field(at, 2, 1, 31, &day))
		return false;
	if (day > lengths[month - 1] + (month == 2 && is_leap(year)))
		return false;
	*ret_days = count_days(year, month, day);
	return true;
}

/* "hh:mm:ss"; a leap second is the first one of the next minute. */
static bool read_clock(const char **at, int64_t *ret_seconds)
{
	int hour, minute, second;

	if (!read_field(at, 2, 0, 23, &hour) || !skip_char(at, ':') ||
	    !read_field(at, 2, 0, 59, &minute) || !skip_char(at, ':') ||
	    !read_field(at, 2, 0, 60, &second))
		return false;
	*ret_seconds = ((int64_t)hour * 60 + minute) * 60 + second;
	return true;
}

static bool read_fraction(const char **at, int64_t *ret_ns)
{
	int64_t unit = NS_PER_S;
	int64_t ns = 0;

	*ret_ns = 0;
	if (!skip_char(at, '.'))
		return true;
	if (!is_digit(**at))
		return false;
	for (; is_digit(**at); (*at)++) {
		unit /= 10;
		ns += unit * (**at - '0');
	}
	*ret_ns = ns;
	return true;
}

/* East of Greenwich. */
static bool read_zone(const char **at, int64_t *ret_seconds)
{
	bool is_west = **at == '-';
	int hour, minute;

	*ret_seconds = 0;
	if (skip_char(at, 'Z'))
		return true;
	if (!skip_char(at, '+') && !skip_char(at, '-'))
		return false;
	if (!read_field(at, 2, 0, 23, &hour) || !skip_char(at, ':') ||
	    !read_field(at, 2, 0, 59, &minute))
		return false;
	*ret_seconds = ((int64_t)hour * 60 + minute) * (is_west ? -60 : 60);
	return true;
}

enum t2_scalar t2_scalar_to_wall_ns(const char *text, uint64_t *ret_wall_ns)
{
	int64_t days, seconds, ns, offset_s;

	if (!read_date(&text, &days) || !skip_char(&text, 'T') || !read_clock(&text, &seconds) ||
	    !read_fraction(&text, &ns) || !read_zone(&text, &offset_s) || *text)
		return T2_SCALAR_WRONG_FORM;
	seconds += days * 86400 - offset_s;
	/* One second of room for the fraction, and for the value of a time not there. */
	if (seconds < 0 || (uint64_t)seconds >= UINT64_MAX / NS_PER_S)
		return T2_SCALAR_OUT_OF_RANGE;
	*ret_wall_ns = (uint64_t)seconds * NS_PER_S + (uint64_t)ns;
	return T2_SCALAR_OK;
}
