/* SPDX-License-Identifier: MIT */
/*
 * The environment a child needs.
 *
 * The running program's own environment is never written. What is handed to
 * exec or spawn is edited on the way, in a vector of our own: the parent's
 * session id and name, and whatever of our settings the host has left out,
 * with a marker so that the shim in the child can take those out again.
 */
#ifndef T2_PRELOAD_ENV_H
#define T2_PRELOAD_ENV_H

#include <stdbool.h>

#include "preload/config.h"
#include "preload/pool.h"

/* What the child is to inherit. */
struct t2_env_gift {
	const struct t2_config *config;
	const char *sid_entry;	/* "GIT_TRACE2_PARENT_SID=..." or NULL: as the host has it */
	const char *name_entry; /* "GIT_TRACE2_PARENT_NAME=..." or NULL */
	bool may_restore;	/* the program can load us: put back what is missing */
	bool confines;		/* nothing of all that: if it loads us, it is to be silent */
};

/*
 * Make the vector for a child from the host's @envp (NULL counts as empty, as
 * it does for the kernel). Strings and order of the host's entries stay.
 * Returns the vector to use: @envp itself if nothing has to change or no memory
 * could be had, else one in @block, which the caller releases.
 * Context: any.
 */
char *const *t2_env_edit(const struct t2_env_gift *gift, char *const *envp, struct t2_block *block,
			 const void *owner);

/* Whether a setting or our library is missing in @envp. Context: any. */
bool t2_env_needs_restoring(const struct t2_config *config, char *const *envp);

/*
 * Whether a child can find our library. Where it is not (chroot, or a relative path in
 * another directory) the loader would complain of it on stderr, and nobody would take
 * out of the child's environment what is put back.
 * Context: any.
 */
bool t2_env_has_library(const struct t2_config *config);

/*
 * Whether the file at @path, seen from @dirfd, could load us: not a static
 * program, none for another machine, none for another C library. An
 * unreadable file could.
 * Context: any.
 */
bool t2_env_can_load(int dirfd, const char *path, int flags);

#endif
