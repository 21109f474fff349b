/* SPDX-License-Identifier: MIT */
/*
 * Written, read and written again. Once with events of every kind, and once with
 * what git wrote (tests/samples): its EVENT lines are read and rendered in all
 * formats, and the bytes have to be git's.
 *
 * EVENT does not carry everything. What of a line in another format is taken from
 * that line, or cannot be there:
 *
 *	the clock of NORMAL and PERF, which git reads anew for each target
 *	where atexit and statistics come from: each target names its own source
 *	PERF's t_abs of the kinds that have none in EVENT
 *	PERF's dots of the kinds without a nesting
 *	PERF's regions and data deeper than EVENT's limit, 2
 *
 * And one thing is meant to differ: bytes that are not UTF-8 become U+FFFD.
 */
#include "formatters/event_reader.h"
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 512
#define CLOCK_LEN 15
#define VERBOSE_LEN 47 /* of what PERF has in front of the brief columns */
#define ABS_AT 53      /* in the brief columns, with one digit of depth */
#define MESSAGE_AT 92
#define FFFD "\xef\xbf\xbd"

enum { NORMAL, PERF, EVENT };

static const char root[] = "tests/samples";

struct entry {
	struct t2_event event;
	void *room; /* of its strings */
	bool is_told;
};

static struct entry entries[LINES_MAX];
static size_t nr_entries;
static char line[64 * 1024];

/* The file, with U+FFFD for each of the bytes that git passed on; NULL: none. */
static char *load(const char *sample, const char *name)
{
	static char raw[64 * 1024];
	char path[512];
	char *text, *out;
	size_t len, i;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s.txt", root, sample, name);
	file = fopen(path, "r");
	if (!file)
		return NULL;
	len = fread(raw, 1, sizeof(raw), file);
	cr_assert_lt(len, sizeof(raw), "%s is too long", path);
	fclose(file);
	out = text = malloc(3 * len + 1);
	for (i = 0; i < len; i++) {
		bool is_bad = (unsigned char)raw[i] >= 0xf8;

		memcpy(out, is_bad ? FFFD : &raw[i], is_bad ? 3 : 1);
		out += is_bad ? 3 : 1;
	}
	*out = '\0';
	return text;
}

static const char *render(int format, const struct t2_event *event, bool is_brief, bool redacts)
{
	struct t2_format_opts opts = {
		.is_brief = is_brief, .redacts = redacts, .event_nesting = 1000};
	struct t2_buf out;

	t2_buf_init(&out, line, sizeof(line) - 1);
	t2_formats[format]->render(event, &opts, &out);
	cr_assert_not(t2_buf_overflowed(&out));
	line[out.len] = '\0';
	return line;
}

static void read_line(struct t2_event_reader *reader, const char *text, size_t len,
		      struct t2_event *ret_event)
{
	enum t2_event_read result;

	reader->room_size = T2_EVENT_READER_ROOM(len);
	reader->room = malloc(reader->room_size);
	result = t2_event_read(reader, text, len, ret_event);
	cr_assert_eq(result, T2_EVENT_READ_OK, "%d: %s at byte %zu of %.*s", result,
		     reader->message, reader->offset, (int)len, text);
}

/* --- git's ---------------------------------------------------------------------- */

/* Reads what EVENT has of @sample, and writes it again. */
static void assert_same_events(const char *sample, bool redacts)
{
	char *text = load(sample, "event");
	struct t2_event_reader reader;
	const char *at, *end;

	nr_entries = 0;
	t2_event_reader_init(&reader);
	cr_assert_not_null(text, "no %s", sample);
	for (at = text; *at; at = end + 1) {
		struct entry *entry = &entries[nr_entries++];

		cr_assert_leq(nr_entries, LINES_MAX);
		end = strchr(at, '\n');
		read_line(&reader, at, (size_t)(end - at), &entry->event);
		entry->room = reader.room;
		entry->is_told = false;
		render(EVENT, &entry->event, false, redacts);
		cr_expect(strlen(line) == (size_t)(end + 1 - at) &&
				  !strncmp(line, at, strlen(line)),
			  "%s: expected %.*s, not %s", sample, (int)(end - at), at, line);
	}
	free(text);
}

