/* SPDX-License-Identifier: MIT */
/*
 * One pass over each argument, from word to word. Where the end of a secret is in
 * doubt it takes more rather than less: the rest of an argument, or whatever a
 * shell's quotes enclose.
 */
#include "formatters/redact.h"

#include "formatters/secret.h"
#include "preload/event.h"
#include "preload/str.h"

#include <string.h>

#define MARK "<REDACTED>"

enum {
	EXPECT_NOTHING,
	EXPECT_VALUE, /* of a secret option */
	EXPECT_HEADER,
};

/* Where a word begins, and the quote right before it. */
struct word {
	const char *at;
	char quote;
	bool is_escaped;
};

enum {
	BLANK = 1,
	QUOTE = 2,
	BORDER = 4, /* a word may begin behind it */
	NAME = 8,
};

static const unsigned char classes[256] = {
	[' '] = BLANK | BORDER,
	['\t'] = BLANK | BORDER,
	['\n'] = BLANK | BORDER,
	['\''] = QUOTE | BORDER,
	['"'] = QUOTE | BORDER,
	['\\'] = BORDER,
	['`'] = BORDER,
	['('] = BORDER,
	[';'] = BORDER,
	['&'] = BORDER,
	['|'] = BORDER,
	['a' ... 'z'] = NAME,
	['A' ... 'Z'] = NAME,
	['0' ... '9'] = NAME,
	['_'] = NAME,
	['-'] = NAME,
	['.'] = NAME,
};

