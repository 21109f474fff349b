/* SPDX-License-Identifier: MIT */
/*
 * The list of subcommands; the only file that names them together.
 */
#include "command/command.h"

#include <stddef.h>

/* In the order of t2 --help. Each is t2_command_NAME, at the end of command/NAME.c. */
#define COMMANDS(ROW)                                                                              \
	ROW(run)                                                                                   \
	ROW(record)                                                                                \
	ROW(check)                                                                                 \
	ROW(critical)                                                                              \
	ROW(diff)                                                                                  \
	ROW(export)                                                                                \
	ROW(failures)                                                                              \
	ROW(region)                                                                                \
	ROW(report)                                                                                \
	ROW(top)                                                                                   \
	ROW(tree)

#define DECLARE(name) extern const struct t2_command t2_command_##name;
COMMANDS(DECLARE)

#define ADDRESS(name) &t2_command_##name,
const struct t2_command *const t2_commands[] = {COMMANDS(ADDRESS) NULL};