static bool is_verbose(const char *row)
{
	return row[0] >= '0' && row[0] <= '9' && row[2] == ':' && row[5] == ':' && row[8] == '.';
}

/* What PERF shows and EVENT does not. */
static void complete_from_row(struct t2_event *event, const char *row)
{
	const char *columns = row + (is_verbose(row) ? VERBOSE_LEN : 0);
	size_t nr_dots;

	if (strlen(columns) < MESSAGE_AT)
		return;
	if (!t2_event_has(event->kind, offsetof(struct t2_event, abs_ns)))
		event->abs_ns = (uint64_t)(strtod(columns + ABS_AT, NULL) * 1e6 + 0.5) * 1000;
	nr_dots = strspn(columns + MESSAGE_AT, ".");
	if (!t2_event_has(event->kind, offsetof(struct t2_event, nesting)))
		event->nesting = 1 + (int)nr_dots / 2;
}

/* The file of the target at hand, and the line that @at has. */
static void rename_source(int format, struct t2_event *event, const char *at)
{
	static char file[64];
	const char *digits;

	if (!event->file || strcmp(event->file, "trace2/tr2_tgt_event.c") != 0)
		return;
	snprintf(file, sizeof(file), "trace2/tr2_tgt_%s.c", t2_formats[format]->name);
	event->file = file;
	digits = strstr(at, ".c:");
	event->line = digits ? atoi(digits + 3) : 0;
}

/* The length of what stands at @at and is @event in @format, or 0. */
static size_t match(int format, const struct t2_event *event, const char *at, bool redacts)
{
	struct t2_event copy = *event;
	size_t skipped = is_verbose(at) ? CLOCK_LEN : 0;
	size_t len;

	if (format == PERF)
		complete_from_row(&copy, at);
	rename_source(format, &copy, at);
	render(format, &copy, !skipped, redacts);
	len = strlen(line);
	return len > skipped && !strncmp(line + skipped, at + skipped, len - skipped) ? len : 0;
}

static size_t match_any(int format, const char *at, bool redacts)
{
	size_t i;

	for (i = 0; i < nr_entries; i++) {
		size_t len;

		if (entries[i].is_told)
			continue;
		len = match(format, &entries[i].event, at, redacts);
		entries[i].is_told = len;
		if (len)
			return len;
	}
	return 0;
}

/* A row of something that EVENT leaves out. */
static bool is_not_in_event(int format, const char *row)
{
	const char *columns = row + (is_verbose(row) ? VERBOSE_LEN : 0);
	const char *kind = columns + 32;

	if (format != PERF)
		return false;
	return !strncmp(columns + MESSAGE_AT, "....", 4) &&
	       (!strncmp(kind, "region_", 7) || !strncmp(kind, "data", 4));
}

static void assert_same_lines(const char *sample, int format, bool redacts)
{
	char *text = load(sample, t2_formats[format]->name);
	const char *at;
	size_t i;

	for (i = 0; i < nr_entries; i++)
		entries[i].is_told = false;
	for (at = text; at && *at;) {
		size_t len = match_any(format, at, redacts);

		if (!len) {
			len = strcspn(at, "\n") + 1;
			cr_expect(is_not_in_event(format, at), "%s: no event for %.*s", sample,
				  (int)len, at);
		}
		at += len;
	}
	for (i = 0; text && i < nr_entries; i++) {
		if (!entries[i].is_told && *render(format, &entries[i].event, true, redacts))
			cr_expect_fail("%s: git does not write %s", sample, line);
	}
	free(text);
}

