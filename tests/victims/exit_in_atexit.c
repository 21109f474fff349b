/* SPDX-License-Identifier: MIT */
/*
 * An exit handler calls exit again. Confirms: one exit event only, and the last
 * code wins.
 */
#include <stdio.h>
#include <stdlib.h>

static void leave_otherwise(void)
{
	puts("handler");
	exit(42);
}

int main(void)
{
	if (atexit(leave_otherwise) != 0)
		return 99;
	exit(7);
}
