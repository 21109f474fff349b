/* SPDX-License-Identifier: MIT */
#ifndef T2_COMMAND_DIFF_PRINT_H
#define T2_COMMAND_DIFF_PRINT_H

#include "command/diff.h"
#include "command/table.h"

struct t2_options;

extern const struct t2_column t2_diff_columns[];

/* All of it on @out, as @options want it. Returns false without memory. */
bool t2_diff_print(const struct t2_diff_changes *changes, const struct t2_options *options,
		   FILE *out);

#endif
