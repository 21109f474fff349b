/* SPDX-License-Identifier: MIT */
/*
 * formatters/event_reader.c and field_reader.c: what of a line arrives, and what is
 * said of a line that is wrong. That it reads whatever we and git write is in
 * test_roundtrip.c.
 */
#include "formatters/event_reader.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define FFFD "\xef\xbf\xbd"
#define OK T2_EVENT_READ_OK
#define UNKNOWN T2_EVENT_READ_UNKNOWN
#define CUT T2_EVENT_READ_CUT
#define NOT_JSON T2_EVENT_READ_NOT_JSON
#define NO_EVENT T2_EVENT_READ_NO_EVENT
#define TYPE T2_EVENT_READ_WRONG_TYPE
#define RANGE T2_EVENT_READ_OUT_OF_RANGE

static struct t2_event_reader reader;
static struct t2_event event;
static char *exact_text, *exact_room;

static enum t2_event_read read_bytes(const char *text, size_t len)
{
	free(exact_text);
	free(exact_room);
	exact_text = malloc(len);
	memcpy(exact_text, text, len);
	reader.room_size = T2_EVENT_READER_ROOM(len);
	reader.room = exact_room = malloc(reader.room_size);
	return t2_event_read(&reader, exact_text, len, &event);
}

static enum t2_event_read read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

static void start(void)
{
	t2_event_reader_init(&reader);
}

static void finish(void)
{
	free(exact_text);
	free(exact_room);
}

TestSuite(event_reader, .init = start, .fini = finish);

Test(event_reader, reads_what_all_kinds_have)
{
	cr_assert_eq(read_text("{\"event\":\"exit\",\"sid\":\"a/b/c\",\"thread\":\"th01:x\","
			       "\"time\":\"2026-11-20T17:06:52.372950Z\",\"file\":\"a.c\","
			       "\"line\":50,\"t_abs\":0.001234,\"code\":3}\n"),
		     OK);
	cr_assert_eq(event.kind, T2_EVENT_EXIT);
	cr_assert_str_eq(event.sid, "a/b/c");
	cr_assert_eq(event.depth, 2);
	cr_assert_str_eq(event.thread, "th01:x");
	cr_assert_eq(event.wall_ns, 1795194412372950000);
	cr_assert_str_eq(event.file, "a.c");
	cr_assert_eq(event.line, 50);
	cr_assert_eq(event.abs_ns, 1234000);
	cr_assert_eq(event.u.exit.code, 3);
	cr_assert_str_eq(reader.name, "exit");
	cr_assert_null(reader.message);
}

Test(event_reader, what_is_not_there_is_absent)
{
	cr_assert_eq(read_text("{\"event\":\"child_exit\"}"), OK);
	cr_assert_null(event.sid);
	cr_assert_null(event.thread);
	cr_assert_null(event.file);
	cr_assert_eq(event.depth, 0);
	cr_assert_eq(event.nesting, 1);
	cr_assert_eq(event.wall_ns, T2_NO_TIME);
	cr_assert_eq(event.abs_ns, T2_NO_TIME);
	cr_assert_eq(event.rel_ns, T2_NO_TIME);
	cr_assert_eq(event.repo, T2_NO_NUMBER);
	cr_assert_eq(event.u.child_exit.child_id, T2_NO_NUMBER);
	cr_assert_eq(event.u.child_exit.user_ns, T2_NO_TIME);
	cr_assert_eq(read_text("{\"event\":\"start\"}"), OK);
	cr_assert_null(event.u.start.argv);
}

