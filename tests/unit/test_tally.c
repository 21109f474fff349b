/* SPDX-License-Identifier: MIT */
/*
 * command/tally.c: how far a run is, from the beginning of its trace.
 */
#include "command/tally.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define START(id, argv)                                                                            \
	"{\"event\":\"child_start\",\"sid\":\"a\",\"thread\":\"main\",\"child_id\":" #id           \
	",\"argv\":[" argv "]}\n"
#define EXIT(id, code)                                                                             \
	"{\"event\":\"child_exit\",\"sid\":\"a\",\"thread\":\"main\",\"child_id\":" #id            \
	",\"pid\":7,\"code\":" #code "}\n"
#define READY(id)                                                                                  \
	"{\"event\":\"child_ready\",\"sid\":\"a\",\"thread\":\"main\",\"child_id\":" #id           \
	",\"pid\":7,\"ready\":\"ready\"}\n"

static const char text[] = START(0, "\"cc\",\"-c\",\"a.c\",\"-o\",\"a.o\"") START(1, "\"ls\"")
	START(2, "\"sh\",\"-c\",\"x\"") EXIT(1, 2) "no event\n" START(3, "\"sleep\"") READY(3)
		START(5, "\"true\"") EXIT(5, 0) START(4, "\"make\"");

static void expect_tally(const struct t2_tally *tally, const char *how)
{
	cr_expect_eq(tally->nr_started, 6, "%s", how);
	cr_expect_eq(tally->nr_ended, 3, "%s", how);
	cr_expect_eq(tally->nr_failed, 1, "%s", how);
	cr_expect_str_eq(tally->names[0].name, "make");
	cr_expect_str_eq(tally->names[1].name, "sh");
	cr_expect_str_eq(tally->names[2].name, "cc a.c");
	cr_expect_eq(tally->names[3].key, 0);
}

Test(tally, is_the_same_wherever_the_stream_is_cut)
{
	for (size_t cut = 0; cut <= strlen(text); cut++) {
		struct t2_tally tally;

		t2_tally_init(&tally);
		t2_tally_add(&tally, text, cut);
		t2_tally_add(&tally, text + cut, strlen(text) - cut);
		expect_tally(&tally, text + cut);
		t2_tally_free(&tally);
	}
}

Test(tally, is_the_same_byte_by_byte)
{
	struct t2_tally tally;

	t2_tally_init(&tally);
	for (const char *at = text; *at; at++)
		t2_tally_add(&tally, at, 1);
	expect_tally(&tally, "byte by byte");
	t2_tally_free(&tally);
}

Test(tally, keeps_the_newest_names)
{
	char line[sizeof(START(1000, "\"c\""))];
	struct t2_tally tally;

	t2_tally_init(&tally);
	for (int i = 0; i < 20; i++) {
		snprintf(line, sizeof(line),
			 "{\"event\":\"child_start\",\"sid\":\"a\",\"thread\":\"main\","
			 "\"child_id\":%d,\"argv\":[\"c%d\"]}\n",
			 i, i);
		t2_tally_add(&tally, line, strlen(line));
	}
	for (int i = 0; i < T2_TALLY_NAMES; i++) {
		snprintf(line, sizeof(line), "c%d", 19 - i);
		cr_expect_str_eq(tally.names[i].name, line);
	}
	t2_tally_free(&tally);
}

Test(tally, of_a_line_without_end_keeps_only_so_much)
{
	static char bytes[1 << 16];
	struct t2_tally tally;

	memset(bytes, 'x', sizeof(bytes));
	t2_tally_init(&tally);
	for (int i = 0; i < 100; i++)
		t2_tally_add(&tally, bytes, sizeof(bytes));
	cr_expect_leq(tally.len, 1 << 20);
	t2_tally_add(&tally, "\n", 1);
	t2_tally_add(&tally, text, strlen(text));
	cr_expect_eq(tally.nr_started, 6);
	t2_tally_free(&tally);
}
