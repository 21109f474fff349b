/* SPDX-License-Identifier: MIT */
/*
 * A subcommand of t2. An ordinary program: heap and stdio are welcome.
 */
#ifndef T2_COMMAND_COMMAND_H
#define T2_COMMAND_COMMAND_H

#include <stdbool.h>

/* Exit statuses that are t2's own, as those of env(1) and timeout(1). */
#define T2_EXIT_TROUBLE 125	 /* before the command was started */
#define T2_EXIT_NOT_EXECUTED 126 /* it was found but could not be executed */
#define T2_EXIT_NOT_FOUND 127

struct t2_command {
	const char *name;
	const char *summary; /* one line for t2 --help */
	const char *help;    /* the whole of t2 NAME --help */
	bool has_command;    /* runs another one, whose --help is not ours */
	/* argv[0] is "t2 NAME". Returns the exit status. */
	int (*run)(int argc, char **argv);
};

/* All of them, ended by one without a name. */
extern const struct t2_command *const t2_commands[];

#endif