Test(event_reader, null_is_absent_too)
{
	cr_assert_eq(read_text("{\"event\":\"data\",\"sid\":null,\"time\":null,\"repo\":null,"
			       "\"t_abs\":null,\"nesting\":null,\"value\":null,\"line\":null}"),
		     OK);
	cr_assert_null(event.sid);
	cr_assert_eq(event.wall_ns, T2_NO_TIME);
	cr_assert_eq(event.repo, T2_NO_NUMBER);
	cr_assert_eq(event.abs_ns, T2_NO_TIME);
	cr_assert_eq(event.nesting, 1);
	cr_assert_null(event.u.data.value);
	cr_assert_eq(read_text("{\"event\":\"child_start\",\"cd\":\"x\",\"cd\":null,"
			       "\"use_shell\":null,\"argv\":[\"x\"],\"argv\":null}"),
		     OK);
	cr_assert_null(event.u.child_start.cd);
	cr_assert_not(event.u.child_start.use_shell);
	cr_assert_null(event.u.child_start.argv);
	cr_assert_eq(read_text("{\"event\":\"data_json\",\"value\":null}"), OK);
	cr_assert_str_eq(event.u.data_json.value, "null");
}

Test(event_reader, reads_lists)
{
	cr_assert_eq(read_text("{\"event\":\"start\",\"argv\":[]}"), OK);
	cr_assert_not_null(event.u.start.argv);
	cr_assert_null(event.u.start.argv[0]);
	cr_assert_eq(read_text("{\"event\":\"start\",\"argv\":[\"\"]}"), OK);
	cr_assert_str_eq(event.u.start.argv[0], "");
	cr_assert_null(event.u.start.argv[1]);
	cr_assert_eq(read_text("{\"event\":\"alias\",\"alias\":\"x\",\"argv\" : [ \"a\" , \"b c\","
			       "\"\\u00e9\" ]}"),
		     OK);
	cr_assert_str_eq(event.u.alias.argv[0], "a");
	cr_assert_str_eq(event.u.alias.argv[1], "b c");
	cr_assert_str_eq(event.u.alias.argv[2], "\xc3\xa9");
	cr_assert_null(event.u.alias.argv[3]);
	cr_assert_str_eq(event.u.alias.alias, "x");
}

Test(event_reader, a_value_of_data_may_be_a_number)
{
	cr_assert_eq(read_text("{\"event\":\"data\",\"value\":-12.50}"), OK);
	cr_assert_str_eq(event.u.data.value, "-12.50");
	cr_assert_eq(read_text("{\"event\":\"data\",\"value\":\"7\"}"), OK);
	cr_assert_str_eq(event.u.data.value, "7");
	cr_assert_eq(read_text("{\"event\":\"data\",\"value\":{}}"), TYPE);
}

Test(event_reader, a_json_value_is_kept_as_it_is)
{
	cr_assert_eq(
		read_text(
			"{\"event\":\"data_json\",\"value\":{\"a\": [1,\"\xff\"]},\"key\":\"k\"}"),
		OK);
	cr_assert_str_eq(event.u.data_json.value, "{\"a\": [1,\"" FFFD "\"]}");
	cr_assert_str_eq(event.u.data_json.key, "k");
}

Test(event_reader, keys_may_come_in_any_order_and_with_blanks)
{
	cr_assert_eq(read_text(" { \"code\" : 3 , \"t_abs\" : 1 , \"thread\" : \"main\" ,\t"
			       "\"sid\" : \"S\" , \"event\" : \"exit\" } \r\n"),
		     OK);
	cr_assert_eq(event.kind, T2_EVENT_EXIT);
	cr_assert_eq(event.u.exit.code, 3);
	cr_assert_eq(event.abs_ns, 1000000000);
	cr_assert_str_eq(event.sid, "S");
	cr_assert_str_eq(event.thread, "main");
}

Test(event_reader, a_key_may_be_written_with_escapes)
{
	cr_assert_eq(read_text("{\"\\u0065vent\":\"exit\",\"c\\u006fde\":3,\"s\\u0069d\":\"S\"}"),
		     OK);
	cr_assert_eq(event.u.exit.code, 3);
	cr_assert_str_eq(event.sid, "S");
}

Test(event_reader, unknown_keys_are_passed_over)
{
	cr_assert_eq(read_text("{\"event\":\"exit\",\"x\":{\"event\":\"start\",\"code\":[{}]},"
			       "\"code\":3,\"\":null,\"codes\":1,\"cod\":\"\\n\",\"y\":[[1]]}"),
		     OK);
	cr_assert_eq(event.kind, T2_EVENT_EXIT);
	cr_assert_eq(event.u.exit.code, 3);
}

