/* SPDX-License-Identifier: MIT */
/*
 * What the kinds of destinations share; for preload/dst*.c alone.
 */
#ifndef T2_PRELOAD_DST_KINDS_H
#define T2_PRELOAD_DST_KINDS_H

#include <sys/stat.h>

#include "preload/dst.h"

/* What writes: t2_sys_write() and its like. */
typedef ssize_t t2_dst_writer(int fd, const void *text, size_t len);

/*
 * The last thing before the first byte: from now on nobody else tells this
 * batch. False: somebody has.
 */
static inline bool t2_dst_claim(const struct t2_dst_batch *batch)
{
	return !batch->told || !(atomic_fetch_or(batch->told, batch->told_bit) & batch->told_bit);
}

/* It was not written after all: whoever else may tell it has to. */
static inline void t2_dst_unclaim(const struct t2_dst_batch *batch)
{
	if (batch->told)
		atomic_fetch_and(batch->told, ~batch->told_bit);
}

/*
 * A descriptor we just opened, moved above those a host expects to be free: a
 * program started with a closed stdout must not find our file there.
 */
int t2_dst_move_high(int fd);

/* Whether @dst->fd is still what it was; what it is, the first time. */
bool t2_dst_is_same(struct t2_dst *dst, struct stat *st);

/*
 * One write, in which @signo would be raised in this thread if it fails with
 * @error: blocked meanwhile, and taken back if it came. The disposition, which
 * is the whole process's, is left alone.
 */
ssize_t t2_dst_write_without_signal(t2_dst_writer *write, int fd, const char *text, size_t len,
				    int signo, int error);

/*
 * The batch onto a regular file or a device. A short write is never completed:
 * with many writers the rest would land elsewhere in the file.
 */
int t2_dst_write_once(t2_dst_writer *write, int fd, const struct t2_dst_batch *batch);

/* What peers have cost is forgotten; see t2_dst_begin_process(). */
void t2_dst_begin_patience(bool is_first);

/* The batch into a pipe, as far as it does not wait. */
int t2_dst_write_pipe(int fd, struct t2_dst_batch *batch);

/* Whether the path is no symbolic link, or one that may lead us. */
bool t2_dst_may_use(const char *path);

/* The batch to each kind. Return 0 or -errno, as t2_dst_write() does. */
int t2_dst_write_file(struct t2_dst *dst, struct t2_dst_batch *batch);
int t2_dst_write_directory(struct t2_dst *dst, struct t2_dst_batch *batch);
int t2_dst_write_fd(struct t2_dst *dst, struct t2_dst_batch *batch);
int t2_dst_write_socket(struct t2_dst *dst, struct t2_dst_batch *batch);

#endif