/* Calls @check with the name of every sample. Returns how many there are. */
static unsigned for_each_sample(void (*check)(const char *sample))
{
	static const char *const versions[] = {"git-2.39.5", "git-2.55"};
	struct dirent *dirent;
	unsigned nr = 0;
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		char path[300];
		DIR *dir;

		snprintf(path, sizeof(path), "%s/%s", root, versions[i]);
		dir = opendir(path);
		cr_assert_not_null(dir, "no %s; the tests run from the root of the project", path);
		while ((dirent = readdir(dir))) {
			if (*dirent->d_name == '.')
				continue;
			snprintf(path, sizeof(path), "%s/%s", versions[i], dirent->d_name);
			check(path);
			nr++;
		}
		closedir(dir);
	}
	return nr;
}

static void check_sample(const char *sample)
{
	/* This one has URLs with passwords, from a git that did not redact. */
	bool redacts = strcmp(sample, "git-2.39.5/def-param") != 0;

	assert_same_events(sample, redacts);
	assert_same_lines(sample, NORMAL, redacts);
	assert_same_lines(sample, PERF, redacts);
	while (nr_entries)
		free(entries[--nr_entries].room);
}

Test(roundtrip, what_git_wrote_is_written_again_byte_for_byte)
{
	cr_assert_geq(for_each_sample(check_sample), 27);
}

/* --- ours ----------------------------------------------------------------------- */

static const char *const strings[] = {
	"plain",
	"",
	"q\"\\/b",
	"\b\t\n\f\r\x01\x1f\x7f",
	"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	"a rather long one that takes the fast way for a while, \"until\" it does not",
};

#define NR_STRINGS (sizeof(strings) / sizeof(*strings))

/* Something in every member the kind has; what it is depends on @variant. */
static void fill(struct t2_event *event, enum t2_event_kind kind, unsigned variant)
{
	static const char *lists[3][4] = {
		{NULL}, {"one", NULL}, {"", "two words", "\xc3\xa9", NULL}};
	const struct t2_field *field;

	t2_event_init(event, kind);
	event->sid = "20261120T170652.372883Z-H15a8054a-P00000007/x";
	event->depth = 1;
	event->thread = strings[variant % NR_STRINGS];
	event->file = "preload/main.c";
	event->line = 4711;
	event->wall_ns = 1795194412372950000;
	for (field = t2_event_descs[kind].fields; field->name[0]; field++, variant++) {
		void *at = (char *)event + field->offset;

		switch (field->type) {
		case T2_FIELD_STRING:
		case T2_FIELD_TEXT:
		case T2_FIELD_ARGUMENT:
			*(const char **)at = strings[variant % NR_STRINGS];
			break;
		case T2_FIELD_INT:
			*(int *)at = 1 + (int)variant;
			break;
		case T2_FIELD_NUMBER:
			*(int64_t *)at = variant % 2 ? INT64_MAX : variant;
			break;
		case T2_FIELD_BOOL:
			*(bool *)at = variant % 2;
			break;
		case T2_FIELD_TIME:
			*(uint64_t *)at = variant * (uint64_t)1234567000;
			break;
		case T2_FIELD_LIST:
			*(const char *const **)at = lists[variant % 3];
			break;
		case T2_FIELD_JSON:
			*(const char **)at = "{\"a\":[1,\"\xc3\xa9\",null]}";
			break;
		}
	}
}

static void assert_same_list(const char *const *a, const char *const *b)
{
	while (a && *a && b && *b)
		cr_assert_str_eq(*a++, *b++);
	cr_assert((!a || !*a) && (!b || !*b), "one list is longer");
}