Test(event_reader, the_last_of_equal_keys_counts)
{
	cr_assert_eq(read_text("{\"event\":\"exit\",\"code\":1,\"code\":2,\"sid\":\"a/b\","
			       "\"sid\":\"c\"}"),
		     OK);
	cr_assert_eq(event.u.exit.code, 2);
	cr_assert_str_eq(event.sid, "c");
	cr_assert_eq(event.depth, 0);
}

Test(event_reader, the_last_event_counts_for_all_keys)
{
	static const char *const lines[] = {
		"{\"event\":\"signal\",\"code\":2,\"event\":\"exit\"}",
		"{\"code\":2,\"event\":\"signal\",\"event\":\"exit\"}",
		"{\"event\":\"cmd_name\",\"code\":2,\"name\":7,\"event\":\"exit\"}",
		"{\"event\":\"unheard_of\",\"code\":2,\"event\":\"exit\"}",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		cr_assert_eq(read_text(lines[i]), OK, "%s: %s", lines[i], reader.message);
		cr_assert_eq(event.kind, T2_EVENT_EXIT);
		cr_assert_eq(event.u.exit.code, 2);
		cr_assert_str_eq(reader.name, "exit");
	}
	cr_assert_eq(read_text("{\"event\":\"exit\",\"event\":\"unheard_of\"}"), UNKNOWN);
}

Test(event_reader, an_unknown_kind_still_has_what_all_have)
{
	cr_assert_eq(read_text("{\"event\":\"unheard_of\",\"sid\":\"a/b\",\"thread\":\"main\","
			       "\"time\":\"1970-01-01T00:00:01Z\",\"code\":{\"a\":1}}"),
		     UNKNOWN);
	cr_assert_eq(event.kind, T2_EVENT_NR);
	cr_assert_str_eq(event.sid, "a/b");
	cr_assert_eq(event.depth, 1);
	cr_assert_str_eq(event.thread, "main");
	cr_assert_eq(event.wall_ns, 1000000000);
	cr_assert_str_eq(reader.name, "unheard_of");
	cr_assert_eq(read_text("{\"event\":\"\"}"), UNKNOWN);
	cr_assert_eq(read_text("{\"event\":\"exi\"}"), UNKNOWN);
	cr_assert_eq(read_text("{\"event\":\"exits\"}"), UNKNOWN);
}

