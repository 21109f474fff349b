/* SPDX-License-Identifier: MIT */
/*
 * The far end of an af_unix target. It only listens during the run and reads
 * afterwards: the kernel keeps what was sent, so no thread is needed.
 */
#ifndef T2_SUPPORT_LISTENER_H
#define T2_SUPPORT_LISTENER_H

#define T2_CONNECTIONS_MAX 64

struct t2_listener {
	int fd;
	int type;		       /* SOCK_STREAM or SOCK_DGRAM */
	int nr;			       /* connections, or datagrams */
	char *texts[T2_CONNECTIONS_MAX]; /* what came on each */
};

void t2_listener_open(struct t2_listener *listener, const char *path, int type);

/* Take everything that has arrived by now. */
void t2_listener_read(struct t2_listener *listener);

/* All that came, one connection after the other; free it. */
char *t2_listener_text(const struct t2_listener *listener);

void t2_listener_close(struct t2_listener *listener);

#endif
