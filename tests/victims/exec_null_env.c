/* SPDX-License-Identifier: MIT */
/*
 * Executes with a NULL environment, which the kernel takes as an empty one.
 * Confirms: the next program sees no variable and is still recorded.
 */
#include "victim.h"

int main(void)
{
	char *argv[] = {(char[]){"env"}, NULL};

	execve("/usr/bin/env", argv, NULL);
	return VICTIM_FAILED;
}