static const struct {
	const char *line;
	enum t2_event_read result;
	size_t offset;
	const char *message;
} wrong_lines[] = {
	{"", NOT_JSON, 0, "not an object"},
	{"\n", NOT_JSON, 1, "not an object"},
	{"# a comment", NOT_JSON, 0, "not an object"},
	{"[]", NOT_JSON, 0, "not an object"},
	{"\"event\"", NOT_JSON, 0, "not an object"},
	{"{", CUT, 1, "ends too early"},
	{"{\"event\"", CUT, 8, "ends too early"},
	{"{\"event\":", CUT, 9, "ends too early"},
	{"{\"event\":\"exit\"", CUT, 15, "ends too early"},
	{"{\"event\":\"exit\",", CUT, 16, "ends too early"},
	{"{\"event\":\"exit\",\"code\":1", CUT, 24, "ends too early"},
	{"{\"event\":\"exit\",\"code\":-", CUT, 24, "ends too early"},
	{"{\"event\":\"data_json\",\"value\":[", CUT, 30, "ends too early"},
	{"{\"event\":\"start\",\"argv\":[\"a\"", CUT, 28, "ends too early"},
	{"{\"event\":\"start\",\"argv\":[\"a", CUT, 27, "ends too early"},
	{"{\"event\":\"child_start\",\"use_shell\":tr", CUT, 37, "ends too early"},
	{"{\"event\":\"exit\"}}", NOT_JSON, 16, "more than an object"},
	{"{\"event\":\"exit\"}{\"event\":\"exit\"}", NOT_JSON, 16, "more than an object"},
	{"{\"event\":\"exit\",}", NOT_JSON, 16, "not a key"},
	{"{\"event\":\"exit\" \"code\":1}", NOT_JSON, 16, "no comma"},
	{"{\"event\" \"exit\"}", NOT_JSON, 9, "no colon behind a key"},
	{"{\"event\":exit}", NOT_JSON, 9, "not a value"},
	{"{'event':1}", NOT_JSON, 1, "not a key"},
	{"{\"event\":\"exit\",\"code\":01}", NOT_JSON, 24, "no comma"},
	{"{\"event\":\"exit\",\"sid\":\"\\q\"}", NOT_JSON, 24, "not an escape"},
	{"{\"event\":\"exit\",\"sid\":\"\t\"}", NOT_JSON, 23, "a control character in a string"},
	{"{\"event\":\"start\",\"argv\":[\"a\",]}", NOT_JSON, 29, "not a value"},
	{"{\"event\":\"start\",\"argv\":[\"a\" \"b\"]}", NOT_JSON, 29, "no comma"},
	{"{}", NO_EVENT, 2, "no \"event\""},
	{"{\"sid\":\"S\"}", NO_EVENT, 11, "no \"event\""},
	{"{\"a\":{\"event\":\"exit\"}}", NO_EVENT, 22, "no \"event\""},
	{"{\"event\":1}", TYPE, 9, "not a string"},
	{"{\"event\":null}", TYPE, 9, "not a string"},
	{"{\"sid\":\"S\",\"event\":[]}", TYPE, 19, "not a string"},
	{"{\"event\":\"exit\",\"sid\":7}", TYPE, 22, "not a string"},
	{"{\"event\":\"exit\",\"thread\":[]}", TYPE, 25, "not a string"},
	{"{\"event\":\"exit\",\"time\":1}", TYPE, 23, "not a string"},
	{"{\"event\":\"exit\",\"time\":\"now\"}", TYPE, 23, "not a time"},
	{"{\"event\":\"exit\",\"code\":\"1\"}", TYPE, 23, "not a number"},
	{"{\"event\":\"exit\",\"code\":1.5}", TYPE, 23, "not a whole number"},
	{"{\"event\":\"exit\",\"t_abs\":\"1\"}", TYPE, 24, "not a number"},
	{"{\"event\":\"exit\",\"line\":{}}", TYPE, 23, "not a number"},
	{"{\"event\":\"start\",\"argv\":\"a\"}", TYPE, 24, "not an array"},
	{"{\"event\":\"start\",\"argv\":[\"a\",1]}", TYPE, 29, "not a string"},
	{"{\"event\":\"start\",\"argv\":[null]}", TYPE, 25, "not a string"},
	{"{\"event\":\"child_start\",\"use_shell\":1}", TYPE, 35, "not true or false"},
	{"{\"event\":\"data\",\"value\":true}", TYPE, 24, "not a string"},
	{"{\"event\":\"exit\",\"code\":9223372036854775808}", RANGE, 23, "out of range"},
	{"{\"event\":\"exit\",\"code\":-9223372036854775808}", RANGE, 23, "out of range"},
	{"{\"event\":\"exit\",\"line\":2147483648}", RANGE, 23, "out of range"},
	{"{\"event\":\"exit\",\"t_abs\":-1}", RANGE, 24, "out of range"},
	{"{\"event\":\"exit\",\"t_abs\":1e300}", RANGE, 24, "out of range"},
	{"{\"event\":\"data\",\"nesting\":0}", RANGE, 26, "out of range"},
	{"{\"event\":\"data\",\"repo\":-1}", RANGE, 23, "out of range"},
	{"{\"event\":\"exit\",\"time\":\"1969-01-01T00:00:00Z\"}", RANGE, 23, "out of range"},
};

Test(event_reader, says_what_is_wrong_and_where)
{
	size_t i;

	for (i = 0; i < sizeof(wrong_lines) / sizeof(*wrong_lines); i++) {
		enum t2_event_read result = read_text(wrong_lines[i].line);

		cr_expect_eq(result, wrong_lines[i].result, "%s: %d %s", wrong_lines[i].line,
			     result, reader.message);
		cr_expect_eq(reader.offset, wrong_lines[i].offset, "%s: %zu", wrong_lines[i].line,
			     reader.offset);
		cr_expect_str_eq(reader.message, wrong_lines[i].message);
	}
}

