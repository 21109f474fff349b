/* SPDX-License-Identifier: MIT */
/* formatters/text.c and errno_text.c: git's wording, whatever the locale. */
#include "formatters/errno_text.h"
#include "formatters/redact.h"
#include "formatters/text.h"
#include "preload/event.h"
#include "tests/unit/buf.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct t2_redact nothing; /* is replaced */

TestSuite(text, .init = empty_buf);
TestSuite(errno_text, .init = empty_buf);

static const struct {
	const char *arg;
	const char *quoted;
} args[] = {
	{NULL, "''"},
	{"", "''"},
	{"plain", "plain"},
	{"a@b:c,d.e-f_g^h+/i", "a@b:c,d.e-f_g^h+/i"},
	{"a=b", "a=b"},
	{"AZaz09", "AZaz09"},
	{"a b", "'a b'"},
	{"it's", "'it'\\''s'"},
	{"wow!", "'wow'\\!''"},
	{"a'!b", "'a'\\'''\\!'b'"},
	{"'", "''\\'''"},
	{"~", "'~'"},
	{"*", "'*'"},
	{"$x", "'$x'"},
	{"%", "'%'"},
	{"\"\\", "'\"\\'"},
	{"tab\there", "'tab\there'"},
	{"nl\n", "'nl\n'"},
	{"\x01\x1b\x7f\x08\x0c\r", "'\x01\x1b\x7f\x08\x0c\r'"},
	{"caf\xc3\xa9", "'caf\xc3\xa9'"},
	{"\xe9", "'\xe9'"},
	{"bad\xff\xfe", "'bad\xff\xfe'"},
};

static void assert_quotes_all(void)
{
	size_t i;

	for (i = 0; i < sizeof(args) / sizeof(*args); i++) {
		empty_buf();
		t2_text_put_quoted(&buf, args[i].arg);
		assert_holds(args[i].quoted);
	}
}

Test(text, quotes_as_git_does)
{
	assert_quotes_all();
}

/* In ISO-8859-1 0xe9 is a letter; in Turkish i and I are not a pair. */
Test(text, quotes_the_same_in_every_locale)
{
	static const char *const names[] = {"C.UTF-8", "fr_FR.ISO-8859-1", "tr_TR.UTF-8",
					    "de_DE.UTF-8"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (setlocale(LC_ALL, names[i]))
			assert_quotes_all();
	}
}

Test(text, leaves_bare_exactly_what_git_leaves_bare)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789+,-./:=@_^";
	int c;

	for (c = 1; c < 256; c++) {
		char str[] = {(char)c, 0};

		empty_buf();
		t2_text_put_quoted(&buf, str);
		cr_assert_eq(buf.len == 1, !!strchr(bare, c), "byte 0x%02x", c);
	}
}

Test(text, joins_arguments_with_one_blank)
{
	static const char *const none[] = {NULL};
	static const char *const one[] = {"", NULL};
	static const char *const more[] = {"git", "", "a b", "-j2", NULL};

	t2_text_put_argv(&buf, &nothing, NULL);
	t2_text_put_argv(&buf, &nothing, none);
	assert_holds("");
	t2_text_put_argv(&buf, &nothing, one);
	assert_holds("''");
	empty_buf();
	t2_text_put_argv(&buf, &nothing, more);
	assert_holds("git '' 'a b' -j2");
}

static const struct {
	const char *str;
	const char *text;
} lasts[] = {
	{NULL, ""},	  {"", ""},   {"a", "a"},	{"a\n", "a"},
	{"a\n\n", "a\n"}, {"\n", ""}, {"a\nb", "a\nb"},
};

Test(text, the_last_string_gives_up_one_line_feed)
{
	size_t i;

	for (i = 0; i < sizeof(lasts) / sizeof(*lasts); i++) {
		empty_buf();
		t2_text_put_last(&buf, lasts[i].str);
		assert_holds(lasts[i].text);
	}
}

