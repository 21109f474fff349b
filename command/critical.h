/* SPDX-License-Identifier: MIT */
#ifndef T2_COMMAND_CRITICAL_H
#define T2_COMMAND_CRITICAL_H

#include "command/view.h"

/* The gating chain and the serial stretches in at most four lines, for people, and a blank line
 * before them; nothing where there is no chain. */
void t2_critical_print_short(const struct t2_view *view, FILE *out);

/* A process as a chain calls it: with the file it is about. */
void t2_critical_name(const struct t2_view *view, uint32_t id, char *out, size_t size);

#endif