static const char whole[] =
	"{\"event\":\"child_start\",\"sid\":\"20261120T170652.372883Z-H15a8054a-P00000007\","
	"\"thread\":\"main\",\"time\":\"2026-11-20T17:06:52.372950Z\",\"file\":\"a.c\",\"line\":1,"
	"\"child_id\":0,\"child_class\":\"?\",\"cd\":\"caf\xc3\xa9\",\"use_shell\":false,"
	"\"argv\":[\"\\ud83d\\ude00\",\"\"],\"more\":[{\"a\":null}]}";

Test(event_reader, wherever_a_line_is_cut_it_says_so)
{
	size_t len;

	cr_assert_eq(read_text(whole), OK);
	for (len = 1; len < strlen(whole); len++)
		cr_assert_eq(read_bytes(whole, len), CUT, "%.*s: %s", (int)len, whole,
			     reader.message);
}

/* One byte at a time becomes another: no crash, and what is read can be written. */
Test(event_reader, survives_garbage)
{
	char copy[sizeof(whole)];
	size_t i;
	int c;

	for (i = 0; i < strlen(whole); i++) {
		memcpy(copy, whole, sizeof(whole));
		for (c = 0; c < 256; c += 5) {
			copy[i] = (char)c;
			cr_assert_lt(read_bytes(copy, strlen(whole)), T2_EVENT_READ_NR);
			cr_assert_leq(reader.offset, strlen(whole));
			cr_assert_leq(reader.used, reader.room_size);
		}
	}
}

Test(event_reader, too_little_room_is_an_error_at_every_size)
{
	size_t needed, size;

	cr_assert_eq(read_text(whole), OK);
	needed = reader.used;
	for (size = 0; size < needed; size++) {
		char *exact = malloc(size);

		reader.room = exact;
		reader.room_size = size;
		cr_assert_eq(t2_event_read(&reader, whole, strlen(whole), &event),
			     T2_EVENT_READ_NO_ROOM, "%zu", size);
		free(exact);
	}
}

Test(event_reader, room_need_not_be_aligned)
{
	char *room = malloc(1024);
	size_t shift;

	for (shift = 0; shift < 8; shift++) {
		reader.room = room + shift;
		reader.room_size = 1000;
		cr_assert_eq(t2_event_read(&reader, whole, strlen(whole), &event), OK);
		cr_assert_eq((uintptr_t)event.u.child_start.argv % sizeof(char *), 0);
		cr_assert_str_eq(event.u.child_start.argv[0], "\xf0\x9f\x98\x80");
		cr_assert_null(event.u.child_start.argv[2]);
	}
	free(room);
}

/* What takes most room for its length. */
Test(event_reader, the_room_it_says_is_enough)
{
	static const char *const pieces[] = {"\"\",", "\"\xff\",", "\"\\u20ac\","};
	char text[8192];
	size_t i, nr;

	for (i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		for (nr = 0; nr < 100; nr++) {
			size_t n;

			strcpy(text, "{\"event\":\"start\",\"argv\":[");
			for (n = 0; n < nr; n++)
				strcat(text, pieces[i]);
			if (nr)
				text[strlen(text) - 1] = '\0';
			strcat(text, "],\"argv\":[],\"argv\":[]}");
			cr_assert_eq(read_text(text), OK, "%s: %s", text, reader.message);
		}
	}
}

Test(event_reader, strings_outlive_the_line)
{
	cr_assert_eq(read_text(whole), OK);
	memset(exact_text, 'x', strlen(whole));
	cr_assert_str_eq(event.u.child_start.cd, "caf\xc3\xa9");
	cr_assert_str_eq(reader.name, "child_start");
}

Test(event_reader, finds_every_kind_by_its_name)
{
	int kind;

	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		char text[64] = "{\"event\":\"";

		strcat(text, t2_event_descs[kind].name);
		strcat(text, "\"}");
		cr_assert_eq(read_text(text), OK);
		cr_assert_eq((int)event.kind, kind);
	}
}
