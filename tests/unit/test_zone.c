/* SPDX-License-Identifier: MIT */
/* preload/zone.c: every zone of the system against localtime_r, rules without any files. */
#include "preload/pool.h"
#include "preload/zone.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ZONES "/usr/share/zoneinfo"
#define DAY 86400

/* 2050-01-01 */
#define END 2524608000

static int libc_offset(int64_t unix_s)
{
	time_t at = (time_t)unix_s;
	struct tm tm;

	localtime_r(&at, &tm);
	return (int)tm.tm_gmtoff;
}

static void use_zone(const char *tz)
{
	if (tz)
		setenv("TZ", tz, 1);
	else
		unsetenv("TZ");
	tzset();
}

/* A zone as the shim sees it: by its file's bytes, or by its rule. */
struct zone {
	const char *tz;
	const char *rule; /* or the file: */
	char *bytes;
	size_t len;
};

static int own_offset(const struct zone *zone, int64_t unix_s)
{
	return zone->rule ? t2_zone_offset_of_rule(zone->rule, unix_s)
			  : t2_zone_offset_of_file(zone->bytes, zone->len, unix_s);
}

/* Asserts only what fails: each assertion is a message to the test runner. */
static void assert_agree_at(const struct zone *zone, int64_t unix_s)
{
	int expected = libc_offset(unix_s), offset = own_offset(zone, unix_s);

	if (offset != expected)
		cr_assert_fail("%s is %d s ahead at %lld, not %d", zone->tz, expected,
			       (long long)unix_s, offset);
}

/* On both sides of the one change between @from and @to. */
static void assert_agree_around_change(const struct zone *zone, int64_t from, int64_t to)
{
	int before = libc_offset(from);

	while (to - from > 1) {
		int64_t middle = from + (to - from) / 2;

		if (libc_offset(middle) == before)
			from = middle;
		else
			to = middle;
	}
	assert_agree_at(zone, from);
	assert_agree_at(zone, to);
}

static void assert_agrees_with_libc(const struct zone *zone, int64_t start, int64_t step)
{
	int64_t last = start;

	use_zone(zone->tz);
	for (int64_t at = start; at < END; at += step) {
		assert_agree_at(zone, at);
		if (libc_offset(at) != libc_offset(last))
			assert_agree_around_change(zone, last, at);
		last = at;
	}
}

static bool read_zone(struct zone *zone, const char *name)
{
	char path[256], *bytes = malloc(1 << 20);
	FILE *file;

	snprintf(path, sizeof(path), ZONES "/%s", name);
	file = fopen(path, "re");
	if (!file) {
		free(bytes);
		return false;
	}
	*zone = (struct zone){.tz = name};
	zone->len = fread(bytes, 1, 1 << 20, file);
	zone->bytes = realloc(bytes, zone->len);
	fclose(file);
	return true;
}

/* Says so where a summary of skipped tests would not. */
#define NEED_ZONES()                                                                               \
	do {                                                                                       \
		if (access(ZONES "/Europe/Berlin", R_OK)) {                                        \
			cr_log_warn("no " ZONES ": time zones are not tested; install tzdata");    \
			cr_skip_test("tzdata is not installed");                                   \
		}                                                                                  \
	} while (0)

Test(zone, every_zone_of_the_system_is_as_libc_says, .timeout = 240)
{
	FILE *tab;
	char line[512], name[128];
	int nr = 0;

	NEED_ZONES();
	tab = fopen(ZONES "/zone.tab", "re");
	cr_assert_not_null(tab);
	while (fgets(line, sizeof(line), tab)) {
		struct zone zone;

		if (line[0] == '#' || sscanf(line, "%*s %*s %127s", name) != 1)
			continue;
		if (!read_zone(&zone, name))
			continue;
		assert_agrees_with_libc(&zone, nr * 4001, 29 * DAY + 17 * 3600);
		free(zone.bytes);
		nr++;
	}
	fclose(tab);
	cr_assert_gt(nr, 300, "only %d zones were found", nr);
}

/* Half hours, a change of the date, summer in January, two hours of summer, none. */
static const char *const zones[] = {
	"UTC",
	"Europe/Berlin",
	"Europe/Dublin",
	"Europe/London",
	"America/New_York",
	"America/St_Johns",
	"America/Sao_Paulo",
	"America/Santiago",
	"America/Nuuk",
	"Africa/Casablanca",
	"Africa/Monrovia",
	"Asia/Kathmandu",
	"Asia/Kolkata",
	"Asia/Gaza",
	"Australia/Lord_Howe",
	"Antarctica/Troll",
	"Pacific/Apia",
	"Pacific/Chatham",
	"Pacific/Kiritimati",
	"Etc/GMT+12",
	"EST5EDT",
};

Test(zone, unusual_zones_are_as_libc_says_every_half_day, .timeout = 240)
{
	NEED_ZONES();
	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++) {
		struct zone zone;

		if (!read_zone(&zone, zones[i]))
			continue;
		assert_agrees_with_libc(&zone, 0, DAY / 2 + 11);
		free(zone.bytes);
	}
}

