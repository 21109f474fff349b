/* SPDX-License-Identifier: MIT */
/* formatters/scalar_reader.c: numbers and times, and the edges of their ranges. */
#include "formatters/scalar_reader.h"

#include <criterion/criterion.h>
#include <string.h>

#define OK T2_SCALAR_OK
#define FORM T2_SCALAR_WRONG_FORM
#define RANGE T2_SCALAR_OUT_OF_RANGE

static const struct {
	const char *text;
	enum t2_scalar result;
	int64_t value;
} numbers[] = {
	{"0", OK, 0},
	{"-0", OK, 0},
	{"4711", OK, 4711},
	{"-1", OK, -1},
	{"9223372036854775807", OK, INT64_MAX},
	{"-9223372036854775807", OK, -INT64_MAX},
	{"9223372036854775808", RANGE, 0},
	{"-9223372036854775808", RANGE, 0},
	{"99999999999999999999999999", RANGE, 0},
	{"1.0", FORM, 0},
	{"1e3", FORM, 0},
};

Test(scalar_reader, reads_whole_numbers)
{
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const char *text = numbers[i].text;
		int64_t value = 0;

		cr_expect_eq(t2_scalar_to_i64(text, strlen(text), &value), numbers[i].result, "%s",
			     text);
		cr_expect_eq(value, numbers[i].value, "%s", text);
	}
}

static const struct {
	const char *text;
	enum t2_scalar result;
	uint64_t ns;
} seconds[] = {
	{"0", OK, 0},
	{"0.000000", OK, 0},
	{"-0.0", OK, 0},
	{"0.001234", OK, 1234000},
	{"1.5", OK, 1500000000},
	{"86400.000001", OK, 86400000001000},
	{"0.123456789", OK, 123456789},
	{"0.1234567899", OK, 123456789},
	{"0.00000000000000000000000000001", OK, 0},
	{"1.00000000000000000000000000001", OK, 1000000000},
	{"1e-05", OK, 10000},
	{"1E3", OK, 1000000000000},
	{"1.5e+2", OK, 150000000000},
	{"12e-1", OK, 1200000000},
	{"0e99999999999", OK, 0},
	{"1e-99999999999", OK, 0},
	{"18446744073.70955161", OK, 18446744073709551610U},
	{"18446744073", OK, 18446744073000000000U},
	{"18446744074", RANGE, 0},
	{"1e10000000000", RANGE, 0},
	{"100000000000000000000000000000000", RANGE, 0},
	{"-0.000001", RANGE, 0},
	{"-1e-9", RANGE, 0},
};

Test(scalar_reader, reads_seconds)
{
	size_t i;

	for (i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
		const char *text = seconds[i].text;
		uint64_t ns = 0;

		cr_expect_eq(t2_scalar_to_ns(text, strlen(text), &ns), seconds[i].result, "%s",
			     text);
		cr_expect_eq(ns, seconds[i].ns, "%s is %lu", text, (unsigned long)ns);
	}
}

#define S(n) ((n) * (uint64_t)1000000000)

static const struct {
	const char *text;
	enum t2_scalar result;
	uint64_t wall_ns;
} times[] = {
	{"1970-01-01T00:00:00Z", OK, 0},
	{"1970-01-01T01:00:00+01:00", OK, 0},
	{"1969-12-31T19:00:00-05:00", OK, 0},
	{"2026-11-20T17:06:52.372950Z", OK, 1795194412372950000},
	{"2026-11-20T17:06:52.372950+00:00", OK, 1795194412372950000},
	{"2026-11-20T22:36:52.37295+05:30", OK, 1795194412372950000},
	{"2026-11-20T17:06:52.3729509999Z", OK, 1795194412372950999},
	{"2000-02-29T00:00:00Z", OK, S(951782400)},
	{"2000-03-01T00:00:00Z", OK, S(951868800)},
	{"2024-02-29T00:00:00Z", OK, S(1709164800)},
	{"2024-12-31T23:59:59Z", OK, S(1735689599)},
	{"2016-12-31T23:59:60Z", OK, S(1483228800)},
	{"2100-03-01T00:00:00Z", OK, S(4107542400)},
	{"1969-12-31T23:59:59Z", RANGE, 0},
	{"1970-01-01T00:00:00+00:01", RANGE, 0},
	{"2600-01-01T00:00:00Z", RANGE, 0},
	{"9999-12-31T23:59:59Z", RANGE, 0},
	{"0001-01-01T00:00:00Z", RANGE, 0},
	{"", FORM, 0},
	{"2026", FORM, 0},
	{"2026-11-20", FORM, 0},
	{"2026-11-20T17:06:52", FORM, 0},
	{"2026-11-20T17:06:52.Z", FORM, 0},
	{"2026-11-20T17:06:52z", FORM, 0},
	{"2026-11-20 17:06:52Z", FORM, 0},
	{"2026-11-20T17:06:52Z ", FORM, 0},
	{"2026-11-20T17:06:52+0100", FORM, 0},
	{"2026-11-20T17:06:52+24:00", FORM, 0},
	{"2026-13-20T17:06:52Z", FORM, 0},
	{"2026-00-20T17:06:52Z", FORM, 0},
	{"2026-02-29T17:06:52Z", FORM, 0},
	{"2100-02-29T17:06:52Z", FORM, 0},
	{"2026-11-31T17:06:52Z", FORM, 0},
	{"2026-11-20T24:06:52Z", FORM, 0},
	{"2026-11-20T17:60:52Z", FORM, 0},
	{"2026-11-20T17:06:61Z", FORM, 0},
	{"26-11-20T17:06:52Z", FORM, 0},
};

Test(scalar_reader, reads_times)
{
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		uint64_t wall_ns = 0;

		cr_expect_eq(t2_scalar_to_wall_ns(times[i].text, &wall_ns), times[i].result, "%s",
			     times[i].text);
		cr_expect_eq(wall_ns, times[i].wall_ns, "%s is %lu", times[i].text,
			     (unsigned long)wall_ns);
	}
}
