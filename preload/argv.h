/* SPDX-License-Identifier: MIT */
/*
 * The argv this process was started with, as the kernel shows it in
 * /proc/self/cmdline: the vector that main was given may by now point anywhere.
 */
#ifndef T2_PRELOAD_ARGV_H
#define T2_PRELOAD_ARGV_H

#include "preload/pool.h"

struct t2_argv {
	const char *const *vector; /* NULL-terminated, at least one entry */
	struct t2_block block;
	const char *fallback[2];
};

/*
 * Learn where the kernel put its text, from the vector on the initial stack (see
 * t2_auxv_learn()). What is read later is what stands there by then.
 * Context: constructor.
 */
void t2_argv_learn(int argc, char **argv);

/*
 * Read it; where the kernel does not tell, it is {@name}. The caller releases
 * it, and keeps @argv where it is until then.
 * Context: any.
 */
void t2_argv_read(struct t2_argv *argv, const char *name, const void *owner);

/* An empty @argv is fine. Context: any. */
void t2_argv_release(struct t2_argv *argv);

/*
 * The vector for the NUL-separated @len bytes at @text, written into @vector,
 * which has room for @cap pointers with the last NULL. Returns how many it
 * needs.
 * Context: any.
 */
size_t t2_argv_split(const char *text, size_t len, const char **vector, size_t cap);

#endif
