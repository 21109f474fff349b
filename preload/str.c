/* SPDX-License-Identifier: MIT */
#include "preload/str.h"

#include <string.h>

const char *t2_str_base_name(const char *path)
{
	const char *base = path + strlen(path);

	while (base > path && base[-1] != '/')
		base--;
	return base;
}

bool t2_str_starts_with(const char *str, const char *prefix)
{
	while (*prefix) {
		if (*str++ != *prefix++)
			return false;
	}
	return true;
}

bool t2_str_matches(const char *str, const char *glob, size_t glob_len)
{
	const char *end = glob + glob_len;
	const char *star = NULL; /* where to go back to: one byte more for the last star */
	const char *resume = str;

	while (*str) {
		if (glob < end && *glob == '*') {
			star = ++glob;
			resume = str;
		} else if (glob < end && (*glob == '?' || *glob == *str)) {
			glob++;
			str++;
		} else if (star) {
			glob = star;
			str = ++resume;
		} else {
			return false;
		}
	}
	while (glob < end && *glob == '*')
		glob++;
	return glob == end;
}

bool t2_str_matches_any(const char *str, const char *list)
{
	while (*list) {
		size_t len = 0;

		while (list[len] && list[len] != ',')
			len++;
		if (len && t2_str_matches(str, list, len))
			return true;
		list += len;
		list += *list == ',';
	}
	return false;
}

static bool equals_ignoring_case(const char *str, const char *lower)
{
	for (; *str && *lower; str++, lower++) {
		char c = *str >= 'A' && *str <= 'Z' ? (char)(*str | 0x20) : *str;

		if (c != *lower)
			return false;
	}
	return !*str && !*lower;
}

static unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (unsigned)((c | 0x20) - 'a' + 10);
	return 99;
}

/* What the unit letter at *@str stands for; moves behind it. */
static uint64_t unit(const char **str)
{
	switch (**str | 0x20) {
	case 'k':
		++*str;
		return 1024;
	case 'm':
		++*str;
		return 1024 * 1024;
	case 'g':
		++*str;
		return 1024 * 1024 * 1024;
	default:
		return 1;
	}
}

/*
 * 1 or 0 for an integer as strtoimax(str, 0) reads it, with one unit letter. Past
 * the range of an int git does not take it for one.
 */
static int integer_to_bool(const char *str)
{
	unsigned base = 10;
	uint64_t value = 0;
	bool has_digits = false;

	while (*str == ' ' || (*str >= '\t' && *str <= '\r'))
		str++;
	if (*str == '-' || *str == '+')
		str++;
	if (str[0] == '0' && (str[1] | 0x20) == 'x' && digit_value(str[2]) < 16) {
		base = 16;
		str += 2;
	} else if (*str == '0') {
		base = 8;
	}
	for (; digit_value(*str) < base; str++) {
		has_digits = true;
		if (value <= INT32_MAX)
			value = value * base + digit_value(*str);
	}
	if (!has_digits || value > INT32_MAX)
		return -1;
	value *= unit(&str);
	return !*str && value <= INT32_MAX ? value != 0 : -1;
}

int t2_str_to_bool(const char *str)
{
	static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};

	for (int i = 0; i < 6; i++) {
		if (equals_ignoring_case(str, words[i]))
			return i & 1;
	}
	return integer_to_bool(str);
}
