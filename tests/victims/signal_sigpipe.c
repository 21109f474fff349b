/* SPDX-License-Identifier: MIT */
/*
 * Writes to a pipe that nobody reads. Confirms: death by SIGPIPE, which is what
 * git itself reports, and the event before it.
 */
#include "victim.h"

int main(void)
{
	int ends[2];

	CHECK(pipe(ends) == 0);
	close(ends[0]);
	CHECK(write(ends[1], "x", 1) == 1);
	return VICTIM_FAILED;
}
