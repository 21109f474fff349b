/* SPDX-License-Identifier: MIT */
/*
 * The limit on the number of files in a directory of traces, and the file that
 * says it has been reached.
 */
#ifndef T2_PRELOAD_SENTINEL_H
#define T2_PRELOAD_SENTINEL_H

#define T2_SENTINEL_NAME "git-trace2-discard"

enum t2_sentinel {
	T2_SENTINEL_ROOM,  /* one more file may be made, or it is no directory */
	T2_SENTINEL_MADE,  /* no more; it has just been made */
	T2_SENTINEL_FOUND, /* no more; it was there */
};

/*
 * Whether one more file may be made in @dir, which may hold @max entries, counted
 * as readdir() returns them; memory is claimed in the name of @owner. An enum
 * t2_sentinel, or -errno if it could not be made.
 * Context: any.
 */
int t2_sentinel_check(const char *dir, int max, const void *owner);

#endif
