/* SPDX-License-Identifier: MIT */
/*
 * Returns from main. Confirms: the events of a start and of an end in their
 * order, argv as received, the code.
 */
#include <stdio.h>

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		printf("[%s]\n", argv[i]);
	return 0;
}
