/* SPDX-License-Identifier: MIT */
/*
 * Which file an exec will run, as far as can be told beforehand.
 */
#ifndef T2_PRELOAD_SEARCH_H
#define T2_PRELOAD_SEARCH_H

#include <stdbool.h>

#include "preload/pool.h"

struct t2_search {
	int fd;		  /* what a relative name starts from, or AT_FDCWD; or the file itself */
	const char *name; /* NULL with is_fd */
	int flags;	  /* of execveat */
	bool uses_path;	  /* a name without a slash is looked for in PATH (exec(3)) */
	bool is_fd;

	const char *file; /* found: a path seen from @dirfd, or ""; NULL: exec would fail */
	int dirfd;
	struct t2_block block;
};

/*
 * Fill in what was found. PATH is the process's own, whatever environment the
 * new program gets.
 * Context: any.
 */
void t2_search_find(struct t2_search *search, const void *owner);

/* The path is gone afterwards; whether there was one remains. Context: any. */
void t2_search_release(struct t2_search *search);

#endif
