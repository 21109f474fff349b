/* SPDX-License-Identifier: MIT */
#include "command/source.h"

#include "command/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is in the processor's cache when it is looked at. */
#define CHUNK ((size_t)256 << 10)

#define TOO_LONG "the line is too long and was passed over"

struct entry {
	char *path;
	uint64_t size;		 /* as stored */
	bool is_of_unknown_size; /* a pipe, a terminal */
	bool is_found;		 /* in a directory; nobody named it */
};

struct t2_source {
	struct t2_source_opts opts;
	struct t2_source_stats stats;
	struct entry *entries;
	size_t nr_entries, max_entries, next_entry;
	uint64_t done, total; /* bytes as stored, of files that are read to their end */

	/* The file at hand. */
	int fd;
	struct t2_unpack *unpack; /* NULL: none is open */
	const struct entry *entry;
	uint64_t line_number; /* of the last line */
	bool is_at_end;
	bool is_skipping; /* a line that is too long */
	bool is_unseen;	  /* nothing of it has been handed out */
	bool has_gap;	  /* the excerpt has gone on to the tail */

	/* What was read and not handed out is from @at to @end, without a line feed
	 * before @seen. */
	char *buf;
	size_t size, at, seen, end;
};

/* --- what there is to read ---------------------------------------------------- */

static bool add_entry(struct t2_source *source, char *path, const struct stat *st, bool is_found)
{
	if (!path)
		return false;
	if (source->nr_entries == source->max_entries) {
		size_t max = source->max_entries * 2 + 16;
		struct entry *entries = realloc(source->entries, max * sizeof(*entries));

		if (!entries) {
			free(path);
			return false;
		}
		source->entries = entries;
		source->max_entries = max;
	}
	source->entries[source->nr_entries++] = (struct entry){
		.path = path,
		.size = st && S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0,
		.is_of_unknown_size = !st || !S_ISREG(st->st_mode),
		.is_found = is_found,
	};
	return true;
}

static char *join(const char *dir, const char *name)
{
	char *path = malloc(strlen(dir) + strlen(name) + 2);
	size_t len = strlen(dir);

	if (path)
		sprintf(path, "%s%s%s", dir, len && dir[len - 1] == '/' ? "" : "/", name);
	return path;
}

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

/* Without memory what is there already remains. */
static bool add_directory(struct t2_source *source, const char *path, DIR *dir)
{
	size_t nr_before = source->nr_entries;
	struct dirent *dirent;
	bool is_added = true;

	while (is_added && (dirent = readdir(dir))) {
		char *member = *dirent->d_name == '.' ? NULL : join(path, dirent->d_name);
		struct stat st;

		if (*dirent->d_name == '.')
			continue;
		if (member && (stat(member, &st) || !S_ISREG(st.st_mode))) {
			free(member);
			continue;
		}
		is_added = add_entry(source, member, &st, true);
	}
	if (source->nr_entries > nr_before)
		qsort(source->entries + nr_before, source->nr_entries - nr_before,
		      sizeof(*source->entries), compare_entries);
	return is_added;
}

static bool add_path(struct t2_source *source, const char *path)
{
	struct stat st;
	bool is_added;
	DIR *dir;

	if (!strcmp(path, "-"))
		return add_entry(source, strdup(path), fstat(STDIN_FILENO, &st) ? NULL : &st,
				 false);
	if (stat(path, &st))
		return add_entry(source, strdup(path), NULL, false);
	dir = S_ISDIR(st.st_mode) ? opendir(path) : NULL;
	if (!dir)
		return add_entry(source, strdup(path), &st, false);
	is_added = add_directory(source, path, dir);
	closedir(dir);
	return is_added;
}

static void count_total(struct t2_source *source)
{
	for (size_t i = 0; i < source->nr_entries; i++) {
		if (source->entries[i].is_of_unknown_size) {
			source->total = 0;
			return;
		}
		source->total += source->entries[i].size;
	}
}

