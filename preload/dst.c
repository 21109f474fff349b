/* SPDX-License-Identifier: MIT */
#include "preload/dst.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/un.h>

#include "preload/buf.h"
#include "preload/limits.h"
#include "preload/sentinel.h"
#include "preload/str.h"
#include "preload/sys.h"

#define OPEN_FLAGS (O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* "false" and "true" in any case; the words git knows here. */
static bool is_word(const char *spec, const char *lower)
{
	for (; *lower; spec++, lower++) {
		if ((*spec | 0x20) != *lower)
			return false;
	}
	return !*spec;
}

static void init_socket(struct t2_dst *dst, const char *address)
{
	if (t2_str_starts_with(address, "stream:")) {
		dst->socket_type = SOCK_STREAM;
		address += sizeof("stream:") - 1;
	} else if (t2_str_starts_with(address, "dgram:")) {
		dst->socket_type = SOCK_DGRAM;
		address += sizeof("dgram:") - 1;
	}
	dst->path = address;
	if (!*address)
		dst->fault = T2_DST_BAD_ADDRESS;
	else if (*address != '/' || strlen(address) >= sizeof(((struct sockaddr_un *)0)->sun_path))
		dst->fault = T2_DST_BAD_PATH;
	else
		dst->kind = T2_DST_SOCKET;
}

void t2_dst_init(struct t2_dst *dst, const char *spec)
{
	memset(dst, 0, sizeof(*dst));
	dst->fd = -1;
	dst->file_suffix = -1;
	dst->patience_ms = T2_PEER_PATIENCE_MS;
	dst->path = spec;
	if (!spec || !*spec || !strcmp(spec, "0") || is_word(spec, "false")) {
		dst->kind = T2_DST_OFF;
	} else if (!strcmp(spec, "1") || is_word(spec, "true")) {
		dst->kind = T2_DST_FD;
		dst->fd = 2;
	} else if (spec[0] >= '2' && spec[0] <= '9' && !spec[1]) {
		dst->kind = T2_DST_FD;
		dst->fd = spec[0] - '0';
	} else if (spec[0] == '/') {
		dst->kind = T2_DST_FILE;
	} else if (t2_str_starts_with(spec, "af_unix:")) {
		init_socket(dst, spec + sizeof("af_unix:") - 1);
	} else {
		dst->fault = T2_DST_BAD_VALUE;
	}
}

/* Off for good, because of @fault. Returns @error. */
static int fail(struct t2_dst *dst, enum t2_dst_fault fault, int error)
{
	dst->was = dst->kind;
	dst->kind = T2_DST_OFF;
	dst->fault = fault;
	dst->error = error;
	return error;
}

void t2_dst_pin(struct t2_dst *dst, dev_t dev, ino_t ino)
{
	dst->dev = dev;
	dst->ino = ino;
	dst->is_known = true;
}

/* Whether @dst->fd is still what it was; what it is, the first time. */
static bool is_same(struct t2_dst *dst, struct stat *st)
{
	if (t2_sys_fstat(dst->fd, st) < 0)
		return false;
	if (!dst->is_known)
		t2_dst_pin(dst, st->st_dev, st->st_ino);
	return dst->dev == st->st_dev && dst->ino == st->st_ino;
}

int t2_dst_identify(struct t2_dst *dst)
{
	struct stat st;

	if (is_same(dst, &st))
		return 0;
	dst->fault = T2_DST_NOT_WRITTEN;
	dst->error = -EBADF;
	return -EBADF;
}

void t2_dst_renew(struct t2_dst *dst, bool closes)
{
	struct stat st;

	dst->file_suffix = -1;
	dst->is_counted = false;
	dst->patience_ms = T2_PEER_PATIENCE_MS;
	dst->nr_lost = 0;
	if (dst->kind != T2_DST_SOCKET || dst->fd < 0)
		return;
	if (closes && is_same(dst, &st))
		t2_sys_close(dst->fd);
	dst->fd = -1;
	dst->is_known = false;
}

/*
 * A descriptor we just opened, moved above those a host expects to be free: a
 * program started with a closed stdout must not find our file there.
 */
static int move_high(int fd)
{
	int high;

	if (fd < 0)
		return fd;
	high = t2_sys_fcntl(fd, F_DUPFD_CLOEXEC, T2_FD_FLOOR);
	if (high < 0)
		high = fd > 2 ? t2_sys_fcntl(fd, F_DUPFD_CLOEXEC, fd) : high;
	t2_sys_close(fd);
	return high;
}

