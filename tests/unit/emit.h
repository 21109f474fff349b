/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the pipeline share: a session, targets to read from, and
 * events that can be told apart in every format.
 */
#ifndef T2_TESTS_UNIT_EMIT_H
#define T2_TESTS_UNIT_EMIT_H

#include "preload/config.h"
#include "preload/emit.h"
#include "tests/unit/dir.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the order of t2_formats. */
#define NORMAL 0
#define PERF 1
#define EVENT 2

#define SID "20261120T170652.372883Z-H15a8054a-P00000007"

static struct t2_stream stream;

/* 2026-11-20T17:06:52.372883Z; monotonic 5.000000999 s */
static const struct t2_moment start = {1795194412372883999ULL, 5000000999ULL};

static inline void set_up(void)
{
	open_dir();
	t2_session_begin(&stream.session, "a/20200101T000000.000000Z-H15a8054a-P00000001", NULL,
			 "prog", 7, start);
}

static inline void set(enum t2_setting setting, const char *value)
{
	t2_config_set(&t2_config, setting, value);
}

/* With one target in EVENT format, a file. */
static inline void begin_with_file(void)
{
	set(T2_SETTING_EVENT, in_dir("event"));
	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 1);
}

/* With one target that is a pipe; returns the end to read from. */
static inline int begin_with_pipe(int target, int flags)
{
	int fds[2];

	cr_assert_eq(t2_emit_init(&stream, "UTC0"), 0);
	cr_assert_eq(pipe2(fds, O_CLOEXEC | O_NONBLOCK | flags), 0);
	t2_dst_init(&stream.dst[target], "9");
	stream.dst[target].fd = fds[1];
	return fds[0];
}

static inline struct t2_event event_of(enum t2_event_kind kind)
{
	struct t2_event event;

	t2_event_init(&event, kind);
	return event;
}

/* A line whose number can be recognised, whatever the format. */
static inline struct t2_event signal_event(int64_t signo)
{
	struct t2_event event = event_of(T2_EVENT_SIGNAL);

	event.u.signal.signo = signo;
	return event;
}

/* Returns the targets that have it now, and those that never will; and what was dropped. */
static inline unsigned emit_as(struct t2_event *events, size_t nr, unsigned flags)
{
	atomic_uint told = 0;
	unsigned off = 0;

	for (int i = 0; i < T2_FORMAT_NR; i++)
		off |= (stream.dst[i].kind == T2_DST_OFF) << i;
	t2_emit_once(&stream, "main", events, nr, &told, flags);
	return told | off;
}

static inline unsigned emit(struct t2_event *events, size_t nr)
{
	return emit_as(events, nr, 0);
}

static inline unsigned emit_one(int64_t signo)
{
	struct t2_event event = signal_event(signo);

	return emit(&event, 1);
}

static char text[1 << 21];

static inline const char *file_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	cr_assert_geq(fd, 0, "there is no %s", path);
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	cr_assert_geq(len, 0);
	text[len] = '\0';
	return text;
}

static inline const char *drain(int fd)
{
	size_t len = 0;
	ssize_t got;

	while ((got = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	text[len] = '\0';
	return text;
}

static inline size_t count(const char *in, const char *what)
{
	size_t nr = 0;

	for (; (in = strstr(in, what)); in += strlen(what))
		nr++;
	return nr;
}

#endif
