/* SPDX-License-Identifier: MIT */
/*
 * Two passes: the first collects all session ids, because their numbers depend
 * on the whole tree; the second copies, replacing what it recognises.
 */
#include "tests/support/scrub.h"

#include "preload/version.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPONENT_SHAPE "00000000T000000.000000Z-Hxxxxxxxx-Pxxxxxxxx"
#define COMPONENT_LEN (sizeof(COMPONENT_SHAPE) - 1)
#define TIME_SHAPE "0000-00-00T00:00:00.000000Z"
#define SIDS_MAX 4096

struct sids {
	char *texts[SIDS_MAX]; /* each a whole path of components, sorted */
	size_t nr;
};

/* How many bytes at @at have the @shape (0: digit, x: hex digit); 0 if they do not. */
static size_t match(const char *at, const char *shape)
{
	size_t i;

	for (i = 0; shape[i]; i++) {
		if (shape[i] == '0'   ? !isdigit((unsigned char)at[i])
		    : shape[i] == 'x' ? !isxdigit((unsigned char)at[i])
				      : at[i] != shape[i])
			return 0;
	}
	return i;
}

/* The length of the run of components that begins at @at. */
static size_t match_sid(const char *at)
{
	size_t len = match(at, COMPONENT_SHAPE);

	while (len && at[len] == '/' && match(at + len + 1, COMPONENT_SHAPE))
		len += 1 + COMPONENT_LEN;
	return len;
}

static void add_sid(struct sids *sids, const char *at, size_t len)
{
	size_t i;

	for (i = 0; i < sids->nr; i++)
		if (strlen(sids->texts[i]) == len && strncmp(sids->texts[i], at, len) == 0)
			return;
	if (sids->nr < SIDS_MAX)
		sids->texts[sids->nr++] = strndup(at, len);
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void collect_sids(struct sids *sids, const char *text)
{
	size_t len;
	size_t part;

	for (; *text; text++) {
		len = match_sid(text);
		for (part = COMPONENT_LEN; part <= len; part += COMPONENT_LEN + 1)
			add_sid(sids, text, part);
		text += len ? len - 1 : 0;
	}
	qsort(sids->texts, sids->nr, sizeof(sids->texts[0]), by_text);
}

/* The place of @sid, of @len bytes, among those with the same parent. */
static size_t number_of(const struct sids *sids, const char *sid, size_t len)
{
	size_t parent_len = len - COMPONENT_LEN;
	size_t number = 0;
	size_t i;

	for (i = 0; i < sids->nr; i++) {
		if (strlen(sids->texts[i]) != len || strncmp(sids->texts[i], sid, parent_len) != 0)
			continue;
		if (strncmp(sids->texts[i], sid, len) == 0)
			break;
		number++;
	}
	return number;
}

static void put_sid(FILE *out, const struct sids *sids, const char *sid, size_t len)
{
	size_t part;

	for (part = COMPONENT_LEN; part <= len; part += COMPONENT_LEN + 1)
		fprintf(out, "%sS%zu", part > COMPONENT_LEN ? "/" : "", number_of(sids, sid, part));
}

/* A number with exactly six decimals, which does not begin inside another word. */
static size_t match_seconds(const char *text, const char *at)
{
	size_t whole = strspn(at, "0123456789");

	if (!whole || (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '.')))
		return 0;
	if (!match(at + whole, ".000000") || isalnum((unsigned char)at[whole + 7]))
		return 0;
	return whole + 7;
}

/* Digits right behind one of these are a pid or a size. */
static size_t match_number(const char *text, const char *at, const char **ret_placeholder)
{
	static const struct {
		const char *before, *placeholder;
	} numbers[] = {
		{" pid:", "<PID>"},
		{"\"pid\":", "<PID>"},
		{"\"max_rss_kb\":", "<N>"},
	};
	size_t i;
	size_t len;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		len = strlen(numbers[i].before);
		if ((size_t)(at - text) < len || strncmp(at - len, numbers[i].before, len) != 0)
			continue;
		*ret_placeholder = numbers[i].placeholder;
		return strspn(at, "0123456789");
	}
	return 0;
}

