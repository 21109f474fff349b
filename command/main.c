/* SPDX-License-Identifier: MIT */
/*
 * t2: the command around the shim.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/output.h"
#include "preload/version.h"

extern const struct t2_command t2_command_run;

static void print_usage(FILE *out)
{
	fputs("usage: t2 [OPTION]... [--] PROGRAM [ARGUMENT...]\n"
	      "       t2 COMMAND [ARGUMENT...]\n\n"
	      "The first form is t2 run: it records PROGRAM and every process below it.\n\n"
	      "Commands:\n",
	      out);
	for (const struct t2_command *const *command = t2_commands; *command; command++)
		fprintf(out, "  %-10s %s\n", (*command)->name, (*command)->summary);
	fputs("\nt2 COMMAND --help tells more. t2 --version prints the version.\n", out);
}

/* What was printed must have arrived: a full disk is an error, a reader that has seen
 * enough is none. */
static int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		if (errno == EPIPE || t2_output_is_over())
			t2_output_end();
		perror("t2: cannot write to standard output");
		return T2_EXIT_TROUBLE;
	}
	return status;
}

/* What comes before a command of the user's only its own parser can tell. */
static bool wants_help(const struct t2_command *command, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
		if (command->has_command)
			break;
	}
	return false;
}

static int run(const struct t2_command *command, int argc, char **argv)
{
	char who[64];

	if (wants_help(command, argc, argv)) {
		fputs(command->help, stdout);
		return finish(EXIT_SUCCESS);
	}
	/* What getopt() complains as. */
	snprintf(who, sizeof(who), "t2 %s", command->name);
	argv[0] = who;
	if (command != &t2_command_run)
		t2_output_watch();
	return finish(command->run(argc, argv));
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_usage(stderr);
		return T2_EXIT_TROUBLE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_usage(stdout);
		return finish(EXIT_SUCCESS);
	}
	if (!strcmp(argv[1], "--version")) {
		puts("t2 " T2_VERSION);
		return finish(EXIT_SUCCESS);
	}
	for (const struct t2_command *const *command = t2_commands; *command; command++) {
		if (!strcmp(argv[1], (*command)->name))
			return run(*command, argc - 1, argv + 1);
	}
	/* "t2 -- make", "t2 --live make": t2 run. */
	if (*argv[1] == '-')
		return run(&t2_command_run, argc, argv);
	fprintf(stderr, "t2: no such command: %s; t2 --help lists them, t2 -- PROGRAM runs one\n",
		argv[1]);
	return T2_EXIT_TROUBLE;
}