struct t2_source *t2_source_open(const char *const *paths, size_t nr,
				 const struct t2_source_opts *opts)
{
	struct t2_source *source = calloc(1, sizeof(*source));

	if (!source)
		return NULL;
	if (opts)
		source->opts = *opts;
	if (!source->opts.messages_max)
		source->opts.messages_max = T2_SOURCE_MESSAGES_MAX;
	if (!source->opts.line_max)
		source->opts.line_max = T2_SOURCE_LINE_MAX;
	source->fd = -1;
	source->size = CHUNK;
	source->buf = malloc(source->size);
	for (size_t i = 0; source->buf && i < nr; i++) {
		if (add_path(source, paths[i]))
			continue;
		t2_source_close(source);
		return NULL;
	}
	if (!source->buf) {
		t2_source_close(source);
		return NULL;
	}
	count_total(source);
	return source;
}

/* --- complaints --------------------------------------------------------------- */

void t2_source_complain(struct t2_source *source, const struct t2_line *line, const char *what)
{
	if (source->stats.nr_complaints++ >= source->opts.messages_max || !source->opts.messages)
		return;
	if (line->number)
		fprintf(source->opts.messages, "t2: %s:%" PRIu64 ": %s\n", line->file, line->number,
			what);
	else
		fprintf(source->opts.messages, "t2: %s: %s\n", line->file, what);
}

static void complain_here(struct t2_source *source, uint64_t number, const char *what)
{
	struct t2_line line = {.file = source->entry->path, .number = number};

	t2_source_complain(source, &line, what);
}

/* --- files -------------------------------------------------------------------- */

static void close_file(struct t2_source *source)
{
	if (source->unpack)
		source->done += t2_unpack_used(source->unpack);
	t2_unpack_close(source->unpack);
	source->unpack = NULL;
	if (source->fd > STDIN_FILENO)
		close(source->fd);
	source->fd = -1;
	source->at = source->seen = source->end = 0;
}

/* The next file that can be opened. Returns false if there is none. */
static bool open_next(struct t2_source *source)
{
	while (source->next_entry < source->nr_entries) {
		source->entry = &source->entries[source->next_entry++];
		source->line_number = 0;
		source->is_at_end = source->is_skipping = false;
		source->is_unseen = true;
		source->fd = strcmp(source->entry->path, "-") != 0
				     ? open(source->entry->path, O_RDONLY | O_CLOEXEC)
				     : STDIN_FILENO;
		if (source->fd >= 0)
			source->unpack = t2_unpack_open(source->fd);
		if (source->unpack) {
			source->stats.nr_files++;
			return true;
		}
		source->stats.nr_unreadable++;
		complain_here(source, 0, source->fd < 0 ? strerror(errno) : strerror(ENOMEM));
		close_file(source);
	}
	return false;
}

static void report_progress(struct t2_source *source)
{
	uint64_t done = source->done + t2_unpack_used(source->unpack);

	if (source->total && source->total < done)
		source->total = done; /* it is growing */
	if (source->opts.progress)
		source->opts.progress(source->opts.progress_arg, done, source->total);
}

/* --- lines -------------------------------------------------------------------- */

/* Make room behind what is there. Returns false if the line is too long for that. */
static bool make_room(struct t2_source *source)
{
	size_t len = source->end - source->at;
	char *buf;

	memmove(source->buf, source->buf + source->at, len);
	source->seen -= source->at;
	source->end = len;
	source->at = 0;
	if (len <= source->size / 2)
		return true;
	if (len >= source->opts.line_max)
		return false;
	buf = realloc(source->buf, source->size * 2);
	if (!buf)
		return len < source->size;
	source->buf = buf;
	source->size *= 2;
	return true;
}

static void skip_line(struct t2_source *source)
{
	if (!source->is_skipping)
		complain_here(source, source->line_number + 1, TOO_LONG);
	source->is_skipping = true;
	source->at = source->seen = source->end = 0;
}

/* From the head of an excerpt to its tail. The lines that this cuts are none. */
static void leave_out(struct t2_source *source)
{
	uint64_t size = source->entry->size, tail = source->opts.tail;

	source->has_gap = t2_unpack_skip_to(source->unpack, size > tail ? size - tail : 0);
	source->is_at_end = !source->has_gap;
	source->is_skipping = true;
	source->at = source->seen = source->end = 0;
}