#define SIGNAL_BIT(signo) (1UL << ((signo)-1))

/*
 * One write, in which @signo would be raised in this thread if it fails with
 * @error: blocked meanwhile, and taken back if it came. The disposition, which
 * is the whole process's, is left alone.
 */
static ssize_t write_without_signal(ssize_t (*write)(int, const void *, size_t), int fd,
				    const char *text, size_t len, int signo, int error)
{
	const uint64_t set = SIGNAL_BIT(signo);
	uint64_t pending = 0, mask;
	ssize_t written;

	t2_sys_sigmask(SIG_BLOCK, &set, &mask);
	t2_sys_sigpending(&pending);
	written = write(fd, text, len);
	if (written == -error && !(pending & set))
		t2_sys_sigtake(&set);
	t2_sys_sigmask(SIG_SETMASK, &mask, NULL);
	return written;
}

/*
 * A regular file or a device. A short write is never completed: with many
 * writers the rest would land elsewhere in the file.
 */
static int write_once(ssize_t (*write)(int, const void *, size_t), int fd, const char *text,
		      size_t len, unsigned mode)
{
	ssize_t written;

	do {
		written = mode & T2_DST_GUARD_LIMIT
				  ? write_without_signal(write, fd, text, len, SIGXFSZ, EFBIG)
				  : write(fd, text, len);
	} while (written == -EINTR);
	if (written < 0)
		return (int)written;
	return (size_t)written == len ? 0 : -ENOSPC;
}

/* The length of the whole lines at @text that fit into @max bytes; one at least. */
static size_t whole_lines(const char *text, size_t len, size_t max)
{
	size_t end = len < max ? len : max;

	while (end && text[end - 1] != '\n')
		end--;
	if (end)
		return end;
	for (end = 1; end < len && text[end - 1] != '\n'; end++)
		;
	return end;
}

/* 1: a write would not wait; 0: it would; -EPIPE: nobody will ever read it. */
static int poll_writable(int fd, int wait_ms)
{
	struct pollfd poll = {.fd = fd, .events = POLLOUT};

	if (t2_sys_poll(&poll, wait_ms) != 1)
		return 0;
	return poll.revents & (POLLERR | POLLNVAL) ? -EPIPE : 1;
}

/* A write that does not wait, even where the host's descriptor would. */
static ssize_t write_nowait(int fd, const void *text, size_t len)
{
	ssize_t written = t2_sys_write_nowait(fd, text, len);

	/* Not known before Linux 5.x, and not to every kind of file. */
	if (written == -EOPNOTSUPP || written == -ENOSYS || written == -EINVAL)
		written = t2_sys_write(fd, text, len);
	return written;
}

/*
 * Whether a pipe can take @len bytes at once. Up to PIPE_BUF it does so in one
 * piece if it is writable at all. What is longer needs many of its pages, which
 * other lines may fill with a few bytes each, so it has to be empty.
 */
static int has_room(int fd, size_t len)
{
	int ret = poll_writable(fd, 0);
	int used = 1;

	if (ret <= 0 || len <= T2_PIPE_ATOMIC)
		return ret;
	t2_sys_ioctl(fd, FIONREAD, &used);
	return !used && (ssize_t)len <= t2_sys_fcntl(fd, F_GETPIPE_SZ, 0);
}

static int write_pipe(struct t2_dst *dst, int fd, const char *text, size_t len)
{
	while (dst->taken < len) {
		const char *rest = text + dst->taken;
		size_t part = whole_lines(rest, len - dst->taken, T2_PIPE_ATOMIC);
		int ret = has_room(fd, part);
		ssize_t written;

		if (ret <= 0)
			return ret ? ret : -EAGAIN;
		do {
			written =
				write_without_signal(write_nowait, fd, rest, part, SIGPIPE, EPIPE);
		} while (written == -EINTR);
		if (written < 0)
			return (int)written;
		dst->taken += part;
	}
	return 0;
}

/*
 * Send one datagram a line, or the whole batch on a stream. On a stream the
 * rest of a cut line has to follow or the peer would read garbage, so it is
 * waited for, within our patience.
 */
