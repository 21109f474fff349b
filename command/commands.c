/* SPDX-License-Identifier: MIT */
/*
 * The list of subcommands; the only file that names them together.
 */
#include "command/command.h"

#include <stddef.h>

extern const struct t2_command t2_command_check;
extern const struct t2_command t2_command_critical;
extern const struct t2_command t2_command_diff;
extern const struct t2_command t2_command_export;
extern const struct t2_command t2_command_failures;
extern const struct t2_command t2_command_record;
extern const struct t2_command t2_command_region;
extern const struct t2_command t2_command_report;
extern const struct t2_command t2_command_run;
extern const struct t2_command t2_command_top;
extern const struct t2_command t2_command_tree;

/* clang-format off */
const struct t2_command *const t2_commands[] = {
	&t2_command_run,
	&t2_command_record,
	&t2_command_check,
	&t2_command_critical,
	&t2_command_diff,
	&t2_command_export,
	&t2_command_failures,
	&t2_command_region,
	&t2_command_report,
	&t2_command_top,
	&t2_command_tree,
	NULL,
};
/* clang-format on */
