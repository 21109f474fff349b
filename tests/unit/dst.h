/* SPDX-License-Identifier: MIT */
/*
 * What the tests of destinations share: a directory of their own, something to
 * write, and the other ends of it.
 */
#ifndef T2_TESTS_UNIT_DST_H
#define T2_TESTS_UNIT_DST_H

#include "preload/dst.h"
#include "tests/unit/dir.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LEAF "20261120T170652.372883Z-H15a8054a-P00000007"

static struct t2_dst dst;

static inline void begin(const char *spec)
{
	static char kept[8192];

	snprintf(kept, sizeof(kept), "%s", spec);
	t2_dst_init(&dst, kept);
}

/* A descriptor of the host's; any number, not only what a digit can say. */
static inline void begin_fd(int fd)
{
	t2_dst_init(&dst, "9");
	dst.fd = fd;
}

static inline int put_as(struct t2_dst *to, const char *leaf, const char *text, size_t len,
			 unsigned mode)
{
	struct t2_dst_batch batch = {.leaf = leaf, .text = text, .len = len, .mode = mode};

	return t2_dst_write(to, &batch);
}

static inline int put(const char *text)
{
	return put_as(&dst, LEAF, text, strlen(text), 0);
}

static inline void assert_file_holds(const char *path, const char *expected)
{
	static char text[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	cr_assert_geq(fd, 0, "there is no %s", path);
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	cr_assert_geq(len, 0);
	text[len] = '\0';
	cr_assert_str_eq(text, expected);
}

static inline void assert_absent(const char *path)
{
	struct stat st;

	cr_assert_neq(stat(path, &st), 0, "there is a %s", path);
}

static inline int nr_open(void)
{
	DIR *fds = opendir("/proc/self/fd");
	int nr = 0;

	while (readdir(fds))
		nr++;
	closedir(fds);
	return nr;
}

static inline int open_file(const char *name)
{
	int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0);
	return fd;
}

static inline int open_fifo(const char *name)
{
	int fd;

	cr_assert_eq(mkfifo(in_dir(name), 0600), 0);
	fd = open(in_dir(name), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	cr_assert_geq(fd, 0);
	return fd;
}

/* Everything that is in @fd now; a string. */
static inline char *drain(int fd)
{
	static char text[1 << 21];
	size_t len = 0;
	ssize_t got;

	while ((got = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	text[len] = '\0';
	return text;
}

/* @len bytes: a line that says how long it is. */
static inline char *line_of(size_t len)
{
	char *line = malloc(len + 1);
	int nr = snprintf(line, len, "%zu", len);

	memset(line + nr, 'x', len - (size_t)nr - 1);
	line[len - 1] = '\n';
	line[len] = '\0';
	return line;
}

/* Lines that are as long as they say, and nothing between them. */
static inline int count_whole_lines(const char *text)
{
	int nr = 0;

	while (*text) {
		size_t len = strtoul(text, NULL, 10);

		/* Each assertion is a message to the test runner: only what fails. */
		if (!len || strcspn(text, "\n") + 1 != len || text[len - 1] != '\n')
			cr_assert_fail("line %d is torn: %.40s", nr, text);
		text += len;
		nr++;
	}
	return nr;
}

static inline int listen_at(const char *name, int type)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	cr_assert_geq(fd, 0);
	strcpy(address.sun_path, in_dir(name));
	cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	if (type != SOCK_DGRAM)
		cr_assert_eq(listen(fd, 1), 0);
	return fd;
}

static inline void begin_socket(const char *prefix)
{
	char spec[256];

	snprintf(spec, sizeof(spec), "%s%s", prefix, in_dir("socket"));
	begin(spec);
}

static inline int accept_one(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	cr_assert_geq(fd, 0, "nobody has connected");
	return fd;
}

static inline uint64_t blocked_signals(void)
{
	sigset_t set;
	uint64_t bits = 0;

	sigprocmask(SIG_BLOCK, NULL, &set);
	for (int signo = 1; signo < 64; signo++)
		bits |= (uint64_t)sigismember(&set, signo) << signo;
	return bits;
}

static inline bool is_pending(int signo)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, signo);
}

#endif
