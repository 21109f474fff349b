/* SPDX-License-Identifier: MIT */
/*
 * command/text.c: numbers and hostile text as they are read.
 */
#include "command/text.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#define MS INT64_C(1000000)
#define S (1000 * MS)

static void expect_duration(int64_t ns, const char *wanted)
{
	char out[T2_TEXT_MAX];

	cr_expect_str_eq(t2_text_duration(out, ns), wanted, "%s, not %s", out, wanted);
}

Test(view_text, durations_have_three_digits_and_round_half_up)
{
	expect_duration(0, "0s");
	expect_duration(1, "1ns");
	expect_duration(999, "999ns");
	expect_duration(1499, "1us");
	expect_duration(1500, "2us");
	expect_duration(999499, "999us");
	expect_duration(999500, "1.00ms");
	expect_duration(9994999, "9.99ms");
	expect_duration(9995000, "10.0ms");
	expect_duration(99950 * MS / 1000, "100ms");
	expect_duration(999500000, "1.00s");
	expect_duration(1234 * MS, "1.23s");
	expect_duration(48200 * MS, "48.2s");
	expect_duration(59949 * MS, "59.9s");
	expect_duration(59950 * MS, "1m00.0s");
	expect_duration(252300 * MS, "4m12.3s");
	expect_duration(3599949 * MS, "59m59.9s");
	expect_duration(3599950 * MS, "1h00m00s");
	expect_duration(7392 * S, "2h03m12s");
	expect_duration(-1234 * MS, "-1.23s");
	expect_duration(INT64_MIN, "-2562047h47m17s");
}

Test(view_text, bytes_percents_and_counts)
{
	char out[T2_TEXT_MAX];

	cr_expect_str_eq(t2_text_bytes(out, 0), "0K");
	cr_expect_str_eq(t2_text_bytes(out, 999), "999K");
	cr_expect_str_eq(t2_text_bytes(out, 1000), "1.0M");
	cr_expect_str_eq(t2_text_bytes(out, 4096), "4.0M");
	cr_expect_str_eq(t2_text_bytes(out, 102400), "100M");
	cr_expect_str_eq(t2_text_bytes(out, 2202010), "2.1G");
	cr_expect_str_eq(t2_text_percent(out, 0), "0%");
	cr_expect_str_eq(t2_text_percent(out, 499), "<0.1%");
	cr_expect_str_eq(t2_text_percent(out, 500), "0.1%");
	cr_expect_str_eq(t2_text_percent(out, 99499), "9.9%");
	cr_expect_str_eq(t2_text_percent(out, 99500), "10%");
	cr_expect_str_eq(t2_text_percent(out, 525000), "53%");
	cr_expect_str_eq(t2_text_percent(out, -42000), "-4.2%");
	cr_expect_str_eq(t2_text_count(out, 0), "0");
	cr_expect_str_eq(t2_text_count(out, 999), "999");
	cr_expect_str_eq(t2_text_count(out, 50312), "50,312");
	cr_expect_str_eq(t2_text_count(out, 1234567), "1,234,567");
	cr_expect_eq(t2_text_ppm(1, 3), 333333);
	cr_expect_eq(t2_text_ppm(2, 3), 666667);
	cr_expect_eq(t2_text_ppm(1, 0), 0);
}

Test(view_text, durations_of_options)
{
	int64_t ns = -1;

	cr_expect(t2_text_parse_duration("10ms", &ns) && ns == 10 * MS);
	cr_expect(t2_text_parse_duration("1.5s", &ns) && ns == 1500 * MS);
	cr_expect(t2_text_parse_duration("2m", &ns) && ns == 120 * S);
	cr_expect(t2_text_parse_duration("1h", &ns) && ns == 3600 * S);
	cr_expect(t2_text_parse_duration("7", &ns) && ns == 7 * S);
	cr_expect(t2_text_parse_duration("250us", &ns) && ns == 250000);
	cr_expect(t2_text_parse_duration("5ns", &ns) && ns == 5);
	cr_expect(t2_text_parse_duration("0", &ns) && ns == 0);
	cr_expect_not(t2_text_parse_duration("", &ns));
	cr_expect_not(t2_text_parse_duration("-1s", &ns));
	cr_expect_not(t2_text_parse_duration("1 s", &ns));
	cr_expect_not(t2_text_parse_duration("soon", &ns));
	cr_expect_not(t2_text_parse_duration("1e300s", &ns));
}

static void expect_clean(const char *text, const char *wanted, const char *wanted_ascii)
{
	char out[128];

	cr_expect_eq(t2_text_clean(out, sizeof(out), text, true), strlen(wanted));
	cr_expect_str_eq(out, wanted, "%s, not %s", out, wanted);
	cr_expect_eq(t2_text_clean(out, sizeof(out), text, false), strlen(wanted_ascii));
	cr_expect_str_eq(out, wanted_ascii, "%s, not %s", out, wanted_ascii);
}

Test(view_text, hostile_text_is_harmless)
{
	char out[8];

	expect_clean("gcc -c a.c", "gcc -c a.c", "gcc -c a.c");
	expect_clean("a\nb\t\033[31m\x7f", "a\\nb\\t\\x1b[31m\\x7f", "a\\nb\\t\\x1b[31m\\x7f");
	expect_clean("\xff\xc3", "\\xff\\xc3", "\\xff\\xc3");
	expect_clean("\xc3\xa4", "\xc3\xa4", "\\u00e4");
	expect_clean("\xc2\x9b"
		     "1m",
		     "\\u009b1m", "\\u009b1m");
	expect_clean("\xe2\x80\xae"
		     "x",
		     "\\u202ex", "\\u202ex");
	expect_clean("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\\U0001f600");
	/* No half of a character or of an escape. */
	cr_expect_eq(t2_text_clean(out, 4, "ab\n", true), 4);
	cr_expect_str_eq(out, "ab");
}

static void expect_elided(const char *text, unsigned columns, bool is_unicode, const char *wanted)
{
	char out[128];

	t2_text_elide(out, sizeof(out), text, columns, is_unicode);
	cr_expect_str_eq(out, wanted, "%s, not %s", out, wanted);
	cr_expect_leq(t2_text_columns(out), columns);
}

Test(view_text, the_middle_is_left_out)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	expect_elided("0123456789", 10, false, "0123456789");
	expect_elided("0123456789", 9, false, "012..6789");
	expect_elided("0123456789", 6, true, "01\u2026789");
	expect_elided("0123456789", 2, true, "09");
	expect_elided("\u65e5\u672c\u8a9e", 5, true, "\u65e5\u2026\u8a9e");
}

Test(view_text, a_sparkline_tells_little_from_nothing)
{
	const int64_t values[] = {0, 1, 50, 99, 100, 200};
	char out[6 * 3 + 1];

	t2_text_sparkline(out, values, 6, 100, true);
	cr_expect_str_eq(out, " \u2581\u2584\u2588\u2588\u2588");
	t2_text_sparkline(out, values, 6, 100, false);
	cr_expect_str_eq(out, "_.=@@@");
	t2_text_sparkline(out, values, 2, 0, false);
	cr_expect_str_eq(out, "__");
}
