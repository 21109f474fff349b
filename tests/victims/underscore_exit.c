/* SPDX-License-Identifier: MIT */
/*
 * Leaves through _exit or _Exit. Confirms: exit and atexit are told although no
 * handler runs, and what stdio holds is not written because of us.
 */
#include <signal.h>

#include "victim.h"

static void never(void)
{
	_exit(VICTIM_FAILED);
}

int main(int argc, char **argv)
{
	(void)argc;
	CHECK(atexit(never) == 0);
	printf("lost, because nobody flushes it");
	if (victim_asked(argv, "_Exit"))
		_Exit(4);
	_exit(3);
}
