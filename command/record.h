/* SPDX-License-Identifier: MIT */
/*
 * What a run needs before it begins: the shim, a file for the events, and an
 * environment that says so.
 */
#ifndef T2_COMMAND_RECORD_H
#define T2_COMMAND_RECORD_H

#include <stdbool.h>

#define T2_RECORD_FILE "t2.data"

struct t2_record {
	char *shim;	  /* absolute path */
	char *path;	  /* absolute: where the events go */
	const char *name; /* the same as the user knows it */
	char *old;	  /* what the previous file is called now, or NULL */
	char *instead;	  /* where GIT_TRACE2_EVENT has sent events until now, or NULL */
	int lock;	  /* descriptor that keeps others away, or -1 */
	bool is_nested;	  /* what started us is being recorded as well */
	bool is_joined;	  /* and into the same file, which is left as it is */
	bool is_readable; /* a file or directory, not a device or pipe */
};

/*
 * Find the shim, make room at @name, and set our environment, which the command
 * inherits. Returns false after a message on stderr. The caller closes it in any case.
 */
bool t2_record_open(struct t2_record *record, const char *name);

/* As if it had not been: the previous file gets its name back. */
void t2_record_undo(struct t2_record *record);

void t2_record_close(struct t2_record *record);

/* What it is made of. Strings that are returned are the caller's to free. */

/* Whether an entry of @list, LD_PRELOAD's, is the shim: only once can it be loaded. */
bool t2_preload_has_shim(const char *list);

/* @list, which may be NULL, with the shim. Returns NULL without memory. */
char *t2_preload_with(const char *list, const char *shim);

/*
 * The shim, when t2 is in @directory, which ends with a slash: beside it as it was
 * built, or where both were installed. NULL if it is not there.
 */
char *t2_shim_near(const char *directory);

#endif