/* Read on. At an error the file ends. */
static void fill(struct t2_source *source)
{
	const char *message;
	ssize_t nr;

	if (source->opts.head && !source->has_gap && source->stats.nr_bytes >= source->opts.head)
		leave_out(source);
	if (source->is_at_end)
		return;
	if (!make_room(source))
		skip_line(source);
	nr = t2_unpack_read(source->unpack, source->buf + source->end, source->size - source->end,
			    &message);
	report_progress(source);
	if (nr > 0) {
		source->stats.nr_bytes += (uint64_t)nr;
		source->end += (size_t)nr;
		return;
	}
	source->is_at_end = true;
	if (nr < 0) {
		source->stats.nr_unreadable++;
		complain_here(source, source->line_number + 1, message);
	}
}

/* A file that nobody named may be anything; ours begin with an object. */
static bool is_foreign(const struct t2_source *source)
{
	const char *at = source->buf + source->at;
	const char *end = source->buf + source->end;

	if (!source->is_unseen || !source->entry->is_found)
		return false;
	while (at < end && (*at == '\n' || *at == ' ' || *at == '\r' || *at == '\t'))
		at++;
	return at < end && *at != '{';
}

/* What is up to @end_of_line becomes *@line. Returns false if it is none. */
static bool take_line(struct t2_source *source, size_t end_of_line, bool has_no_end,
		      struct t2_line *line)
{
	size_t begin = source->at;
	bool is_skipped = source->is_skipping;

	source->at = source->seen = end_of_line + !has_no_end;
	source->is_skipping = false;
	if (has_no_end && begin == end_of_line && !is_skipped)
		return false;
	source->line_number++;
	source->is_unseen = false;
	*line = (struct t2_line){
		.text = source->buf + begin,
		.len = end_of_line - begin,
		.file = source->entry->path,
		.number = source->line_number,
		.has_no_end = has_no_end,
	};
	if (line->len && line->text[line->len - 1] == '\r')
		line->len--;
	if (!is_skipped && line->len > source->opts.line_max)
		complain_here(source, source->line_number, TOO_LONG);
	if (is_skipped || !line->len || line->len > source->opts.line_max)
		return false;
	source->stats.nr_lines++;
	return true;
}

/* The next line of the file at hand. */
static bool next_in_file(struct t2_source *source, struct t2_line *line)
{
	for (;;) {
		char *found = NULL;

		if (source->seen < source->end)
			found = memchr(source->buf + source->seen, '\n',
				       source->end - source->seen);
		if (found) {
			if (is_foreign(source)) {
				source->stats.nr_foreign++;
				return false;
			}
			if (take_line(source, (size_t)(found - source->buf), false, line))
				return true;
			continue;
		}
		source->seen = source->end;
		if (source->is_at_end)
			return take_line(source, source->end, true, line);
		fill(source);
	}
}

bool t2_source_next(struct t2_source *source, struct t2_line *line)
{
	for (;;) {
		if (!source->unpack && !open_next(source))
			return false;
		if (next_in_file(source, line))
			return true;
		close_file(source);
	}
}

void t2_source_get_stats(const struct t2_source *source, struct t2_source_stats *stats)
{
	*stats = source->stats;
}

bool t2_source_has_gap(const struct t2_source *source)
{
	return source->has_gap;
}

void t2_source_close(struct t2_source *source)
{
	uint64_t nr_more;

	if (!source)
		return;
	nr_more = source->stats.nr_complaints > source->opts.messages_max
			  ? source->stats.nr_complaints - source->opts.messages_max
			  : 0;
	if (nr_more && source->opts.messages)
		fprintf(source->opts.messages, "t2: %" PRIu64 " more complaints like these\n",
			nr_more);
	close_file(source);
	for (size_t i = 0; i < source->nr_entries; i++)
		free(source->entries[i].path);
	free(source->entries);
	free(source->buf);
	free(source);
}
