/* SPDX-License-Identifier: MIT */
/*
 * Prints its environment, without LD_PRELOAD unless asked by "all", from itself
 * and from a constructor. Confirms: what the program sees is what was passed.
 */
#include "victim.h"

extern char **environ;

static void print_all(const char *when, int with_preload)
{
	char **variable;

	for (variable = environ; variable && *variable; variable++)
		if (with_preload || strncmp(*variable, "LD_PRELOAD=", 11) != 0)
			printf("%s %s\n", when, *variable);
}

__attribute__((constructor)) static void early(int argc, char **argv)
{
	print_all("early", argc > 1 && strcmp(argv[1], "all") == 0);
}

int main(int argc, char **argv)
{
	(void)argc;
	print_all("main", victim_asked(argv, "all"));
	return 0;
}
