/* SPDX-License-Identifier: MIT */
/*
 * The syntax of git's configuration files.
 *
 * A text is decoded in its own memory: what a name or a value decodes to is never
 * longer than what stands there.
 */
#ifndef T2_PRELOAD_GITSYNTAX_H
#define T2_PRELOAD_GITSYNTAX_H

#include <stddef.h>

/* Where what is found goes to. */
struct t2_gitsyntax {
	char *key; /* memory to put a key together in; longer ones are left out */
	size_t key_size;
	/* "section.subsection.name", section and name in lower case, and its
	 * value, or NULL for a key without "="; both only for the call. */
	void (*take)(void *arg, const char *key, const char *value);
	void *arg;
};

/*
 * Take the @len bytes at @text apart, which are changed; one more byte behind
 * them is written to. Returns 0, or the number of the line at which git would end.
 * Context: any.
 */
unsigned t2_gitsyntax_parse(const struct t2_gitsyntax *to, char *text, size_t len);

#endif
