/* SPDX-License-Identifier: MIT */
/*
 * Names are read from their end, where the noun is. No list of all known options
 * could be long enough; a few words at the right place find nearly all of them.
 */
#include "formatters/secret.h"

#include <stddef.h>

static bool is_joint(char c)
{
	return c == '_' || c == '-' || c == '.';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static char to_lower(char c)
{
	return is_upper(c) ? (char)(c | 0x20) : c;
}

/* "pass", the shortest name of a secret. */
#define SHORTEST 4

struct stem {
	char text[14];
	unsigned short len; /* 0 ends a list */
};
#define STEM(str)                                                                                  \
	{                                                                                          \
		str, sizeof(str) - 1                                                               \
	}
#define END                                                                                        \
	{                                                                                          \
		"", 0                                                                              \
	}

/* Whether the name ends in @stem, joined somehow; with @is_word, as words of its own. */
static bool ends_in(const char *name, const char *end, const struct stem *stem, bool is_word)
{
	size_t left = stem->len;

	/* Most names are shorter than most stems. */
	if (left > (size_t)(end - name))
		return false;
	while (left) {
		if (end == name)
			return false;
		end--;
		if (!is_joint(*end) && to_lower(*end) != stem->text[--left])
			return false;
	}
	return !is_word || end == name || is_joint(end[-1]) ||
	       (is_upper(*end) && !is_upper(end[-1]));
}

static bool ends_in_any(const char *name, const char *end, const struct stem *stems, bool is_word)
{
	for (; stems->len; stems++) {
		if (ends_in(name, end, stems, is_word))
			return true;
	}
	return false;
}

/* Whether the first word says that no secret follows. */
static bool is_about(const char *name, const char *end)
{
	static const struct stem words[] = {STEM("no"), STEM("ask"), STEM("show"), STEM("without"),
					    END};
	const char *at = name;

	while (at < end && !is_joint(*at))
		at++;
	return at < end && ends_in_any(name, at, words, true);
}

static bool ends_in_secret(const char *name, const char *end, bool is_word)
{
	static const struct stem secrets[] = {
		STEM("password"),    STEM("passwd"),	 STEM("passphrase"), STEM("passin"),
		STEM("passout"),     STEM("token"),	 STEM("secret"),     STEM("apikey"),
		STEM("accesskey"),   STEM("privatekey"), STEM("secretkey"),  STEM("credential"),
		STEM("credentials"), STEM("storepass"),	 STEM("keypass"),    END};
	static const struct stem pass = STEM("pass");
	/* What only ends like it. */
	static const struct stem others[] = {STEM("compass"), STEM("bypass"), STEM("askpass"), END};

	while (end > name && end[-1] >= '0' && end[-1] <= '9')
		end--;
	while (end > name && is_joint(end[-1]))
		end--;
	if (ends_in_any(name, end, secrets, is_word))
		return true;
	return ends_in(name, end, &pass, is_word) && !ends_in_any(name, end, others, false);
}

bool t2_secret_is_option(const char *name, const char *end, bool is_word)
{
	return !is_about(name, end) && ends_in_secret(name, end, is_word);
}

bool t2_secret_is_setting(const char *name, const char *end)
{
	/* What may be said of a secret. */
	static const struct stem plain[] = {STEM("file"),    STEM("path"), STEM("dir"),
					    STEM("name"),    STEM("type"), STEM("length"),
					    STEM("len"),     STEM("size"), STEM("count"),
					    STEM("max"),     STEM("min"),  STEM("ttl"),
					    STEM("through"), END};
	const char *at;

	if (end - name < SHORTEST)
		return false;
	for (at = name; at < end; at++) {
		if (*at == '.')
			name = at + 1;
	}
	if (is_about(name, end) || ends_in_any(name, end, plain, true))
		return false;
	for (at = name; at < end; at++) {
		bool ends_word = at > name && is_joint(*at) && !is_joint(at[-1]);

		if (ends_word && ends_in_secret(name, at, true))
			return true;
	}
	return ends_in_secret(name, end, false);
}

bool t2_secret_is_header(const char *name, const char *end)
{
	static const struct stem cookie = STEM("cookie");

	return t2_secret_is_authorization(name, end) || ends_in(name, end, &cookie, true) ||
	       t2_secret_is_setting(name, end);
}

bool t2_secret_is_authorization(const char *name, const char *end)
{
	static const struct stem authorization = STEM("authorization");

	return ends_in(name, end, &authorization, true);
}

bool t2_secret_holds_header(const char *name, const char *end)
{
	static const struct stem extraheader = STEM("extraheader");

	return ends_in(name, end, &extraheader, true);
}
