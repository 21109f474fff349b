/* SPDX-License-Identifier: MIT */
/*
 * Whether anybody reads what is going to be printed: `t2 tree | head` is done when
 * head is, and a large file need not be read to its end for nothing.
 */
#ifndef T2_COMMAND_OUTPUT_H
#define T2_COMMAND_OUTPUT_H

#include <stdbool.h>

/* From now on nothing counts but what arrives on standard output. */
void t2_output_watch(void);

/* Whether it is watched and its reader is gone. */
bool t2_output_is_over(void);

/* End without a word as a process that writes to a pipe without a reader: by SIGPIPE,
 * also where that was ignored. */
_Noreturn void t2_output_end(void);

/* Whether somebody may be waiting for the first lines: a pipe or a terminal. */
bool t2_output_is_followed(void);

/* Let what was printed go on its way, before all is. */
void t2_output_flush(void);

/* Whether some of it went into a pipe: who shows it there may share our terminal. */
bool t2_output_has_left(void);

#endif