/* What stands between @before and the first of @ends is replaced. */
static size_t match_between(const char *text, const char *at, const char *before, const char *ends)
{
	size_t len = strlen(before);

	if ((size_t)(at - text) < len || strncmp(at - len, before, len) != 0 || *at == '|')
		return 0; /* "|": the name of the event in PERF */
	return strcspn(at, ends);
}

/* Has the line up to here begun to tell the usage? */
static bool is_in_rusage(const char *text, const char *at)
{
	static const char word[] = "rusage";

	while (at > text && at[-1] != '\n') {
		at--;
		if (strncmp(at, word, sizeof(word) - 1) == 0)
			return true;
	}
	return false;
}

static size_t match_place(const char *at, const struct t2_scrub_place *places,
			  const char **ret_placeholder)
{
	for (; places && places->text; places++) {
		if (strncmp(at, places->text, strlen(places->text)) != 0)
			continue;
		*ret_placeholder = places->placeholder;
		return strlen(places->text);
	}
	return 0;
}

static size_t match_any(const char *text, const char *at, const char **ret_placeholder)
{
	static const struct {
		const char *before, *ends;
	} ancestors[] = {{"cmd_ancestry ", "\n"}, {"ancestry:[", "]"}, {"\"ancestry\":[", "]"}};
	size_t len;
	size_t i;

	*ret_placeholder = "<TIME>";
	if ((len = match(at, TIME_SHAPE)) != 0)
		return len;
	*ret_placeholder = "_.______";
	if ((len = match_seconds(text, at)) != 0)
		return len;
	if ((len = match_number(text, at, ret_placeholder)) != 0)
		return len;
	*ret_placeholder = "<ANCESTRY>";
	for (i = 0; i < sizeof(ancestors) / sizeof(ancestors[0]); i++)
		if ((len = match_between(text, at, ancestors[i].before, ancestors[i].ends)) != 0)
			return len;
	*ret_placeholder = "<VERSION>";
	if (strncmp(at, T2_VERSION, strlen(T2_VERSION)) == 0)
		return strlen(T2_VERSION);
	*ret_placeholder = "<N>";
	if (isdigit((unsigned char)*at) && at > text && at[-1] == ':' && is_in_rusage(text, at))
		return strspn(at, "0123456789");
	return 0;
}

char *t2_scrub(const char *text, const struct t2_scrub_place *places)
{
	struct sids sids = {.nr = 0};
	const char *placeholder = NULL;
	const char *at;
	char *scrubbed = NULL;
	size_t scrubbed_len = 0;
	FILE *out = open_memstream(&scrubbed, &scrubbed_len);
	size_t len;

	collect_sids(&sids, text);
	for (at = text; *at; at += len) {
		if ((len = match_sid(at)) != 0)
			put_sid(out, &sids, at, len);
		else if ((len = match_place(at, places, &placeholder)) != 0 ||
			 (len = match_any(text, at, &placeholder)) != 0)
			fputs(placeholder, out);
		else
			len = fwrite(at, 1, 1, out);
	}
	fclose(out);
	while (sids.nr > 0)
		free(sids.texts[--sids.nr]);
	return scrubbed;
}

char *t2_scrub_places(const char *text, const struct t2_scrub_place *places)
{
	const char *placeholder = NULL;
	char *scrubbed = NULL;
	size_t scrubbed_len = 0;
	FILE *out = open_memstream(&scrubbed, &scrubbed_len);
	size_t len;

	for (; *text; text += len) {
		if ((len = match_place(text, places, &placeholder)) != 0)
			fputs(placeholder, out);
		else
			len = fwrite(text, 1, 1, out);
	}
	fclose(out);
	return scrubbed;
}
