/* SPDX-License-Identifier: MIT */
/*
 * formatters/json_reader.c and json_string_reader.c: what is JSON, what is not, and where it
 * stops being it.
 */
#include "formatters/json_reader.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define FFFD "\xef\xbf\xbd"
#define CUT T2_JSON_CUT
#define SYNTAX T2_JSON_SYNTAX
#define TYPE T2_JSON_WRONG_TYPE

/* The memory ends where the text does, so that nobody reads past it unseen. */
static char *exact_text;
static char room[4096];
static struct t2_json_reader reader;

static void start(const char *text, size_t len)
{
	free(exact_text);
	exact_text = malloc(len);
	memcpy(exact_text, text, len);
	t2_json_reader_init(&reader, exact_text, len, room, sizeof(room));
}

static void finish(void)
{
	free(exact_text);
}

TestSuite(json_reader, .fini = finish);

static const struct {
	const char *json;
	const char *str;
} strings[] = {
	{"\"\"", ""},
	{" \t\r\n\"x\"", "x"},
	{"\"seven77\"", "seven77"},
	{"\"eight888\"", "eight888"},
	{"\"nine99999 and then some more of it\"", "nine99999 and then some more of it"},
	{"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
	{"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac"},
	{"\"\\u0001\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
	 "\x01\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"},
	{"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
	{"\"\\ud800\\udc00\\udbff\\udfff\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
	{"\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
	 "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
	{"\"a\x7f\"", "a\x7f"},

	/* What cannot be in a C string that is UTF-8. */
	{"\"a\\u0000b\"", "a" FFFD "b"},
	{"\"\\ud800\"", FFFD},
	{"\"\\udc00\"", FFFD},
	{"\"\\ud800x\"", FFFD "x"},
	{"\"\\ud800\\n\"", FFFD "\n"},
	{"\"\\ud800\\u0041\"", FFFD "A"},
	{"\"\\ud800\\ud83d\\ude00\"", FFFD "\xf0\x9f\x98\x80"},
	{"\"\\udc00\\ud800\"", FFFD FFFD},
	{"\"bad\xff\xfe\"", "bad" FFFD FFFD},
	{"\"\xe2\x82\"", FFFD},
	{"\"\xc0\xaf\xed\xa0\x80\"", FFFD FFFD FFFD FFFD FFFD},
};

Test(json_reader, reads_strings)
{
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
		const char *str;

		start(strings[i].json, strlen(strings[i].json));
		str = t2_json_read_string(&reader);
		cr_assert_not_null(str, "%s: %s", strings[i].json, reader.message);
		cr_expect_str_eq(str, strings[i].str);
		cr_expect_eq(reader.at, reader.end, "%s is read to its end", strings[i].json);
	}
}

static const struct {
	const char *json;
	enum t2_json_error error;
	size_t offset;
} wrong_strings[] = {
	{"", CUT, 0},
	{"  ", CUT, 2},
	{"\"", CUT, 1},
	{"\"abc", CUT, 4},
	{"\"abc\\", CUT, 5},
	{"\"abc\\u", CUT, 6},
	{"\"abc\\u12", CUT, 8},
	{"\"\\ud800\\u12", CUT, 11},
	{"\"\xe2\x82", CUT, 3},
	{"\"a\nb\"", SYNTAX, 2},
	{"\"a\x1f\"", SYNTAX, 2},
	{"\"\\x\"", SYNTAX, 2},
	{"\"\\\x80\"", SYNTAX, 2},
	{"\"\\u12g4\"", SYNTAX, 5},
	{"\"\\ud800\\uxx\"", SYNTAX, 9},
	{"x", SYNTAX, 0},
	{"}", SYNTAX, 0},
	{"1", TYPE, 0},
	{"-1", TYPE, 0},
	{"[]", TYPE, 0},
	{" {}", TYPE, 1},
	{"null", TYPE, 0},
};

Test(json_reader, says_where_a_string_is_wrong)
{
	size_t i;

	for (i = 0; i < sizeof(wrong_strings) / sizeof(*wrong_strings); i++) {
		const char *json = wrong_strings[i].json;

		start(json, strlen(json));
		cr_expect_null(t2_json_read_string(&reader));
		cr_expect_eq(reader.error, wrong_strings[i].error, "%s", json);
		cr_expect_eq((size_t)(reader.at - reader.begin), wrong_strings[i].offset, "%s: %zu",
			     json, (size_t)(reader.at - reader.begin));
		cr_expect_not_null(reader.message);
	}
}

Test(json_reader, a_nul_in_the_text_is_no_end)
{
	start("\"a\0b\"", 5);
	cr_assert_null(t2_json_read_string(&reader));
	cr_assert_eq(reader.error, SYNTAX);
	start("\0", 1);
	cr_assert_not(t2_json_skip_value(&reader));
	cr_assert_eq(reader.error, SYNTAX);
	start("{\"a\":1\0}", 8);
	cr_assert_not(t2_json_skip_value(&reader));
	cr_assert_eq(reader.error, SYNTAX);
	start("[1\0", 3);
	cr_assert(t2_json_take(&reader, '[', ""));
	cr_assert_not(t2_json_take(&reader, '\0', "not a nothing"));
}

Test(json_reader, takes_as_much_room_as_it_needs_and_no_more)
{
	static const char json[] = "\"plain text of some length \\n \xc3\xa9 \xff \\u20ac\"";
	size_t needed, size;

	start(json, strlen(json));
	cr_assert_not_null(t2_json_read_string(&reader));
	needed = (size_t)(reader.room - room);
	cr_assert_leq(needed, 3 * strlen(json));
	for (size = 0; size < needed; size++) {
		char *exact = malloc(size);

		t2_json_reader_init(&reader, json, strlen(json), exact, size);
		cr_assert_null(t2_json_read_string(&reader));
		cr_assert_eq(reader.error, T2_JSON_NO_ROOM);
		free(exact);
	}
	t2_json_reader_init(&reader, json, strlen(json), room, needed);
	cr_assert_not_null(t2_json_read_string(&reader));
}

static const char *const numbers[] = {"0",     "-0",  "10",   "-4711",	"0.5",
				      "1.250", "1e5", "1E+5", "2.5e-3", "12345678901234567890"};
static const struct {
	const char *json;
	enum t2_json_error error;
} wrong_numbers[] = {
	{"", CUT},	 {"-", CUT},	  {"1.", CUT},	   {"1e", CUT},	   {"1e-", CUT},
	{"-x", SYNTAX},	 {"1.x", SYNTAX}, {"1ex", SYNTAX}, {"+1", SYNTAX}, {".5", SYNTAX},
	{"\"1\"", TYPE}, {"true", TYPE},  {"[1]", TYPE},
};

Test(json_reader, reads_numbers)
{
	const char *text;
	size_t i, len;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		start(numbers[i], strlen(numbers[i]));
		cr_assert(t2_json_read_number(&reader, &text, &len), "%s", numbers[i]);
		cr_assert_eq(len, strlen(numbers[i]));
		cr_assert_eq(text, exact_text);
	}
	for (i = 0; i < sizeof(wrong_numbers) / sizeof(*wrong_numbers); i++) {
		start(wrong_numbers[i].json, strlen(wrong_numbers[i].json));
		cr_expect_not(t2_json_read_number(&reader, &text, &len));
		cr_expect_eq(reader.error, wrong_numbers[i].error, "%s", wrong_numbers[i].json);
	}
}

Test(json_reader, a_number_ends_where_it_may_not_go_on)
{
	const char *text;
	size_t len;

	start("012", 3);
	cr_assert(t2_json_read_number(&reader, &text, &len));
	cr_assert_eq(len, 1);
}

/* Values, and all their beginnings. */
static const char *const values[] = {
	"{}",
	"[]",
	"[[],{},[{}]]",
	"{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":\"e\"}",
	" [ true , false , null , -1.5e3 , \"\\u00e9\\n\xc3\xa9\xff\" ] ",
	"\"str\"",
	"true",
};

Test(json_reader, goes_past_any_value_and_knows_when_it_is_cut)
{
	size_t i, len;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		const char *last = values[i] + strlen(values[i]);

		start(values[i], strlen(values[i]));
		cr_assert(t2_json_skip_value(&reader), "%s: %s", values[i], reader.message);
		t2_json_peek(&reader);
		cr_assert_eq(reader.at, reader.end, "%s", values[i]);
		while (last[-1] == ' ')
			last--;
		for (len = 0; values[i] + len < last; len++) {
			start(values[i], len);
			cr_assert_not(t2_json_skip_value(&reader), "%.*s", (int)len, values[i]);
			cr_assert_eq(reader.error, CUT, "%.*s: %s", (int)len, values[i],
				     reader.message);
		}
	}
}

static const char *const no_values[] = {
	"x",	       "]",	      "}",	  ",",		":",	  "tru3",
	"nul]",	       "[1 2]",	      "[1,]",	  "[,1]",	"{,}",	  "{1:2}",
	"{\"a\"}",     "{\"a\",}",    "{\"a\":}", "{\"a\":1,}", "[1}",	  "{\"a\":1]",
	"[\"a\x01\"]", "{\"\\x\":1}", "[01]",	  "[+1]",	"[\x80]", "'a'",
};

Test(json_reader, stops_at_what_is_no_value)
{
	size_t i;

	for (i = 0; i < sizeof(no_values) / sizeof(*no_values); i++) {
		start(no_values[i], strlen(no_values[i]));
		cr_expect_not(t2_json_skip_value(&reader), "%s", no_values[i]);
		cr_expect_eq(reader.error, SYNTAX, "%s: %s", no_values[i], reader.message);
	}
}

static bool skips_nested(size_t depth)
{
	char text[2 * (T2_JSON_DEPTH_MAX + 1)];

	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	start(text, 2 * depth);
	return t2_json_skip_value(&reader);
}

Test(json_reader, goes_as_deep_as_it_says)
{
	cr_assert(skips_nested(1));
	cr_assert(skips_nested(T2_JSON_DEPTH_MAX));
	cr_assert_not(skips_nested(T2_JSON_DEPTH_MAX + 1));
	cr_assert_eq(reader.error, SYNTAX);
	cr_assert_str_eq(reader.message, "nested too deep");
}

Test(json_reader, keeps_a_value_as_it_is_written)
{
	static const char json[] = " {\"a\" : [1, \"\\u00e9\xff\"]} ";

	start(json, strlen(json));
	cr_assert_str_eq(t2_json_read_raw(&reader), "{\"a\" : [1, \"\\u00e9" FFFD "\"]}");
	start("[1", 2);
	cr_assert_null(t2_json_read_raw(&reader));
	cr_assert_eq(reader.error, CUT);
	t2_json_reader_init(&reader, "[1]", 3, room, 3);
	cr_assert_null(t2_json_read_raw(&reader));
	cr_assert_eq(reader.error, T2_JSON_NO_ROOM);
}

Test(json_reader, an_error_is_for_good)
{
	const char *text;
	size_t len;

	start("x \"a\" 1 []", 10);
	cr_assert_null(t2_json_read_string(&reader));
	reader.at += 2;
	cr_assert_null(t2_json_read_string(&reader));
	cr_assert_not(t2_json_read_number(&reader, &text, &len));
	cr_assert_not(t2_json_skip_value(&reader));
	cr_assert_null(t2_json_read_raw(&reader));
	cr_assert_not(t2_json_take(&reader, '"', ""));
	cr_assert_not(t2_json_fail(&reader, T2_JSON_OUT_OF_RANGE, "another"));
	cr_assert_eq(reader.error, SYNTAX);
}
