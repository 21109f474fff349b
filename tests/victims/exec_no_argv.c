/* SPDX-License-Identifier: MIT */
/*
 * Executes itself with an empty argv, for which the kernel puts one empty string.
 * Confirms: start still has one argument, as readers demand.
 */
#include "victim.h"

extern char **environ;

int main(int argc, char **argv)
{
	char *none[] = {NULL};

	if (argv[0] && *argv[0]) {
		execve("/proc/self/exe", none, environ);
		return VICTIM_FAILED;
	}
	printf("%d\n", argc);
	return 3;
}