static bool is_a(char c, unsigned wanted)
{
	return classes[(unsigned char)c] & wanted;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *skip(const char *at, unsigned class)
{
	while (is_a(*at, class))
		at++;
	return at;
}

/* --- values ----------------------------------------------------------------- */

/* Where the quotes around @word end. */
static const char *find_closing(const struct word *word, const char *at)
{
	for (; *at && *at != word->quote; at++) {
		if (*at != '\\' || !at[1] || word->quote == '\'')
			continue;
		if (word->is_escaped && at[1] == word->quote)
			break;
		at++;
	}
	return at;
}

/*
 * Where a value ends that begins at @at: at a blank in none of its own quotes, or
 * where the quotes end that were open before it.
 */
static const char *find_blank(const char *at, char outer)
{
	bool is_escaped = false;
	char inner = '\0';

	for (; *at; at++) {
		if (*at == '\\' && at[1] && outer != '\'' && inner != '\'') {
			at++;
			is_escaped ^= outer && *at == outer;
		} else if (inner) {
			if (*at == inner)
				inner = '\0';
		} else if (outer && *at == outer) {
			break;
		} else if (is_a(*at, QUOTE)) {
			inner = *at;
		} else if (is_a(*at, BLANK) && !is_escaped) {
			break;
		}
	}
	return at;
}

/* A secret begins at @at, somewhere in @word. */
static bool take_value(struct t2_redact *redact, const struct word *word, const char *at)
{
	redact->secret_begin = at;
	if (redact->is_value)
		redact->secret_end = at + strlen(at);
	else if (word->quote)
		redact->secret_end = find_closing(word, at);
	else
		redact->secret_end = find_blank(at, redact->quote);
	return true;
}

/* --- words ------------------------------------------------------------------ */

/* git's rule. Only within a longer text can a blank or a quote end a URL. */
static bool check_url(struct t2_redact *redact, const struct word *word)
{
	bool is_within = word->at != redact->at;
	const char *colon = NULL;
	const char *at = word->at;

	if (t2_str_starts_with(at, "https://"))
		at += strlen("https://");
	else if (t2_str_starts_with(at, "http://"))
		at += strlen("http://");
	else
		return false;
	for (; *at && *at != '@' && *at != '/'; at++) {
		if (is_within && is_a(*at, BLANK | QUOTE))
			return false;
		if (*at == ':' && !colon)
			colon = at;
	}
	if (*at != '@' || !colon)
		return false;
	redact->secret_begin = colon + 1;
	redact->secret_end = at;
	return true;
}

/* "Name: value" at @at in @word; any header, or only one for authorization. */
static bool check_header(struct t2_redact *redact, const struct word *word, const char *at,
			 bool is_any)
{
	const char *end = skip(at, NAME);

	if (*end != ':')
		return false;
	if (!t2_secret_is_authorization(at, end) && !(is_any && t2_secret_is_header(at, end)))
		return false;
	/* It may have blanks, so without quotes there is no telling where it ends. */
	redact->is_value |= !word->quote;
	return take_value(redact, word, skip(end + 1, BLANK));
}

/* "NAME=value" at @at in @word. */
static bool check_assignment(struct t2_redact *redact, const struct word *word, const char *at)
{
	const char *end = skip(at, NAME);
	const char *value = end + (*end == '+');

	if (*value++ != '=' || !(is_letter(*at) || *at == '_'))
		return false;
	if (t2_secret_is_setting(at, end))
		return take_value(redact, word, value);
	return t2_secret_holds_header(at, end) && check_header(redact, word, value, true);
}

static bool is_header_option(const char *at, const char *end)
{
	size_t len = (size_t)(end - at);

	return (len == strlen("-H") && at[1] == 'H') ||
	       (len == strlen("--header") && !memcmp(at, "--header", len));
}

/* -DNAME=value, -eNAME=value */
static bool takes_assignment(char letter)
{
	return letter == 'D' || letter == 'e';
}

/* What stands behind the = of an option that is no secret itself. */
static bool check_option_value(struct t2_redact *redact, const struct word *word, const char *name,
			       const char *end)
{
	bool is_long = name - word->at == 2;

	if (is_header_option(word->at, end)) {
		/* Behind a quote the header is the next word of the text. */
		if (redact->has_words && is_a(end[1], QUOTE))
			redact->expected = EXPECT_HEADER;
		return check_header(redact, word, end + 1, true);
	}
	if (is_long)
		return check_assignment(redact, word, end + 1);
	return takes_assignment(*name) && check_assignment(redact, word, name + 1);
}

/* Whether the quotes around @word end at @at. */
static bool is_closing(const struct word *word, const char *at)
{
	if (word->is_escaped && *at == '\\')
		at++;
	return word->quote && *at == word->quote;
}

static bool check_option(struct t2_redact *redact, const struct word *word)
{
	bool is_long = word->at[1] == '-';
	const char *name = word->at + 1 + is_long;
	const char *end = skip(name, NAME);
	bool has_value = *end == '=';
	bool is_secret;

	if (*name == '-')
		return false;
	if (*end && !has_value && !is_a(*end, BLANK) && !is_closing(word, end))
		return false;
	is_secret = t2_secret_is_option(name, end, !is_long);
	if (has_value && is_secret)
		return take_value(redact, word, end + 1);
	if (has_value)
		return check_option_value(redact, word, name, end);
	/* A macro has its value in the same word. */
	if (is_secret && (is_long || *name != 'D'))
		redact->expected = EXPECT_VALUE;
	else if (is_header_option(word->at, end))
		redact->expected = EXPECT_HEADER;
	return false;
}

/* Whether this is rather the next option than the value of the last one. */
static bool is_option(const char *at)
{
	bool is_long = at[0] == '-' && at[1] == '-';
	const char *name = at + 1 + is_long;
	const char *end;

	if (at[0] != '-' || !is_letter(*name))
		return false;
	end = skip(name, NAME);
	return is_long || !name[1] || is_a(name[1], BLANK | QUOTE) ||
	       t2_secret_is_option(name, end, true);
}

/* Whether there is a secret in @word; if so, sets where it begins and ends. */
static bool check_word(struct t2_redact *redact, const struct word *word)
{
	char expected = redact->expected;

	redact->expected = EXPECT_NOTHING;
	if (expected == EXPECT_VALUE && !is_option(word->at))
		return take_value(redact, word, word->at);
	if (*word->at == '-')
		return check_option(redact, word);
	if (!redact->keeps_urls && check_url(redact, word))
		return true;
	if (check_header(redact, word, word->at, expected == EXPECT_HEADER))
		return true;
	return check_assignment(redact, word, word->at);
}

/* Past the rest of the present word and what separates it from the next. */
static void go_to_next_word(struct t2_redact *redact, struct word *word)
{
	const char *at = word->at;

	while (*at && !is_a(*at, BORDER))
		at++;
	word->quote = '\0';
	word->is_escaped = false;
	for (; is_a(*at, BORDER); at++) {
		word->quote = '\0';
		word->is_escaped = *at == '\\' && redact->quote != '\'' && is_a(at[1], BORDER);
		if (word->is_escaped)
			at++;
		if (!is_a(*at, QUOTE))
			continue;
		if (!word->is_escaped && *at == redact->quote) {
			redact->quote = '\0';
			continue;
		}
		word->quote = *at;
		if (!word->is_escaped && !redact->quote)
			redact->quote = *at;
	}
	word->at = at;
}

static void find_secret_after(struct t2_redact *redact, const char *at)
{
	struct word word = {.at = at};

	redact->secret_begin = NULL;
	redact->is_value = false;
	if (!redact->has_words)
		return;
	do {
		go_to_next_word(redact, &word);
	} while (*word.at && !check_word(redact, &word));
}

/* --- arguments --------------------------------------------------------------- */

static bool has_secrets(enum t2_event_kind kind)
{
	return kind == T2_EVENT_START || kind == T2_EVENT_CHILD_START || kind == T2_EVENT_EXEC ||
	       kind == T2_EVENT_ALIAS || kind == T2_EVENT_DEF_PARAM;
}

void t2_redact_init(struct t2_redact *redact, const struct t2_event *event, bool is_on)
{
	const char *param;

	memset(redact, 0, sizeof(*redact));
	redact->is_on = is_on && has_secrets(event->kind);
	redact->keeps_urls = event->kind == T2_EVENT_ALIAS;
	redact->is_for_shell = true;
	if (event->kind != T2_EVENT_DEF_PARAM || !event->u.def_param.param)
		return;
	param = event->u.def_param.param;
	if (t2_secret_is_setting(param, param + strlen(param)))
		redact->expected = EXPECT_VALUE;
}

/* "-c", "-ec", "-lc": what follows is a command. */
static bool announces_command(const char *arg)
{
	do {
		arg++;
	} while (is_letter(*arg));
	return !*arg && arg[-1] == 'c';
}

void t2_redact_begin(struct t2_redact *redact, const char *arg)
{
	struct word word = {.at = arg ? arg : ""};
	const char *at = word.at;
	bool is_command;

	redact->at = at;
	redact->secret_begin = NULL;
	if (!redact->is_on)
		return;
	/* A text that ends in an option says nothing about the next argument. */
	if (redact->has_words)
		redact->expected = EXPECT_NOTHING;
	/* A lone argument is the command of system() or popen(). */
	is_command = redact->is_for_shell && *at != '-';
	redact->is_value = redact->expected != EXPECT_NOTHING || !is_command;
	redact->is_for_shell = *at == '-' && (redact->is_for_shell || announces_command(at));
	redact->quote = '\0';
	while (*at && !is_a(*at, BLANK))
		at++;
	redact->has_words = is_command || *at;
	if (!check_word(redact, &word))
		find_secret_after(redact, word.at);
	/* A secret is no option of a shell's, whatever it looks like. */
	if (redact->secret_begin == redact->at)
		redact->is_for_shell = false;
}

size_t t2_redact_next(struct t2_redact *redact, const char **ret_piece)
{
	const char *begin = redact->at;

	*ret_piece = begin;
	if (!redact->secret_begin) {
		redact->at += strlen(begin);
	} else if (begin < redact->secret_begin) {
		redact->at = redact->secret_begin;
	} else {
		redact->at = redact->secret_end;
		find_secret_after(redact, redact->at);
		*ret_piece = MARK;
		return strlen(MARK);
	}
	return (size_t)(redact->at - begin);
}
