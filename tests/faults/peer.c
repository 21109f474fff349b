/* SPDX-License-Identifier: MIT */
/*
 * The far end of a socket, which does as badly as it is told:
 *
 *   peer stream|dgram read|refuse|ignore|slow|leave PATH
 *
 *   read    takes everything and prints it when it is ended by SIGTERM
 *   refuse  never accepts; the backlog is one connection long
 *   ignore  accepts and never reads
 *   slow    reads a little and pauses
 *   leave   ends in the middle of the first line, then is there again
 *
 * It prints "ready" once it can be connected to.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PEERS_MAX 4096

static volatile sig_atomic_t is_ended;
static struct pollfd fds[PEERS_MAX];
static nfds_t nr_fds = 1;
/* What has come on each connection, so that lines of several do not mix. */
static struct text {
	char *bytes;
	size_t len;
} texts[PEERS_MAX];

static void end(int signo)
{
	(void)signo;
	is_ended = 1;
}

static int listen_at(const char *path, int type)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	unlink(path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)))
		exit(1);
	return fd;
}

static void take(nfds_t i, size_t max)
{
	static char bytes[1 << 18];
	ssize_t len = recv(fds[i].fd, bytes, max < sizeof(bytes) ? max : sizeof(bytes), 0);
	struct text *text = &texts[i];

	if (len <= 0) {
		if (i) {
			close(fds[i].fd);
			fds[i].fd = -1;
		}
		return;
	}
	text->bytes = realloc(text->bytes, text->len + (size_t)len);
	memcpy(text->bytes + text->len, bytes, (size_t)len);
	text->len += (size_t)len;
}

static void take_all(bool is_stream, size_t max, int timeout_ms)
{
	nfds_t nr = nr_fds;

	if (poll(fds, nr, timeout_ms) <= 0)
		return;
	for (nfds_t i = 0; i < nr; i++) {
		if (!fds[i].revents)
			continue;
		if ((i || !is_stream) && !max)
			fds[i].fd = ~fds[i].fd; /* open, but no longer looked at */
		else if (i || !is_stream)
			take(i, max);
		else if (nr_fds < PEERS_MAX)
			fds[nr_fds++] = (struct pollfd){accept(fds[0].fd, NULL, NULL), POLLIN, 0};
	}
}

static void print_all(void)
{
	for (nfds_t i = 0; i < nr_fds; i++)
		fwrite(texts[i].bytes, 1, texts[i].len, stdout);
}

static void say_ready(void)
{
	printf("ready\n");
	fflush(stdout);
}

/* Gone after ten bytes of the first connection, and back under the same path. */
static void leave(const char *path)
{
	char bytes[10];
	int fd = accept(fds[0].fd, NULL, NULL);

	while (recv(fd, bytes, sizeof(bytes), 0) < 0 && !is_ended)
		;
	close(fd);
	close(fds[0].fd);
	fds[0].fd = listen_at(path, SOCK_STREAM);
	listen(fds[0].fd, 64);
}

int main(int argc, char **argv)
{
	bool is_stream, ignores, is_slow;

	if (argc < 4)
		return 2;
	is_stream = !strcmp(argv[1], "stream");
	ignores = !strcmp(argv[2], "ignore");
	is_slow = !strcmp(argv[2], "slow");
	signal(SIGTERM, end);
	fds[0] = (struct pollfd){listen_at(argv[3], is_stream ? SOCK_STREAM : SOCK_DGRAM), POLLIN,
				 0};
	if (is_stream)
		listen(fds[0].fd, !strcmp(argv[2], "refuse") ? 0 : 1024);
	say_ready();
	if (!strcmp(argv[2], "refuse") || (ignores && !is_stream)) {
		while (!is_ended)
			pause();
		return 0;
	}
	if (!strcmp(argv[2], "leave"))
		leave(argv[3]);
	while (!is_ended) {
		take_all(is_stream, ignores ? 0 : is_slow ? 2000 : SIZE_MAX, 20);
		if (is_slow)
			usleep(1000);
	}
	if (!ignores) {
		for (int i = 0; i < 200; i++)
			take_all(is_stream, SIZE_MAX, 0);
		print_all();
	}
	return 0;
}
