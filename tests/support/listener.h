/* SPDX-License-Identifier: MIT */
/*
 * The far end of an af_unix target: a thread that reads what arrives, until
 * it is told that nothing more will.
 */
#ifndef T2_SUPPORT_LISTENER_H
#define T2_SUPPORT_LISTENER_H

#include <pthread.h>
#include <stdbool.h>

#define T2_CONNECTIONS_MAX 64

struct t2_listener {
	int fd;
	int type;    /* SOCK_STREAM or SOCK_DGRAM */
	int stop[2]; /* a pipe; its closing ends the thread */
	bool is_reading;
	pthread_t thread;
	int nr;				 /* connections, or datagrams */
	int fds[T2_CONNECTIONS_MAX];	 /* of connections that are still open, else -1 */
	char *texts[T2_CONNECTIONS_MAX]; /* what came on each */
};

/* Bind and listen. Nothing is taken before t2_listener_read(). */
void t2_listener_open(struct t2_listener *listener, const char *path, int type);

/* Begin to take what arrives. */
void t2_listener_read(struct t2_listener *listener);

/*
 * The run is over: take the rest. All that came, one connection after the other;
 * free it.
 */
char *t2_listener_end(struct t2_listener *listener);

void t2_listener_close(struct t2_listener *listener);

#endif