/* 2026-01-15 and 2026-07-15, noon */
#define WINTER 1768478400
#define SUMMER 1784116800

Test(zone, tz_names_a_file_as_for_libc)
{
	static const char *const names[] = {
		"Europe/Berlin",
		":Europe/Berlin",
		ZONES "/America/St_Johns",
		":" ZONES "/America/St_Johns",
		"EST5EDT",
		"UTC",
		NULL,
	};

	NEED_ZONES();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		use_zone(names[i]);
		cr_assert_eq(t2_zone_offset(names[i], WINTER), libc_offset(WINTER), "TZ=%s",
			     names[i]);
		cr_assert_eq(t2_zone_offset(names[i], SUMMER), libc_offset(SUMMER), "TZ=%s",
			     names[i]);
	}
	cr_assert_eq(t2_zone_offset("Europe/Berlin", SUMMER), 7200);
	cr_assert_eq(t2_zone_offset("Europe/Berlin", WINTER), 3600);
}

Test(zone, an_empty_tz_is_utc)
{
	cr_assert_eq(t2_zone_offset("", SUMMER), 0);
	cr_assert_eq(t2_zone_offset(":", SUMMER), 0);
}

static const char *const hopeless[] = {
	"Nowhere/City", "/nowhere", "/", ".", "Europe", "123", "?", "<", "<+03", "CET", "ABC", "-3",
};

Test(zone, a_tz_that_says_nothing_is_utc)
{
	for (size_t i = 0; i < sizeof(hopeless) / sizeof(*hopeless); i++) {
		struct zone zone;

		if (read_zone(&zone, hopeless[i]) && zone.len) {
			free(zone.bytes);
			continue;
		}
		use_zone(hopeless[i]);
		cr_assert_eq(libc_offset(SUMMER), 0, "of \"%s\" libc makes something", hopeless[i]);
		cr_assert_eq(t2_zone_offset(hopeless[i], SUMMER), 0, "TZ=%s is %d", hopeless[i],
			     t2_zone_offset(hopeless[i], SUMMER));
	}
}

/* These need no files. */
static const char *const rules[] = {
	"XXX0",
	"XXX3",
	"XXX-3",
	"XXX+3",
	"XXX-5:45",
	"XXX3:30:15",
	"<-03>3",
	"<+0545>-5:45",
	"CET-1CEST,M3.5.0,M10.5.0/3",
	"EST5EDT,M3.2.0,M11.1.0",
	"NST3:30NDT,M3.2.0,M11.1.0",
	"IST-1GMT0,M10.5.0,M3.5.0/1",
	"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
	"<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
	"EET-2EEST,M3.4.4/50,M10.4.4/50",
	"NZST-12NZDT,M9.5.0,M4.1.0/3",
	"AAA-3BBB,J60,J300",
	"AAA-3BBB,J59/1:30,J360/0",
	"AAA4BBB,59/1,299/3",
	"AAA4BBB,10/0,350/12",
	"AAA4BBB3:30,M2.1.1/4:05:06,M11.5.6/22",
	"AAA12BBB,M6.3.3,M6.4.3",
};

Test(zone, rules_are_as_libc_says, .timeout = 240)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const struct zone zone = {.tz = rules[i], .rule = rules[i]};

		assert_agrees_with_libc(&zone, DAY, DAY / 2 + 11);
	}
}

Test(zone, tz_can_be_a_rule)
{
	cr_assert_eq(t2_zone_offset("AAA-3BBB,M3.5.0,M10.5.0/3", SUMMER), 4 * 3600);
	cr_assert_eq(t2_zone_offset("AAA-3BBB,M3.5.0,M10.5.0/3", WINTER), 3 * 3600);
	cr_assert_eq(t2_zone_offset(":AAA4", WINTER), -4 * 3600);
}

/* libc's default depends on a file, so it is not asked. */
Test(zone, summer_time_without_a_rule_is_that_of_the_united_states)
{
	for (int64_t at = 1200000000; at < END; at += DAY / 3) {
		if (t2_zone_offset_of_rule("AAA5BBB", at) !=
		    t2_zone_offset_of_rule("AAA5BBB,M3.2.0,M11.1.0", at))
			cr_assert_fail("they differ at %lld", (long long)at);
		if (t2_zone_offset_of_rule("AAA5BBB3", at) !=
		    t2_zone_offset_of_rule("AAA5BBB3,M3.2.0,M11.1.0", at))
			cr_assert_fail("they differ at %lld", (long long)at);
	}
	cr_assert_eq(t2_zone_offset_of_rule("AAA5BBB", SUMMER), -4 * 3600);
}

/* POSIX: at least three characters. libc takes such a TZ for UTC. */
Test(zone, a_name_of_two_letters_is_none)
{
	use_zone("AB3");
	cr_assert_eq(libc_offset(SUMMER), 0);
	cr_assert_eq(t2_zone_offset("AB3", SUMMER), 0, "TZ=AB3 is %d s ahead",
		     t2_zone_offset("AB3", SUMMER));
}

