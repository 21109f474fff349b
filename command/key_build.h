/* SPDX-License-Identifier: MIT */
/*
 * What the parts of command/key*.c share: how arguments are read, and names written.
 *
 *	key.c		the name of a command
 *	key_file.c	the file that a compiler makes or reads
 *	key_normal.c	the same work in two traces
 */
#ifndef T2_COMMAND_KEY_BUILD_H
#define T2_COMMAND_KEY_BUILD_H

#include "command/key.h"
#include "preload/buf.h"

#include <stdbool.h>

/* Where the arguments of a process are read. */
struct t2_key_args {
	const char *at; /* the next one; NULL: there is none */
	uint32_t nr;	/* from it on */
};

/* What a command is, after it has been looked through. */
struct t2_key_command {
	const char *name; /* not terminated */
	size_t len;
	const char *module;	 /* behind -m, or NULL */
	struct t2_key_args args; /* what follows */
};

/* The next argument, or NULL. */
const char *t2_key_next(struct t2_key_args *args);

/* The next that is no option; those in @with_value have the next argument for theirs. */
const char *t2_key_next_plain(struct t2_key_args *args, const char *with_value);

/* Whether the @len bytes at @word are one of the words, which have blanks between. */
bool t2_key_is_one_of(const char *word, size_t len, const char *words);

void t2_key_read(const struct t2_process *process, struct t2_key_command *command);

/* The name as t2_key_name() has it; a word with a blank before it, unless it is empty. */
void t2_key_put_name(struct t2_buf *buf, const struct t2_process *process);
void t2_key_put_word(struct t2_buf *buf, const char *word);

/* End @out, which @buf has filled. Returns the length all of it has. */
size_t t2_key_finish(struct t2_buf *buf, char *out, size_t size);

#endif
