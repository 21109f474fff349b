/* SPDX-License-Identifier: MIT */
/*
 * A constructor of the program executes the program anew, as wrappers that set a
 * personality or an environment do; main of the first image is never reached.
 * Confirms: both images are told, the first one although it never began.
 */
#include "victim.h"

__attribute__((constructor)) static void execute(int argc, char **argv)
{
	if (argc == 1)
		execl("/proc/self/exe", argv[0], "again", (char *)NULL);
}

int main(int argc, char **argv)
{
	(void)argv;
	return argc == 2 ? 3 : VICTIM_FAILED;
}
