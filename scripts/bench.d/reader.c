/* SPDX-License-Identifier: MIT */
/*
 * A collector that throws everything away: reader SOCKET. It listens on SOCKET
 * and reads what comes until it is killed, or whoever started it has ended.
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_CONNECTIONS 1000

static struct pollfd fds[MAX_CONNECTIONS + 1]; /* the first one listens */
static nfds_t nr_fds;

static void listen_on(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(name.sun_path))
		errx(2, "%s: too long a name for a socket", path);
	memcpy(name.sun_path, path, strlen(path) + 1);
	if (fd < 0 || bind(fd, (struct sockaddr *)&name, sizeof(name)) || listen(fd, 1024))
		err(2, "%s", path);
	fds[0] = (struct pollfd){.fd = fd, .events = POLLIN};
	nr_fds = 1;
}

static void accept_one(void)
{
	int fd = accept4(fds[0].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0)
		fds[nr_fds++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

/* Returns whether the connection is still there. */
static int drain(int fd)
{
	static char buffer[1 << 16];
	ssize_t got;

	do
		got = read(fd, buffer, sizeof(buffer));
	while (got > 0);
	return got < 0;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: reader SOCKET");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	listen_on(argv[1]);
	for (;;) {
		fds[0].events = nr_fds <= MAX_CONNECTIONS ? POLLIN : 0;
		if (poll(fds, nr_fds, -1) < 0)
			err(2, "poll");
		/* From the end, because the last one takes the place of one that is gone. */
		for (nfds_t i = nr_fds - 1; i > 0; i--) {
			if (!fds[i].revents || drain(fds[i].fd))
				continue;
			close(fds[i].fd);
			fds[i] = fds[--nr_fds];
		}
		if (fds[0].revents)
			accept_one();
	}
}