static const char *const absurd[] = {
	"AAA99999999999999999999",
	"AAA-99999999999999999999",
	"AAA999999:999999:999999",
	"AAA3BBB,M99999999.99999999.99999999/99999999,J99999999",
	"AAA3BBB,M0.0.0,M13.0.0",
	"AAA3BBB,J0,J0",
	"AAA3BBB999999,0,0",
	"AAA3BBB,",
	"AAA3BBB,,",
	"AAA3BBB,M3",
	"AAA3BBB,M3.2.0",
	"AAA3BBB,M3.2.0,",
	"<>3",
};

/* libc cuts hours at 24. Nobody lives further away. */
Test(zone, absurd_rules_give_offsets_of_a_day_at_most)
{
	for (size_t i = 0; i < sizeof(absurd) / sizeof(*absurd); i++) {
		int offset = t2_zone_offset_of_rule(absurd[i], SUMMER);

		cr_assert_leq(abs(offset), 25 * 3600, "\"%s\" is %d s ahead", absurd[i], offset);
	}
}

/* A zone file of both versions: one change, and a rule behind it. */
static const unsigned char zone_file[] = {
#define HEADER(version)                                                                            \
	'T', 'Z', 'i', 'f', version, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   \
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 8
#define TYPES 0, 0, 0, 0, 0, 0, 0, 0, 0x0e, 0x10, 1, 4, 'A', 'A', 'A', 0, 'B', 'B', 'B', 0
	HEADER('2'), 0,	   0, 0x10, 0,	   1,	 TYPES, HEADER('2'), 0,	  0,   0,   0,	  0,
	0,	     0x10, 0, 1,    TYPES, '\n', 'C',	'C',	     'C', '-', '5', '\n',
};

Test(zone, a_file_is_read_in_its_64_bit_half)
{
	cr_assert_eq(t2_zone_offset_of_file(zone_file, sizeof(zone_file), 0x0fff), 0);
	cr_assert_eq(t2_zone_offset_of_file(zone_file, sizeof(zone_file), 0x1000), 5 * 3600,
		     "behind the last change the rule holds");
}

Test(zone, a_file_of_the_first_version_is_read_in_its_only_half)
{
	unsigned char old[sizeof(zone_file)];

	memcpy(old, zone_file, sizeof(zone_file));
	old[4] = 0;
	cr_assert_eq(t2_zone_offset_of_file(old, sizeof(old), 0x0fff), 0);
	cr_assert_eq(t2_zone_offset_of_file(old, sizeof(old), 0x1000), 3600);
}

Test(zone, a_file_without_a_rule_goes_on_as_it_ended)
{
	unsigned char bytes[sizeof(zone_file)];

	memcpy(bytes, zone_file, sizeof(zone_file));
	memcpy(bytes + sizeof(bytes) - 7, "\n\n     ", 7);
	cr_assert_eq(t2_zone_offset_of_file(bytes, sizeof(bytes), SUMMER), 3600);
}

/* In memory of exactly that size: the sanitizer sees what is read past it. */
static void read_exactly(const void *bytes, size_t len)
{
	char *exact = malloc(len);

	memcpy(exact, bytes, len);
	t2_zone_offset_of_file(exact, len, 0);
	t2_zone_offset_of_file(exact, len, SUMMER);
	free(exact);
}

Test(zone, a_file_cut_anywhere_is_not_read_past_its_end)
{
	for (size_t len = 0; len <= sizeof(zone_file); len++)
		read_exactly(zone_file, len);
	cr_assert_eq(t2_zone_offset_of_file(zone_file, 20, SUMMER), 0);
	cr_assert_eq(t2_zone_offset_of_file("", 0, SUMMER), 0);
	cr_assert_eq(t2_zone_offset_of_file("#!/bin/sh", 9, SUMMER), 0);
}

Test(zone, a_file_with_any_byte_wrong_is_not_read_past_its_end)
{
	static const unsigned char values[] = {0, 1, 3, 0x7f, 0x80, 0xff};
	unsigned char bytes[sizeof(zone_file)];

	for (size_t at = 0; at < sizeof(bytes); at++) {
		for (size_t i = 0; i < sizeof(values); i++) {
			memcpy(bytes, zone_file, sizeof(bytes));
			bytes[at] = values[i];
			read_exactly(bytes, sizeof(bytes));
		}
	}
}

Test(zone, leaves_neither_a_descriptor_nor_memory)
{
	int before = dup(0), after;
	struct t2_block block;

	close(before);
	for (int i = 0; i < 40; i++) {
		t2_zone_offset("Europe/Berlin", SUMMER);
		t2_zone_offset("/", SUMMER);
		t2_zone_offset(NULL, SUMMER);
	}
	after = dup(0);
	close(after);
	cr_assert_eq(before, after);
	cr_assert_eq(t2_pool_claim(&block, 1, &block), 0);
	cr_assert_eq(block.index, 0);
}