static void assert_same_member(enum t2_field_type type, const void *a, const void *b)
{
	switch (type) {
	case T2_FIELD_STRING:
	case T2_FIELD_TEXT:
	case T2_FIELD_ARGUMENT:
	case T2_FIELD_JSON:
		cr_assert_eq(!*(const char *const *)a, !*(const char *const *)b);
		if (*(const char *const *)a)
			cr_assert_str_eq(*(const char *const *)a, *(const char *const *)b);
		break;
	case T2_FIELD_INT:
		cr_assert_eq(*(const int *)a, *(const int *)b);
		break;
	case T2_FIELD_NUMBER:
		cr_assert_eq(*(const int64_t *)a, *(const int64_t *)b);
		break;
	case T2_FIELD_BOOL:
		cr_assert_eq(*(const bool *)a, *(const bool *)b);
		break;
	case T2_FIELD_TIME:
		cr_assert_eq(*(const uint64_t *)a, *(const uint64_t *)b);
		break;
	case T2_FIELD_LIST:
		assert_same_list(*(const char *const *const *)a, *(const char *const *const *)b);
		break;
	}
}

static void assert_same_event(const struct t2_event *a, const struct t2_event *b)
{
	const struct t2_field *field;

	cr_assert_eq(a->kind, b->kind);
	cr_assert_eq(a->depth, b->depth);
	cr_assert_str_eq(a->sid, b->sid);
	cr_assert_str_eq(a->thread, b->thread);
	for (field = t2_event_descs[a->kind].fields; field->name[0]; field++)
		assert_same_member(field->type, (const char *)a + field->offset,
				   (const char *)b + field->offset);
}

static void assert_survives(const struct t2_event *event, bool is_brief)
{
	struct t2_event_reader reader;
	struct t2_event again;
	char first[4096];

	snprintf(first, sizeof(first), "%s", render(EVENT, event, is_brief, false));
	t2_event_reader_init(&reader);
	read_line(&reader, first, strlen(first), &again);
	assert_same_event(event, &again);
	if (!is_brief) {
		cr_assert_eq(again.wall_ns, event->wall_ns);
		cr_assert_str_eq(again.file, event->file);
		cr_assert_eq(again.line, event->line);
	}
	cr_assert_str_eq(render(EVENT, &again, is_brief, false), first);
	free(reader.room);
}

Test(roundtrip, every_kind_is_read_as_it_was_written)
{
	struct t2_event event;
	unsigned variant;
	int kind;

	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		for (variant = 0; variant < 2 * NR_STRINGS; variant++) {
			fill(&event, (enum t2_event_kind)kind, variant);
			assert_survives(&event, false);
			assert_survives(&event, true);
		}
	}
}

Test(roundtrip, what_is_absent_stays_absent)
{
	const struct t2_field *field;
	struct t2_event event;
	int kind;

	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		t2_event_init(&event, (enum t2_event_kind)kind);
		event.sid = "";
		event.thread = "";
		event.file = "f";
		for (field = t2_event_descs[kind].fields; field->name[0]; field++) {
			if (field->type == T2_FIELD_TIME)
				*(uint64_t *)(void *)((char *)&event + field->offset) = T2_NO_TIME;
			else if (field->type == T2_FIELD_NUMBER)
				*(int64_t *)(void *)((char *)&event + field->offset) = T2_NO_NUMBER;
		}
		assert_survives(&event, false);
	}
}

Test(roundtrip, every_kind_in_every_format_and_every_size_gives_a_prefix)
{
	struct t2_format_opts opts = {.redacts = true, .event_nesting = 1000};
	struct t2_event event;
	int kind, format;
	size_t cap, len;

	for (kind = 0; kind < T2_EVENT_NR; kind++) {
		fill(&event, (enum t2_event_kind)kind, 2);
		for (format = 0; format < T2_FORMAT_NR; format++) {
			len = strlen(render(format, &event, false, true));
			for (cap = 0; cap <= len; cap++) {
				char *exact = malloc(cap);
				struct t2_buf out;

				t2_buf_init(&out, exact, cap);
				t2_formats[format]->render(&event, &opts, &out);
				cr_assert_eq(out.len, len);
				cr_assert(!cap || !memcmp(exact, line, cap));
				free(exact);
			}
		}
	}
}
