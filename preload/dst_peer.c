/* SPDX-License-Identifier: MIT */
/*
 * Destinations with somebody at the other end: pipes, sockets, and whatever a
 * descriptor of the host's is. None of them is waited for longer than our
 * patience.
 */
#include "preload/dst_kinds.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/un.h>

#include "preload/limits.h"
#include "preload/sys.h"

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

int t2_dst_write_pipe(int fd, struct t2_dst_batch *batch)
{
	while (batch->taken < batch->len) {
		const char *rest = batch->text + batch->taken;
		size_t part = whole_lines(rest, batch->len - batch->taken, T2_PIPE_ATOMIC);
		int ret = has_room(fd, part);
		ssize_t written;

		if (ret <= 0)
			return ret ? ret : -EAGAIN;
		if (!batch->taken && !t2_dst_claim(batch))
			return 0;
		do {
			written = t2_dst_write_without_signal(write_nowait, fd, rest, part, SIGPIPE,
							      EPIPE);
		} while (written == -EINTR);
		if (written < 0)
			return (int)written;
		batch->taken += part;
	}
	return 0;
}

/*
 * What slow peers have cost this process, in all its targets, threads and vfork
 * children; and whether it is one of many.
 */
static atomic_int waited_ms T2_PLACE_STATE;
static atomic_bool is_one_of_many T2_PLACE_STATE;

void t2_dst_begin_patience(bool is_first)
{
	atomic_store(&waited_ms, 0);
	atomic_store(&is_one_of_many, !is_first);
}

/* Wait a little for a peer, as long as peers have not cost too much already. */
static bool has_patience(int fd)
{
	int limit = atomic_load(&is_one_of_many) ? T2_PEER_WAIT_MS : T2_PEER_PATIENCE_MS;

	if (atomic_load(&waited_ms) >= limit ||
	    atomic_fetch_add(&waited_ms, T2_PEER_WAIT_MS) >= limit)
		return false;
	poll_writable(fd, T2_PEER_WAIT_MS);
	return true;
}

static int send_datagrams(int fd, struct t2_dst_batch *batch)
{
	while (batch->taken < batch->len) {
		const char *line = batch->text + batch->taken;
		size_t len = whole_lines(line, batch->len - batch->taken, 1);
		ssize_t sent = t2_sys_send(fd, line, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent >= 0)
			batch->taken += len;
		else if (sent == -EMSGSIZE)
			return -EAGAIN; /* as a line that is longer than a pipe */
		else if (sent != -EINTR && (sent != -EAGAIN || !has_patience(fd)))
			return (int)sent;
	}
	return 0;
}

/*
 * Whole lines of a stream. Up to T2_STREAM_ATOMIC the kernel takes all or nothing.
 * The rest of what it has cut has to follow or the peer would read garbage, so it
 * is waited for, and meanwhile other threads' lines are dropped.
 */
static int send_lines(struct t2_dst *dst, int fd, const char *text, size_t len)
{
	size_t done = 0;
	ssize_t sent;

	if (atomic_exchange(&dst->has_part, len > T2_STREAM_ATOMIC)) {
		atomic_store(&dst->has_part, true);
		return -EAGAIN;
	}
	do {
		sent = t2_sys_send(fd, text + done, len - done, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent > 0)
			done += (size_t)sent;
		if (done && done < len)
			atomic_store(&dst->has_part, true);
	} while (done < len &&
		 (sent >= 0 || sent == -EINTR || (sent == -EAGAIN && has_patience(fd))));
	atomic_store(&dst->has_part, false);
	if (done == len)
		return 0;
	return sent == -EAGAIN && done ? -EPIPE : (int)sent;
}

static int send_stream(struct t2_dst *dst, int fd, struct t2_dst_batch *batch)
{
	while (batch->taken < batch->len) {
		const char *rest = batch->text + batch->taken;
		size_t part = whole_lines(rest, batch->len - batch->taken, T2_STREAM_ATOMIC);
		int ret = send_lines(dst, fd, rest, part);

		if (ret)
			return ret;
		batch->taken += part;
	}
	return 0;
}

static int send_all(struct t2_dst *dst, int fd, struct t2_dst_batch *batch, bool is_stream)
{
	if (!t2_dst_claim(batch))
		return 0;
	return is_stream ? send_stream(dst, fd, batch) : send_datagrams(fd, batch);
}

int t2_dst_write_fd(struct t2_dst *dst, struct t2_dst_batch *batch)
{
	struct stat st;

	if (!t2_dst_is_same(dst, &st))
		return -EBADF;
	if (S_ISFIFO(st.st_mode))
		return t2_dst_write_pipe(dst->fd, batch);
	if (S_ISSOCK(st.st_mode)) {
		int type = SOCK_STREAM;
		socklen_t size = sizeof(type);

		T2_SYS(SYS_getsockopt, dst->fd, SOL_SOCKET, SO_TYPE, &type, &size);
		return send_all(dst, dst->fd, batch, type == SOCK_STREAM);
	}
	if (S_ISCHR(st.st_mode) && poll_writable(dst->fd, 0) == 0)
		return -EAGAIN;
	return t2_dst_write_once(t2_sys_write, dst->fd, batch);
}

static int connect_as(struct t2_dst *dst, int type)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = t2_dst_move_high(t2_sys_socket(type | SOCK_CLOEXEC | SOCK_NONBLOCK));
	int ret;

	if (fd < 0)
		return fd;
	memcpy(to.sun_path, dst->path, strlen(dst->path));
	/* A full backlog: the peer is slow to accept. */
	do {
		ret = t2_sys_connect(fd, (struct sockaddr *)&to, sizeof(to));
	} while (ret == -EAGAIN && has_patience(-1));
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

int t2_dst_write_socket(struct t2_dst *dst, struct t2_dst_batch *batch)
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
	if (!t2_dst_is_same(dst, &st))
		return -EBADF;
	return send_all(dst, dst->fd, batch, dst->socket_type != SOCK_DGRAM);
}
