/* SPDX-License-Identifier: MIT */
/* formatters/json.c: git's escapes, and what becomes of bytes that are not UTF-8. */
#include "formatters/json.h"
#include "formatters/redact.h"
#include "tests/unit/buf.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define FFFD "\xef\xbf\xbd"

static struct t2_redact nothing; /* is replaced */

TestSuite(json, .init = empty_buf);

static const struct {
	const char *str;
	const char *json;
} strings[] = {
	{NULL, "\"\""},
	{"", "\"\""},
	{"plain", "\"plain\""},
	{"\"", "\"\\\"\""},
	{"\\", "\"\\\\\""},
	{"a\"b\\c", "\"a\\\"b\\\\c\""},
	{"\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\""},
	{"\x01\x07\x0b\x0e\x1f", "\"\\u0001\\u0007\\u000b\\u000e\\u001f\""},
	{"a/b\x7f", "\"a/b\x7f\""},
	{"caf\xc3\xa9", "\"caf\xc3\xa9\""},

	/* The first and last of each length, and both sides of the surrogates. */
	{"\xc2\x80\xdf\xbf", "\"\xc2\x80\xdf\xbf\""},
	{"\xe0\xa0\x80\xef\xbf\xbf", "\"\xe0\xa0\x80\xef\xbf\xbf\""},
	{"\xed\x9f\xbf\xee\x80\x80", "\"\xed\x9f\xbf\xee\x80\x80\""},
	{"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},

	/* Bytes that begin nothing. */
	{"bad\xff\xfe", "\"bad" FFFD FFFD "\""},
	{"\x80\xbf", "\"" FFFD FFFD "\""},
	{"\xf5\x80\x80\x80", "\"" FFFD FFFD FFFD FFFD "\""},

	/* Overlong: none of their bytes is the start of anything valid. */
	{"\xc0\xaf", "\"" FFFD FFFD "\""},
	{"\xc1\xbf", "\"" FFFD FFFD "\""},
	{"\xe0\x80\xaf", "\"" FFFD FFFD FFFD "\""},
	{"\xe0\x9f\xbf", "\"" FFFD FFFD FFFD "\""},
	{"\xf0\x8f\xbf\xbf", "\"" FFFD FFFD FFFD FFFD "\""},

	/* Surrogates, and past U+10FFFF. */
	{"\xed\xa0\x80", "\"" FFFD FFFD FFFD "\""},
	{"\xed\xbf\xbf", "\"" FFFD FFFD FFFD "\""},
	{"\xf4\x90\x80\x80", "\"" FFFD FFFD FFFD FFFD "\""},

	/* Cut short: one mark for the part that was right. */
	{"\xc3", "\"" FFFD "\""},
	{"\xe2\x82", "\"" FFFD "\""},
	{"\xf0\x9f\x98", "\"" FFFD "\""},
	{"\xe2\x82"
	 "a",
	 "\"" FFFD "a\""},
	{"\xf0\x9f\x98\"", "\"" FFFD "\\\"\""},
	{"\xf0\x9f\n", "\"" FFFD "\\n\""},
	{"\xe2\x82\xe2\x82\xac", "\"" FFFD "\xe2\x82\xac\""},
	{"\xf1\x80\xe1\x80\xc2", "\"" FFFD FFFD FFFD "\""},

	/* The example of the Unicode standard, table 3-8. */
	{"\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64",
	 "\"a" FFFD FFFD FFFD "b" FFFD "c" FFFD FFFD "d\""},
};

Test(json, escapes_as_git_does_and_repairs_what_is_not_utf8)
{
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
		empty_buf();
		t2_json_put_string(&buf, strings[i].str);
		assert_holds(strings[i].json);
	}
}

static size_t encode(unsigned c, char *to)
{
	size_t nr_more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
	size_t i;

	for (i = nr_more; i; i--) {
		to[i] = (char)(0x80 | (c & 0x3f));
		c >>= 6;
	}
	to[0] = (char)(leads[nr_more] | c);
	return nr_more + 1;
}

Test(json, leaves_every_valid_character_alone)
{
	unsigned c;

	for (c = 0x80; c <= 0x10ffff; c++) {
		char str[6] = "";
		size_t len = encode(c, str);

		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		empty_buf();
		t2_json_put_string(&buf, str);
		cr_assert(buf.len == len + 2 && !memcmp(memory + 1, str, len),
			  "U+%04X is not left alone", c);
	}
}

Test(json, never_marks_a_valid_character_for_what_is_before_it)
{
	unsigned a, b;

	for (a = 0x80; a <= 0xff; a++) {
		for (b = 0x80; b <= 0xff; b++) {
			char str[] = {(char)a, (char)b, '~', 0};

			empty_buf();
			t2_json_put_string(&buf, str);
			cr_assert(!memcmp(memory + buf.len - 2, "~\"", 2),
				  "%02x %02x swallow what follows", a, b);
		}
	}
}

Test(json, writes_lists)
{
	static const char *const empty[] = {NULL};
	static const char *const one[] = {"", NULL};
	static const char *const two[] = {"a", "b \"c\"", NULL};

	t2_json_put_list(&buf, &nothing, NULL);
	t2_json_put_list(&buf, &nothing, empty);
	t2_json_put_list(&buf, &nothing, one);
	t2_json_put_list(&buf, &nothing, two);
	assert_holds("[][][\"\"][\"a\",\"b \\\"c\\\"\"]");
}

static const struct {
	const char *json;
	const char *squeezed;
} values[] = {
	{NULL, ""},
	{"", ""},
	{"{\"a\":1}", "{\"a\":1}"},
	{"{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", "{\"a\": [1,2]}"},
	{"\n\n   1", "1"},
	{"\"a  b\"", "\"a  b\""},
};

Test(json, squeezes_layout_out_of_a_value)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		empty_buf();
		t2_json_put_squeezed(&buf, values[i].json);
		assert_holds(values[i].squeezed);
	}
}

Test(json, every_size_gives_a_prefix_and_the_same_length)
{
	static const char str[] = "run \" run \xe2\x82\xac \xff \x01 end";
	size_t cap, len;

	t2_json_put_string(&buf, str);
	len = buf.len;
	for (cap = 0; cap < len; cap++) {
		char *exact = malloc(cap);

		t2_buf_init(&buf, exact, cap);
		t2_json_put_string(&buf, str);
		cr_assert_eq(buf.len, len, "counts %zu of %zu bytes with room for %zu", buf.len,
			     len, cap);
		cr_assert(!cap || !memcmp(exact, memory, cap), "not a prefix with room for %zu",
			  cap);
		free(exact);
	}
}
