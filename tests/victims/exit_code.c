/* SPDX-License-Identifier: MIT */
/*
 * Calls exit with the code it was given. Confirms: the code of exit and atexit,
 * masked as the kernel masks it.
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
	exit(argc > 1 ? atoi(argv[1]) : 0);
}
