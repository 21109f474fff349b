/* SPDX-License-Identifier: MIT */
/*
 * Destinations: where bytes go. Knows nothing of events.
 *
 * A descriptor number is a rumour: hosts close everything and reopen. So files
 * are opened, written once and closed for every batch, or for those between which
 * nothing of the host's can run (t2_dst_hold()); a descriptor named by
 * the user, and the one connection to a socket, are compared by device and
 * inode with what they were before each use.
 */
#ifndef T2_PRELOAD_DST_H
#define T2_PRELOAD_DST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum t2_dst_kind {
	T2_DST_OFF,
	T2_DST_FD,	  /* 1-9, the host's own */
	T2_DST_FILE,	  /* a path; found to be a directory when first opened */
	T2_DST_DIRECTORY, /* a file per session in it */
	T2_DST_SOCKET,
};

/* Why a destination is off although one was asked for. */
enum t2_dst_fault {
	T2_DST_NO_FAULT,
	T2_DST_BAD_VALUE,   /* nothing we know */
	T2_DST_BAD_ADDRESS, /* af_unix: without a path */
	T2_DST_BAD_PATH,    /* af_unix: with one that cannot be a socket's */
	T2_DST_NOT_OPENED,  /* this and the following: see error */
	T2_DST_NOT_CONNECTED,
	T2_DST_NOT_WRITTEN,
	T2_DST_OVERLOADED, /* somebody has left the sentinel in the directory */
};

struct t2_dst {
	enum t2_dst_kind kind;
	const char *path; /* the caller's, for as long as the destination lives */
	int socket_type;  /* SOCK_STREAM, SOCK_DGRAM, or 0: the one, then the other */
	int fd;		  /* T2_DST_FD: given; T2_DST_SOCKET: our connection; else -1 */
	bool is_known;	  /* dev and ino say what fd was */
	dev_t dev;
	ino_t ino;
	bool follows;	 /* T2_DST_FILE: the path is a symbolic link we may follow */
	int file_suffix; /* T2_DST_DIRECTORY: -1 before the file is made, 0 for none */
	int max_files;	 /* in a directory; 0: no limit. The caller's to set */
	bool is_counted; /* the limit has been looked at */
	/* Threads share the rest. */
	atomic_uint nr_lost;  /* lines dropped and not yet told */
	atomic_bool has_part; /* a peer has the beginning of a line, and its rest follows */
	enum t2_dst_fault fault;
	enum t2_dst_kind was; /* at the time of the fault */
	int error;	      /* -errno of it */
};

/* In place of file_suffix: the file is the sentinel, see t2_dst_prepare(). */
#define T2_DST_SENTINEL 10

/* In which way a batch is written. */
enum t2_dst_mode {
	/* A file-size limit may not raise SIGXFSZ: nobody of ours would catch it. */
	T2_DST_GUARD_LIMIT = 1,
	/* The state is another process's (vfork child): do not change it. */
	T2_DST_BORROWED = 2,
};

/*
 * Read a destination as git writes them. What is not one is
 * T2_DST_OFF.
 * Context: any.
 */
void t2_dst_init(struct t2_dst *dst, const char *spec);

/*
 * For T2_DST_FD: what the number has to be, or else it is not written to.
 * Context: any.
 */
void t2_dst_pin(struct t2_dst *dst, dev_t dev, ino_t ino);

/* Find out what it is, if it has not been pinned. Returns 0 or -errno. Context: any. */
int t2_dst_identify(struct t2_dst *dst);

/*
 * The same destination for another session: forget the file and, if @closes,
 * close the connection, which were the former one's.
 * Context: any.
 */
void t2_dst_renew(struct t2_dst *dst, bool closes);

/*
 * A process begins, with one thread. What slow peers may cost it has not been used
 * up by anybody: T2_PEER_PATIENCE_MS for the first of a tree, T2_PEER_WAIT_MS for
 * the others, of which there may be thousands. (A vfork child uses up its
 * parent's, which waits for it.)
 * Context: any.
 */
void t2_dst_begin_process(bool is_first);

/*
 * Before a session's first lines: where max_files is set and the directory holds
 * that many entries, make the sentinel in it and let that be the session's file.
 * Where there is one already, the destination is off. Makes
 * no system call without a limit. @owner is whose memory it uses, see pool.h.
 * Context: any.
 */
void t2_dst_prepare(struct t2_dst *dst, const void *owner);

/* Whole lines, to be written at once. */
struct t2_dst_batch {
	const char *leaf; /* names the session's file in a directory */
	const char *text;
	size_t len;
	unsigned mode; /* of enum t2_dst_mode */
	/*
	 * Where more than one process may tell this: a word they share, in which
	 * @told_bit is set right before the first byte is written, and cleared if
	 * it then fails. Where it is set already, nothing is written. Else NULL.
	 */
	atomic_uint *told;
	unsigned told_bit;
	size_t taken; /* set: how many bytes arrived, if the rest was dropped */
};

/* Whether other threads may be there. Set by the pipeline; a new process has none. */
extern atomic_bool t2_dst_has_threads;

/*
 * The process is about to end, or its image to be replaced: let other threads
 * finish the writes they are in, for the kernel cuts off those of a thread it
 * kills between two pages, and let them begin no more. Waits T2_GATE_WAIT_MS at
 * most.
 * Context: any.
 */
void t2_dst_shut_gate(void);

/* It was not. Context: any. */
void t2_dst_open_gate(void);

/*
 * Several batches follow each other: a file stays open from the first to the last.
 * Only with all signals blocked, because nothing of the host's may run meanwhile, and
 * not in a vfork child. False, and nothing to let go: it is held already, or there are
 * threads.
 * Context: any.
 */
bool t2_dst_hold(void);
void t2_dst_let_go(void);

/*
 * Write @batch. Returns 0; -EAGAIN if it was dropped because it would have
 * had to wait; or another -errno, and the destination is off for good, with its
 * fault noted.
 * Context: any.
 */
int t2_dst_write(struct t2_dst *dst, struct t2_dst_batch *batch);

#endif
