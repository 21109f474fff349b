/* SPDX-License-Identifier: MIT */
/*
 * A Unix-domain socket that collects.
 */
#include "tests/support/listener.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void t2_listener_open(struct t2_listener *listener, const char *path, int type)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	*listener = (struct t2_listener){.type = type};
	cr_assert_lt(strlen(path), sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path));
	listener->fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	cr_assert_geq(listener->fd, 0);
	cr_assert_eq(bind(listener->fd, (struct sockaddr *)&address, sizeof(address)), 0);
	if (type == SOCK_STREAM)
		cr_assert_eq(listen(listener->fd, T2_CONNECTIONS_MAX), 0);
}

static void append(char **text, const char *bytes, size_t len)
{
	size_t old_len = *text ? strlen(*text) : 0;

	*text = realloc(*text, old_len + len + 1);
	memcpy(*text + old_len, bytes, len);
	(*text)[old_len + len] = '\0';
}

/* Take one thing from @fd; returns false if there is nothing now, or at its end. */
static bool take(struct t2_listener *listener, int fd, int index)
{
	static char bytes[1 << 18];
	ssize_t len;

	if (index < 0 && listener->type == SOCK_STREAM) {
		fd = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return false;
		cr_assert_lt(listener->nr, T2_CONNECTIONS_MAX);
		append(&listener->texts[listener->nr], "", 0);
		listener->fds[listener->nr++] = fd;
		return true;
	}
	len = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (len <= 0) {
		if (len == 0 && index >= 0) {
			close(fd);
			listener->fds[index] = -1;
		}
		return false;
	}
	if (index < 0) {
		cr_assert_lt(listener->nr, T2_CONNECTIONS_MAX);
		index = listener->nr;
		listener->fds[listener->nr++] = -1;
	}
	append(&listener->texts[index], bytes, (size_t)len);
	return true;
}

static void take_all(struct t2_listener *listener)
{
	int i;

	while (take(listener, listener->fd, -1))
		;
	for (i = 0; i < listener->nr; i++)
		while (listener->fds[i] >= 0 && take(listener, listener->fds[i], i))
			;
}

static void *read_until_stopped(void *arg)
{
	struct t2_listener *listener = arg;
	struct pollfd polls[2 + T2_CONNECTIONS_MAX];
	int i;

	do {
		take_all(listener);
		polls[0] = (struct pollfd){.fd = listener->stop[0], .events = POLLIN};
		polls[1] = (struct pollfd){.fd = listener->fd, .events = POLLIN};
		for (i = 0; i < listener->nr; i++)
			polls[2 + i] = (struct pollfd){.fd = listener->fds[i], .events = POLLIN};
		poll(polls, 2 + (nfds_t)listener->nr, -1);
	} while (!polls[0].revents);
	take_all(listener);
	return NULL;
}

void t2_listener_read(struct t2_listener *listener)
{
	cr_assert_eq(pipe2(listener->stop, O_CLOEXEC), 0);
	listener->is_reading = true;
	cr_assert_eq(pthread_create(&listener->thread, NULL, read_until_stopped, listener), 0);
}

char *t2_listener_end(struct t2_listener *listener)
{
	char *all = strdup("");
	int i;

	close(listener->stop[1]);
	cr_assert_eq(pthread_join(listener->thread, NULL), 0);
	close(listener->stop[0]);
	listener->is_reading = false;
	for (i = 0; i < listener->nr; i++)
		append(&all, listener->texts[i], strlen(listener->texts[i]));
	return all;
}

void t2_listener_close(struct t2_listener *listener)
{
	if (listener->is_reading)
		free(t2_listener_end(listener));
	close(listener->fd);
	while (listener->nr > 0)
		free(listener->texts[--listener->nr]);
}