static int send_all(struct t2_dst *dst, int fd, const char *text, size_t len, bool is_stream)
{
	bool is_cut = false;

	while (dst->taken < len) {
		const char *rest = text + dst->taken;
		size_t part = is_stream ? len - dst->taken : whole_lines(rest, len - dst->taken, 1);
		ssize_t sent = t2_sys_send(fd, rest, part, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent > 0) {
			dst->taken += (size_t)sent;
			is_cut = is_stream && text[dst->taken - 1] != '\n';
		} else if (sent == -EAGAIN && dst->patience_ms > 0) {
			dst->patience_ms -= 4;
			poll_writable(fd, 4);
		} else if (sent != -EINTR) {
			return sent == -EAGAIN && is_cut ? -EPIPE : (int)sent;
		}
	}
	return 0;
}

static int write_fd(struct t2_dst *dst, const char *text, size_t len, unsigned mode)
{
	struct stat st;

	if (!is_same(dst, &st))
		return -EBADF;
	if (S_ISFIFO(st.st_mode))
		return write_pipe(dst, dst->fd, text, len);
	if (S_ISSOCK(st.st_mode)) {
		int type = SOCK_STREAM;
		socklen_t size = sizeof(type);

		T2_SYS(SYS_getsockopt, dst->fd, SOL_SOCKET, SO_TYPE, &type, &size);
		return send_all(dst, dst->fd, text, len, type == SOCK_STREAM);
	}
	if (S_ISCHR(st.st_mode) && poll_writable(dst->fd, 0) == 0)
		return -EAGAIN;
	return write_once(t2_sys_write, dst->fd, text, len, mode);
}

/* What can be opened by a path but not written at an offset. */
static int write_stream(struct t2_dst *dst, int fd, const char *text, size_t len, unsigned mode)
{
	struct stat st;

	if (t2_sys_fstat(fd, &st) < 0)
		return -EBADF;
	return S_ISFIFO(st.st_mode) ? write_pipe(dst, fd, text, len)
				    : write_once(t2_sys_write, fd, text, len, mode);
}

static int write_and_close(struct t2_dst *dst, int fd, const char *text, size_t len, unsigned mode)
{
	int ret;

	if (fd >= 0 && fd < 3)
		fd = move_high(fd);
	dst->fault = fd < 0 ? T2_DST_NOT_OPENED : T2_DST_NOT_WRITTEN;
	if (fd < 0)
		return fd;
	ret = write_once(t2_sys_append, fd, text, len, mode);
	if (ret == -ESPIPE)
		ret = write_stream(dst, fd, text, len, mode);
	t2_sys_close(fd);
	return ret;
}

/* Room for a directory of the usual length and a session's file in it. */
#define NAME_SIZE 512

/* "leaf", "leaf.N", or the sentinel, in the directory if it is named. */
static bool put_file_name(char name[NAME_SIZE], const char *dir, const char *leaf, int suffix)
{
	struct t2_buf out;

	t2_buf_init(&out, name, NAME_SIZE);
	if (dir) {
		t2_buf_put_str(&out, dir);
		t2_buf_put_char(&out, '/');
	}
	t2_buf_put_str(&out, suffix == T2_DST_SENTINEL ? T2_SENTINEL_NAME : leaf);
	if (suffix && suffix != T2_DST_SENTINEL) {
		t2_buf_put_char(&out, '.');
		t2_buf_put_u64(&out, (uint64_t)suffix);
	}
	t2_buf_put_char(&out, '\0');
	return !t2_buf_overflowed(&out);
}

