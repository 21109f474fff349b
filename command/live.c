/* SPDX-License-Identifier: MIT */
#include "command/live.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "command/tally.h"
#include "command/text.h"

/* Smaller terminals have no line to spare. */
#define ROWS_MIN 4
#define COLUMNS_MIN 20
#define COLUMNS_MAX 250

/* Read at one time at most: the rest waits for the next. */
#define READ_MAX (8 << 20)

struct t2_live {
	struct t2_tally tally;
	struct timespec start;
	int fd;
	unsigned rows, columns; /* as the line was made for; 0: there is none */
};

/* As one write, so that it does not fall apart between what the command writes. */
static void put(const char *text)
{
	ssize_t len = write(STDERR_FILENO, text, strlen(text));

	(void)len; /* a terminal that is gone shows nothing */
}

/* Whether the terminal is ours to draw on; one that controls nobody always is. */
static bool is_foreground(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);

	return group < 0 || group == getpgrp();
}

static void release(struct t2_live *live)
{
	char text[64];

	if (!live->rows)
		return;
	/* All lines scroll again; the last one is emptied; the cursor stays. */
	snprintf(text, sizeof(text), "\0337\033[r\033[%u;1H\033[K\0338", live->rows);
	put(text);
	live->rows = 0;
}

/* Make the last line ours, if the terminal has its size no longer or not yet. */
static bool reserve(struct t2_live *live)
{
	struct winsize size;
	char text[64];

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_row < ROWS_MIN ||
	    size.ws_col < COLUMNS_MIN) {
		release(live);
		return false;
	}
	if (size.ws_row == live->rows && size.ws_col == live->columns)
		return true;
	release(live);
	/* One line up, lest the cursor be on the last one; then everything above scrolls. */
	snprintf(text, sizeof(text), "\n\0337\033[1;%ur\0338\033[A", size.ws_row - 1u);
	put(text);
	live->rows = size.ws_row;
	live->columns = size.ws_col;
	return true;
}

static void read_on(struct t2_live *live)
{
	char bytes[1 << 16];
	size_t sum = 0;
	ssize_t len;

	while (sum < READ_MAX && (len = read(live->fd, bytes, sizeof(bytes))) > 0) {
		t2_tally_add(&live->tally, bytes, (size_t)len);
		sum += (size_t)len;
	}
}

static int64_t elapsed_ns(const struct t2_live *live)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)(now.tv_sec - live->start.tv_sec) * 1000000000 + now.tv_nsec -
	       live->start.tv_nsec;
}

/* "t2 12.3s  4 running  211 done  1 failed  cc a.o, cc b.o" */
static void describe(const struct t2_live *live, char *out, size_t size)
{
	const struct t2_tally *tally = &live->tally;
	char took[T2_TEXT_MAX], ended[T2_TEXT_MAX];
	size_t used;

	/* The command itself is nobody's child. */
	snprintf(out, size, "t2 %s  %llu running  %s done",
		 t2_text_duration(took, elapsed_ns(live) / 100000000 * 100000000),
		 (unsigned long long)(tally->nr_started > tally->nr_ended
					      ? tally->nr_started - tally->nr_ended
					      : 0) +
			 1,
		 t2_text_count(ended, tally->nr_ended));
	used = strlen(out);
	if (tally->nr_failed)
		used += (size_t)snprintf(out + used, size - used, "  %llu failed",
					 (unsigned long long)tally->nr_failed);
	for (size_t i = 0; i < T2_TALLY_NAMES && tally->names[i].key; i++) {
		size_t more = strlen(tally->names[i].name) + 2;

		if (used + more >= live->columns || used + more >= size)
			break;
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "  ",
					 tally->names[i].name);
	}
}

static void draw(struct t2_live *live)
{
	char line[2 * COLUMNS_MAX], shown[4 * COLUMNS_MAX + 16], text[6 * COLUMNS_MAX];
	size_t width = live->columns < COLUMNS_MAX ? live->columns : COLUMNS_MAX;

	describe(live, line, sizeof(line));
	t2_text_elide(shown, sizeof(shown), line, (unsigned)width - 1, false);
	snprintf(text, sizeof(text), "\0337\033[%u;1H\033[7m%s\033[0m\033[K\0338", live->rows,
		 shown);
	put(text);
}

void t2_live_tick(void *arg)
{
	struct t2_live *live = arg;

	read_on(live);
	if (is_foreground() && reserve(live))
		draw(live);
}

void t2_live_stopped(void *arg)
{
	struct t2_live *live = arg;

	if (is_foreground())
		release(live);
	live->rows = 0;
}

void t2_live_continued(void *arg)
{
	t2_live_tick(arg);
}

static bool can_draw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

struct t2_live *t2_live_open(const char *path)
{
	struct t2_live *live = can_draw() ? calloc(1, sizeof(*live)) : NULL;

	if (!live)
		return NULL;
	live->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (live->fd < 0) {
		free(live);
		return NULL;
	}
	lseek(live->fd, 0, SEEK_END);
	clock_gettime(CLOCK_MONOTONIC, &live->start);
	t2_tally_init(&live->tally);
	return live;
}

void t2_live_close(struct t2_live *live)
{
	if (!live)
		return;
	if (is_foreground())
		release(live);
	t2_tally_free(&live->tally);
	close(live->fd);
	free(live);
}
