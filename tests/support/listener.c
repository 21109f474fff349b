/* SPDX-License-Identifier: MIT */
/*
 * A Unix-domain socket that collects.
 */
#include "tests/support/listener.h"

#include "tests/support/run.h"

#include <criterion/criterion.h>
#include <fcntl.h>
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

static char *read_connection(int fd)
{
	size_t cap = 1 << 20;
	size_t len = 0;
	char *text = calloc(1, cap + 1);
	ssize_t nr;

	while (len < cap && (nr = read(fd, text + len, cap - len)) > 0)
		len += (size_t)nr;
	close(fd);
	return text;
}

static char *read_datagram(int fd)
{
	char *text = calloc(1, (1 << 18) + 1);

	if (recv(fd, text, 1 << 18, MSG_DONTWAIT) > 0)
		return text;
	free(text);
	return NULL;
}

void t2_listener_read(struct t2_listener *listener)
{
	char *text;
	int fd;

	while (listener->nr < T2_CONNECTIONS_MAX) {
		if (listener->type == SOCK_DGRAM) {
			text = read_datagram(listener->fd);
			if (!text)
				return;
		} else {
			fd = accept(listener->fd, NULL, NULL);
			if (fd < 0)
				return;
			text = read_connection(fd);
		}
		listener->texts[listener->nr++] = text;
	}
}

char *t2_listener_text(const struct t2_listener *listener)
{
	char *all = strdup("");
	char *longer;
	int i;

	for (i = 0; i < listener->nr; i++) {
		longer = t2_format_text("%s%s", all, listener->texts[i]);
		free(all);
		all = longer;
	}
	return all;
}

void t2_listener_close(struct t2_listener *listener)
{
	close(listener->fd);
	while (listener->nr > 0)
		free(listener->texts[--listener->nr]);
}
