/* SPDX-License-Identifier: MIT */
/*
 * git's configuration files, as far as a Trace2 writer reads them: the system's
 * and the user's, never a repository's.
 *
 * Not supported are "~user/" and "%(prefix)/" in include.path. includeIf never
 * matches: the repository is not known yet, and hasconfig we leave out.
 */
#ifndef T2_PRELOAD_GITCONFIG_H
#define T2_PRELOAD_GITCONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/limits.h"

/* One value as it stands in a file; valid only during the call. */
struct t2_gitconfig_entry {
	const char *key;   /* "section.subsection.name", section and name in lower case */
	const char *value; /* NULL: a key without "=" */
	const char *scope; /* "system" or "global" */
};

struct t2_gitconfig {
	void (*take)(void *arg, const struct t2_gitconfig_entry *entry);
	void *arg;

	const char *home; /* for "~/"; NULL: not known */
	const char *scope;
	unsigned depth;	   /* of includes */
	unsigned nr_files; /* read so far */
	/* The first thing at which git would have ended, in words; else "". */
	char fault[T2_CONFIG_FAULT_SIZE];
	char path[T2_PATH_SIZE]; /* of a file that is not included */
	char key[T2_CONFIG_KEY_SIZE];
};

/* Begin: values will go to @take. Context: any. */
void t2_gitconfig_init(struct t2_gitconfig *files,
		       void (*take)(void *arg, const struct t2_gitconfig_entry *entry), void *arg);

/*
 * Read the files that @envp leads to, in git's order; a later value overrides.
 * Where git would end, the rest of that file is left out and a fault noted.
 * Context: constructor.
 */
void t2_gitconfig_read(struct t2_gitconfig *files, char *const *envp);

/*
 * Whether there is any use in reading them: one of the files holds @word, given in
 * lower case, or "include", or cannot be told. Cheaper, and it finds no fault.
 * Context: constructor.
 */
bool t2_gitconfig_mentions(char *const *envp, const char *word);

/*
 * Take the @len bytes at @text, which came from the file @path, apart. One more
 * byte behind them is written to. Includes are followed.
 * Context: constructor.
 */
void t2_gitconfig_parse(struct t2_gitconfig *files, const char *path, char *text, size_t len);

/* Note "@what'@name'" as the fault, if it is the first. Context: any. */
void t2_gitconfig_fault(struct t2_gitconfig *files, const char *what, const char *name);

#endif
