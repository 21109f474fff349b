/* SPDX-License-Identifier: MIT */
/*
 * What a command is called, where like is to be counted with like.
 *
 * All of them write at most @size bytes with a NUL to @out and return the length
 * that all of it has, as snprintf() does. Names are never empty: "?" is a process
 * of which nothing is known.
 */
#ifndef T2_COMMAND_KEY_H
#define T2_COMMAND_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct t2_process;

/*
 * The base name of the program, and the subcommand where the program is many:
 * "git status", "cargo build", "python -m pip", "cmake -E copy", "cmake --build".
 * A script is called by its own name and not its interpreter's: "configure".
 */
size_t t2_key_name(const struct t2_process *process, char *out, size_t size);

/*
 * The same with the file that a compiler, assembler, linker or archiver makes, as -o
 * names it: "gcc src/io/sock.o"; or with the first that it reads: "cc1
 * src/io/sock.c". Where there is none, or it is a temporary one, the other; the
 * name alone if there is neither, and for all other programs. With cargo it is the
 * crate, both of rustc and of a build script: "rustc serde".
 */
size_t t2_key_output(const struct t2_process *process, char *out, size_t size);
size_t t2_key_source(const struct t2_process *process, char *out, size_t size);

/* Make "cc1 src/io/sock.c" of the two above "cc1 sock.c", for where there is little room.
 * Returns @name. */
char *t2_key_without_directory(char *name);

/* The arguments joined with blanks, quoted as a shell needs them. */
size_t t2_key_command(const struct t2_process *process, char *out, size_t size);

/* The name and the file of a compiler with an ellipsis between, for t2_text_elide_or(); empty
 * for others. */
size_t t2_key_brief(const struct t2_process *process, bool is_unicode, char *out, size_t size);

/*
 * The same in at most @columns, for a line of text: harmless for a terminal, and cut in the
 * middle where it is longer. A compiler, whose arguments tell little when they are cut, is
 * then its name and its file: "cc1 ... src/io/sock.c".
 */
size_t t2_key_line(const struct t2_process *process, unsigned columns, bool is_unicode, char *out,
		   size_t size);

/*
 * The arguments with all that differs from run to run folded: temporary names,
 * numbers of processes, hashes, times, and @prefix, the directory where the build is
 * (NULL: none), at the front of paths. Equal for equal work in two traces.
 */
size_t t2_key_normal(const struct t2_process *process, const char *prefix, char *out, size_t size);

/*
 * A hash of t2_key_normal(), of any length, and of @seed: the hash of the parent,
 * where the same command under other ancestors is another one.
 */
uint64_t t2_key_hash(const struct t2_process *process, const char *prefix, uint64_t seed);

#endif
