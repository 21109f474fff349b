/* SPDX-License-Identifier: MIT */
/* preload/buf.c: what is written, what is counted, and what stays untouched. */
#include "preload/buf.h"
#include "tests/unit/buf.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

TestSuite(buf, .init = empty_buf);

Test(buf, starts_empty_and_not_overflowed)
{
	cr_assert_eq(buf.len, 0);
	cr_assert_eq(buf.cap, sizeof(memory));
	cr_assert_not(t2_buf_overflowed(&buf));
}

Test(buf, appends_bytes_strings_and_characters_in_order)
{
	t2_buf_put(&buf, "a\0b", 3);
	cr_assert(!memcmp(memory, "a\0b", 3));
	empty_buf();
	t2_buf_put_str(&buf, "one");
	t2_buf_put_char(&buf, ' ');
	t2_buf_put_str(&buf, "two");
	assert_holds("one two");
}

Test(buf, a_null_string_appends_nothing)
{
	t2_buf_put_str(&buf, NULL);
	assert_holds("");
}

Test(buf, exactly_full_is_not_overflowed)
{
	t2_buf_init(&buf, memory, 3);
	t2_buf_put_str(&buf, "abc");
	cr_assert_not(t2_buf_overflowed(&buf));
	t2_buf_put_char(&buf, 'd');
	cr_assert(t2_buf_overflowed(&buf));
}

Test(buf, overflow_keeps_counting_and_writes_nothing_past_the_end)
{
	memset(memory, '#', sizeof(memory));
	t2_buf_init(&buf, memory, 5);
	t2_buf_put_str(&buf, "abcdefgh");
	t2_buf_put_char(&buf, 'i');
	t2_buf_put_repeat(&buf, 'j', 3);
	t2_buf_put_u64(&buf, 1234);
	cr_assert_eq(buf.len, 16);
	cr_assert(!memcmp(memory, "abcde####", 9));
}

Test(buf, a_buffer_without_memory_only_counts)
{
	t2_buf_init(&buf, NULL, 0);
	t2_buf_put_str(&buf, "abc");
	t2_buf_put_char(&buf, 'd');
	t2_buf_put_seconds(&buf, 1500000000, 9);
	t2_buf_pad_to(&buf, 0, 20, ' ');
	cr_assert_eq(buf.len, 20);
	cr_assert(t2_buf_overflowed(&buf));
}

Test(buf, repeats_a_character)
{
	t2_buf_put_repeat(&buf, '.', 4);
	t2_buf_put_repeat(&buf, '!', 0);
	assert_holds("....");
}

Test(buf, writes_unsigned_numbers)
{
	t2_buf_put_u64(&buf, 0);
	t2_buf_put_char(&buf, ' ');
	t2_buf_put_u64(&buf, UINT64_MAX);
	assert_holds("0 18446744073709551615");
}

Test(buf, writes_signed_numbers_to_both_ends)
{
	t2_buf_put_i64(&buf, INT64_MIN);
	t2_buf_put_char(&buf, ' ');
	t2_buf_put_i64(&buf, -1);
	t2_buf_put_char(&buf, ' ');
	t2_buf_put_i64(&buf, INT64_MAX);
	assert_holds("-9223372036854775808 -1 9223372036854775807");
}

Test(buf, pads_numbers_on_the_left_and_never_cuts_them)
{
	t2_buf_put_u64_padded(&buf, 7, 3, '0');
	t2_buf_put_u64_padded(&buf, 12345, 3, '0');
	t2_buf_put_u64_padded(&buf, 7, 0, '0');
	t2_buf_put_u64_padded(&buf, 1, 25, ' ');
	assert_holds("007123457                        1");
}

Test(buf, writes_the_low_hexadecimal_digits)
{
	t2_buf_put_hex(&buf, 0x15a8054a, 8);
	t2_buf_put_char(&buf, ' ');
	t2_buf_put_hex(&buf, 0x1f, 4);
	t2_buf_put_char(&buf, ' ');
	t2_buf_put_hex(&buf, 0x12345, 2);
	assert_holds("15a8054a 001f 45");
}

static const struct {
	uint64_t ns;
	unsigned width;
	const char *text;
} seconds[] = {
	{0, 0, "0.000000"},
	{999, 0, "0.000000"},
	{1000, 0, "0.000001"},
	{1999, 9, " 0.000001"},
	{999999999, 9, " 0.999999"},
	{1000000000, 9, " 1.000000"},
	{99999999999, 9, "99.999999"},
	{100000000000, 9, "100.000000"},
	{700000000000, 9, "700.000000"},
	{UINT64_MAX, 0, "18446744073.709551"},
};

Test(buf, writes_seconds_cut_to_microseconds)
{
	size_t i;

	for (i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
		empty_buf();
		t2_buf_put_seconds(&buf, seconds[i].ns, seconds[i].width);
		assert_holds(seconds[i].text);
	}
}

Test(buf, writes_a_decimal_point_in_every_locale)
{
	static const char *const names[] = {"C", "C.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8",
					    "fa_IR.UTF-8"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!setlocale(LC_ALL, names[i]))
			continue;
		empty_buf();
		t2_buf_put_seconds(&buf, 1234567890, 0);
		assert_holds("1.234567");
	}
}

Test(buf, pads_to_a_column_counted_from_a_start)
{
	t2_buf_put_str(&buf, "ab");
	t2_buf_pad_to(&buf, 0, 4, ' ');
	t2_buf_put_str(&buf, "xyz");
	t2_buf_pad_to(&buf, 4, 5, '.');
	t2_buf_pad_to(&buf, 4, 2, '!');
	assert_holds("ab  xyz..");
}

static void put_everything(void)
{
	t2_buf_put_str(&buf, "str");
	t2_buf_put_char(&buf, 'c');
	t2_buf_put_repeat(&buf, 'r', 3);
	t2_buf_put_i64(&buf, -42);
	t2_buf_put_u64_padded(&buf, 5, 3, '0');
	t2_buf_put_hex(&buf, 0xabc, 4);
	t2_buf_put_seconds(&buf, 1000, 9);
	t2_buf_pad_to(&buf, 0, 40, '_');
}

Test(buf, every_size_gives_a_prefix_and_the_same_length)
{
	static const char whole[] = "strcrrr-420050abc 0.000001______________";
	size_t cap;

	put_everything();
	assert_holds(whole);
	for (cap = 0; cap < strlen(whole); cap++) {
		char *exact = malloc(cap);

		t2_buf_init(&buf, exact, cap);
		put_everything();
		cr_assert_eq(buf.len, strlen(whole), "counts %zu of %zu bytes with room for %zu",
			     buf.len, strlen(whole), cap);
		cr_assert(!cap || !memcmp(exact, whole, cap), "not a prefix with room for %zu",
			  cap);
		free(exact);
	}
}
