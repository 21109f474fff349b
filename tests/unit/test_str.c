/* SPDX-License-Identifier: MIT */
/* preload/str.c: base names, globs against fnmatch, booleans against strtoimax. */
#include "preload/str.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

Test(str, the_base_name_is_what_follows_the_last_slash)
{
	cr_assert_str_eq(t2_str_base_name("/usr/bin/make"), "make");
	cr_assert_str_eq(t2_str_base_name("make"), "make");
	cr_assert_str_eq(t2_str_base_name("./make"), "make");
	cr_assert_str_eq(t2_str_base_name("a//b"), "b");
	cr_assert_str_eq(t2_str_base_name("dir/"), "");
	cr_assert_str_eq(t2_str_base_name("/"), "");
	cr_assert_str_eq(t2_str_base_name(""), "");
}

Test(str, starts_with_compares_the_whole_prefix)
{
	cr_assert(t2_str_starts_with("af_unix:/x", "af_unix:"));
	cr_assert(t2_str_starts_with("x", ""));
	cr_assert(t2_str_starts_with("same", "same"));
	cr_assert_not(t2_str_starts_with("sam", "same"));
	cr_assert_not(t2_str_starts_with("Same", "same"));
	cr_assert_not(t2_str_starts_with("", "s"));
}

Test(str, a_glob_ends_where_it_is_said_to_end)
{
	cr_assert(t2_str_matches("git", "git-upload", 3));
	cr_assert(t2_str_matches("git-upload", "git-*,make", 5));
	cr_assert_not(t2_str_matches("gi", "git", 3));
	cr_assert_not(t2_str_matches("git", "git", 2));
	cr_assert(t2_str_matches("", "*", 0));
	cr_assert_not(t2_str_matches("x", "*", 0));
}

Test(str, a_glob_knows_no_sets_and_no_escapes)
{
	cr_assert(t2_str_matches("[ab]", "[ab]", 4));
	cr_assert_not(t2_str_matches("a", "[ab]", 4));
	cr_assert(t2_str_matches("\\x", "\\*", 2));
	cr_assert(t2_str_matches(".hidden/file", "*", 1));
}

/* The string of number @index over @alphabet, in order of length. */
static void nth_string(char *to, unsigned index, const char *alphabet)
{
	unsigned base = (unsigned)strlen(alphabet);

	while (index) {
		*to++ = alphabet[--index % base];
		index /= base;
	}
	*to = '\0';
}

Test(str, globs_match_what_fnmatch_matches)
{
	unsigned s, g;

	for (g = 0; g < 1365; g++) {
		char glob[16], string[16];

		nth_string(glob, g, "ab*?");
		for (s = 0; s < 255; s++) {
			bool expected;

			nth_string(string, s, "ab");
			expected = !fnmatch(glob, string, FNM_NOESCAPE);
			/* Each assertion is a message to the test runner: only what fails. */
			if (t2_str_matches(string, glob, strlen(glob)) != expected)
				cr_assert_fail("\"%s\" has to %s \"%s\"", glob,
					       expected ? "match" : "refuse", string);
		}
	}
}

Test(str, many_stars_take_no_exponential_time, .timeout = 10)
{
	char string[2001];
	static const char glob[] = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";

	memset(string, 'a', sizeof(string) - 1);
	string[sizeof(string) - 1] = '\0';
	cr_assert_not(t2_str_matches(string, glob, sizeof(glob) - 1));
	string[sizeof(string) - 2] = 'b';
	cr_assert(t2_str_matches(string, glob, sizeof(glob) - 1));
}

Test(str, a_list_matches_if_one_of_its_globs_does)
{
	static const char list[] = "git,git-*,scalar";

	cr_assert(t2_str_matches_any("git", list));
	cr_assert(t2_str_matches_any("git-upload-pack", list));
	cr_assert(t2_str_matches_any("scalar", list));
	cr_assert_not(t2_str_matches_any("gitk", list));
	cr_assert_not(t2_str_matches_any("git,git-*", "x,y"));
}

Test(str, empty_entries_of_a_list_match_nothing)
{
	cr_assert_not(t2_str_matches_any("", ""));
	cr_assert_not(t2_str_matches_any("", ",,"));
	cr_assert(t2_str_matches_any("a", ",,a,"));
	cr_assert_not(t2_str_matches_any("b", "a,"));
}

static const struct {
	const char *text;
	int value;
} booleans[] = {
	{"true", 1},
	{"TRUE", 1},
	{"yes", 1},
	{"Yes", 1},
	{"on", 1},
	{"oN", 1},
	{"false", 0},
	{"False", 0},
	{"no", 0},
	{"NO", 0},
	{"off", 0},
	{"oFF", 0},
	{"1", 1},
	{"0", 0},
	{"2", 1},
	{"-1", 1},
	{"+0", 0},
	{"00", 0},
	{"0x10", 1},
	{"0X0", 0},
	{"017", 1},
	{" 1", 1},
	{"\t\n0", 0},
	{"1k", 1},
	{"0M", 0},
	{"2G", -1},
	{"0x1k", 1},
	{"100000", 1},
	{"", -1},
	{" ", -1},
	{"-", -1},
	{"k", -1},
	{"1kk", -1},
	{"1 ", -1},
	{"1t", -1},
	{"08", -1},
	{"0x", -1},
	{"truex", -1},
	{"tru", -1},
	{" true", -1},
	{"enable", -1},
	{"1.0", -1},
	{"--1", -1},
	{"- 1", -1},
	{"of", -1},
	{"o", -1},
	{"@", -1},
	{"1G", 1},
	/* As git reads them: within an int. */
	{"2147483647", 1},
	{"-2147483647", 1},
	{"2147483648", -1},
	{"99999999999999999999999999", -1},
	{"0x100000001g", -1},
};

Test(str, booleans_are_those_of_git)
{
	size_t i;

	for (i = 0; i < sizeof(booleans) / sizeof(*booleans); i++)
		cr_assert_eq(t2_str_to_bool(booleans[i].text), booleans[i].value,
			     "expected %d of \"%s\", not %d", booleans[i].value, booleans[i].text,
			     t2_str_to_bool(booleans[i].text));
}

static int integer_to_bool(const char *text)
{
	static const char units[] = "kmg";
	char *end;
	intmax_t value = strtoimax(text, &end, 0);
	const char *unit = *end ? strchr(units, *end | 0x20) : NULL;

	if (end == text)
		return -1;
	if (unit) {
		value *= (intmax_t)1 << 10 * (unit - units + 1);
		end++;
	}
	return *end || imaxabs(value) > INT_MAX ? -1 : value != 0;
}

Test(str, integers_are_read_as_strtoimax_reads_them)
{
	char text[16];
	unsigned i;

	/* All strings of up to five of these. */
	for (i = 0; i < 271453; i++) {
		nth_string(text, i, " +-0178xXkGa");
		if (t2_str_to_bool(text) != integer_to_bool(text))
			cr_assert_fail("expected %d of \"%s\", not %d", integer_to_bool(text), text,
				       t2_str_to_bool(text));
	}
}
