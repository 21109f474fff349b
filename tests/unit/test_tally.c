/* SPDX-License-Identifier: MIT */
/*
 * command/tally.c: what the status line tells of a trace that grows.
 */
#include "command/tally.h"

#include <criterion/criterion.h>
#include <string.h>

#define SID "\"sid\":\"20260101T000000.000001Z-H00000001-P00000001\","
#define START(id, argv)                                                                            \
	"{\"event\":\"child_start\"," SID "\"child_id\":" id ",\"argv\":[" argv "]}\n"
#define EXIT(id, code)                                                                             \
	"{\"event\":\"child_exit\"," SID "\"child_id\":" id ",\"pid\":7,\"code\":" code "}\n"

static const char trace[] =
	"{\"event\":\"start\"," SID "\"argv\":[\"make\"]}\n" START("0", "\"sh\",\"-c\",\"x\"")
		START("1", "\"/usr/lib/cc1plus\",\"-quiet\",\"-MD\",\"o/a.d\",\"src/io/a.cc\"")
			START("2", "\"ls\",\"/usr/lib\"") EXIT("0", "1") "not an event\n";

/* However the bytes come. */
Test(tally, counts_and_names_what_runs)
{
	for (size_t piece = 1; piece <= sizeof(trace); piece += 7) {
		struct t2_tally tally;

		t2_tally_init(&tally);
		for (size_t at = 0; at < sizeof(trace) - 1; at += piece) {
			size_t left = sizeof(trace) - 1 - at;

			t2_tally_add(&tally, trace + at, left < piece ? left : piece);
		}
		cr_expect_eq(tally.nr_started, 3);
		cr_expect_eq(tally.nr_ended, 1);
		cr_expect_eq(tally.nr_failed, 1);
		cr_expect_str_eq(tally.names[0].name, "ls");
		cr_expect_str_eq(tally.names[1].name, "cc1plus a.cc");
		cr_expect_eq(tally.names[2].key, 0);
		t2_tally_free(&tally);
	}
}