/* A longer path takes two more calls, but no more of the host's stack. */
static int open_in(const struct t2_dst *dst, const char *leaf, int suffix, int flags)
{
	char name[NAME_SIZE];
	int dirfd, fd;

	if (put_file_name(name, dst->path, leaf, suffix))
		return t2_sys_open(name, flags, 0666);
	put_file_name(name, NULL, leaf, suffix);
	dirfd = t2_sys_open(dst->path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (dirfd < 0)
		return dirfd;
	fd = t2_sys_openat(dirfd, name, flags, 0666);
	t2_sys_close(dirfd);
	return fd;
}

/* The session's file, made at the first time. */
static int open_leaf(struct t2_dst *dst, const char *leaf)
{
	int fd = -EEXIST;

	if (dst->file_suffix >= 0)
		return open_in(dst, leaf, dst->file_suffix, OPEN_FLAGS);
	/* Two targets of one process may share the directory: leaf, leaf.1 ... leaf.9. */
	for (int suffix = 0; suffix < 10 && fd < 0; suffix++) {
		fd = open_in(dst, leaf, suffix, OPEN_FLAGS | O_CREAT | O_EXCL);
		dst->file_suffix = suffix;
	}
	return fd;
}

void t2_dst_prepare(struct t2_dst *dst, const void *owner)
{
	int ret;

	if (dst->max_files <= 0 || dst->is_counted || dst->file_suffix >= 0 ||
	    (dst->kind != T2_DST_FILE && dst->kind != T2_DST_DIRECTORY))
		return;
	dst->is_counted = true;
	ret = t2_sentinel_check(dst->path, dst->max_files, owner);
	if (ret == T2_SENTINEL_ROOM)
		return;
	dst->kind = T2_DST_DIRECTORY;
	if (ret == T2_SENTINEL_MADE)
		dst->file_suffix = T2_DST_SENTINEL;
	else
		fail(dst, ret < 0 ? T2_DST_NOT_OPENED : T2_DST_OVERLOADED, ret);
}

static int connect_as(struct t2_dst *dst, int type)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = move_high(t2_sys_socket(type | SOCK_CLOEXEC | SOCK_NONBLOCK));
	int ret;

	if (fd < 0)
		return fd;
	memcpy(to.sun_path, dst->path, strlen(dst->path));
	/* A full backlog: the peer is slow to accept. */
	while ((ret = t2_sys_connect(fd, (struct sockaddr *)&to, sizeof(to))) == -EAGAIN &&
	       dst->patience_ms > 0) {
		dst->patience_ms -= 4;
		t2_sys_poll(&(struct pollfd){.fd = -1}, 4);
	}
	if (!ret)
		return fd;
	t2_sys_close(fd);
	return ret;
}

static int connect_socket(struct t2_dst *dst)
{
	int fd;

	if (dst->socket_type)
		return connect_as(dst, dst->socket_type);
	fd = connect_as(dst, SOCK_STREAM);
	dst->socket_type = fd == -EPROTOTYPE ? SOCK_DGRAM : SOCK_STREAM;
	return fd == -EPROTOTYPE ? connect_as(dst, SOCK_DGRAM) : fd;
}

static int write_socket(struct t2_dst *dst, const char *text, size_t len)
{
	struct stat st;

	if (dst->fd < 0) {
		dst->is_known = false;
		dst->fault = T2_DST_NOT_CONNECTED;
		dst->fd = connect_socket(dst);
		if (dst->fd < 0)
			return dst->fd;
		dst->fault = T2_DST_NOT_WRITTEN;
	}
	if (!is_same(dst, &st))
		return -EBADF;
	return send_all(dst, dst->fd, text, len, dst->socket_type != SOCK_DGRAM);
}

static int write_to(struct t2_dst *dst, const char *leaf, const char *text, size_t len,
		    unsigned mode)
{
	int ret = 0;

	dst->fault = T2_DST_NOT_WRITTEN; /* unless it fails before */
	switch (dst->kind) {
	case T2_DST_OFF:
		break;
	case T2_DST_FD:
		return write_fd(dst, text, len, mode);
	case T2_DST_FILE:
		ret = write_and_close(dst, t2_sys_open(dst->path, OPEN_FLAGS | O_CREAT, 0666), text,
				      len, mode);
		if (ret != -EISDIR)
			return ret;
		dst->kind = T2_DST_DIRECTORY;
		/* fallthrough */
	case T2_DST_DIRECTORY:
		return write_and_close(dst, open_leaf(dst, leaf), text, len, mode);
	case T2_DST_SOCKET:
		return write_socket(dst, text, len);
	}
	return ret;
}

int t2_dst_write(struct t2_dst *dst, const char *leaf, const char *text, size_t len, unsigned mode)
{
	struct t2_dst copy = *dst;
	struct t2_dst *used = mode & T2_DST_BORROWED ? &copy : dst;
	int ret;

	if (dst->kind == T2_DST_OFF)
		return 0;
	used->taken = 0;
	ret = write_to(used, leaf, text, len, mode);
	/* A connection opened in a vfork child is not its parent's. */
	if (used == &copy && copy.fd != dst->fd)
		t2_sys_close(copy.fd);
	if (ret >= 0 || ret == -EAGAIN) {
		used->fault = T2_DST_NO_FAULT;
	} else if (used == dst) {
		if (dst->kind == T2_DST_SOCKET && dst->fd >= 0)
			t2_dst_renew(dst, true);
		fail(dst, dst->fault, ret);
	}
	return ret;
}