Test(text, a_number_follows_its_label)
{
	t2_text_put_number(&buf, "code:", -1);
	t2_text_put_number(&buf, " pid:", 4711);
	assert_holds("code:-1 pid:4711");
}

Test(text, a_pair_without_a_value_is_the_key)
{
	t2_text_put_pair(&buf, "key", '=', NULL, "value\n");
	t2_text_put_pair(&buf, " key", '=', NULL, "");
	t2_text_put_pair(&buf, " key\n", '=', NULL, NULL);
	t2_text_put_pair(&buf, NULL, '=', NULL, NULL);
	assert_holds("key=value key= key");
}

Test(text, a_name_without_a_hierarchy_has_no_brackets)
{
	struct t2_event event = {.kind = T2_EVENT_CMD_NAME,
				 .u.cmd_name = {.name = "sh", .hierarchy = "make/sh"}};

	t2_text_put_cmd_name(&buf, &event);
	assert_holds("sh (make/sh)");
	empty_buf();
	event.u.cmd_name.hierarchy = NULL;
	t2_text_put_cmd_name(&buf, &event);
	assert_holds("sh");
}

Test(text, an_exec_result_explains_only_a_failure)
{
	static const struct {
		int64_t code;
		const char *text;
	} results[] = {
		{2, " code:2 err:No such file or directory"},
		{4711, " code:4711 err:Unknown error 4711"},
		{0, " code:0"},
		{-1, " code:-1"},
	};
	size_t i;

	for (i = 0; i < sizeof(results) / sizeof(*results); i++) {
		struct t2_event event = {.kind = T2_EVENT_EXEC_RESULT,
					 .u.exec_result.code = results[i].code};

		empty_buf();
		t2_text_put_exec_result(&buf, &event);
		assert_holds(results[i].text);
	}
}

Test(text, every_size_gives_a_prefix_and_the_same_length)
{
	static const char *const argv[] = {"git", "", "a b", "it's !", NULL};
	size_t cap, len;

	t2_text_put_argv(&buf, &nothing, argv);
	len = buf.len;
	for (cap = 0; cap < len; cap++) {
		char *exact = malloc(cap);

		t2_buf_init(&buf, exact, cap);
		t2_text_put_argv(&buf, &nothing, argv);
		cr_assert_eq(buf.len, len, "counts %zu of %zu bytes with room for %zu", buf.len,
			     len, cap);
		cr_assert(!cap || !memcmp(exact, memory, cap), "not a prefix with room for %zu",
			  cap);
		free(exact);
	}
}

static const struct {
	int64_t code;
	const char *text;
} errors[] = {
	{EPERM, "Operation not permitted"},
	{ENOENT, "No such file or directory"},
	{E2BIG, "Argument list too long"},
	{ENOEXEC, "Exec format error"},
	{EACCES, "Permission denied"},
	{ETXTBSY, "Text file busy"},
	{EILSEQ, "Invalid or incomplete multibyte or wide character"},
	{133, "Memory page has hardware error"},
	{41, "Unknown error 41"},
	{58, "Unknown error 58"},
	{134, "Unknown error 134"},
	{0, "Unknown error 0"},
	{-1, "Unknown error -1"},
	{INT64_MAX, "Unknown error 9223372036854775807"},
	{INT64_MIN, "Unknown error -9223372036854775808"},
};

Test(errno_text, knows_what_an_errno_means)
{
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		empty_buf();
		t2_errno_text_put(&buf, errors[i].code);
		assert_holds(errors[i].text);
	}
}

#ifdef __GLIBC__
Test(errno_text, says_what_glibc_says_in_the_c_locale)
{
	int code;

	setlocale(LC_ALL, "C");
	for (code = 1; code <= 133; code++) {
		empty_buf();
		t2_errno_text_put(&buf, code);
		assert_holds(strerror(code));
	}
}
#endif
