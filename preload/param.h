/* SPDX-License-Identifier: MIT */
/*
 * What the user wants to see of configuration and environment in a trace
 *.
 *
 * Of configuration only what the system's and the user's files say: a
 * repository's we do not know. And only in the first process of a tree, the one
 * that reads them; the variables are each process's own.
 */
#ifndef T2_PRELOAD_PARAM_H
#define T2_PRELOAD_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/config.h"
#include "preload/pool.h"

struct t2_param {
	const char *scope;
	const char *name;
	const char *value; /* NULL: a key without one */
};

struct t2_params {
	struct t2_param *list;
	size_t nr;
	struct t2_block block; /* of both the list and its texts */
};

/*
 * Collect what the settings ask for, configuration first. What does not fit is
 * counted in a last one, "t2shim.dropped". Values of variables stay where they
 * are, in @envp. The caller releases it.
 * Context: constructor.
 */
void t2_params_collect(struct t2_params *params, const struct t2_config *config, char *const *envp,
		       const void *owner);

/* Empty ones are fine. Context: any. */
void t2_params_release(struct t2_params *params);

/*
 * Whether @key matches the shell pattern of @len bytes at @pattern, upper and
 * lower case being the same: '*', '?', '[a-z]', '[!a-z]', and a backslash before
 * any of them.
 * Context: any.
 */
bool t2_param_matches(const char *key, const char *pattern, size_t len);

#endif
