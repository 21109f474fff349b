/* SPDX-License-Identifier: MIT */
/*
 * The vforked child overwrites 4 KiB of stack below its caller's frame and then
 * executes. Confirms: nothing that the parent needs later lies there, as a frame
 * of a wrapper would.
 */
#include "victim.h"

static __attribute__((noinline)) void overwrite(int depth)
{
	volatile char room[4096];
	size_t i;

	for (i = 0; i < sizeof(room); i++)
		room[i] = (char)0xA5;
	if (depth > 0)
		overwrite(depth - 1);
	room[0] = 0;
}

static __attribute__((noinline)) pid_t spawn(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		overwrite(3);
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	return pid;
}

int main(void)
{
	volatile long canary = 0x5AA55AA5;
	int i;

	for (i = 0; i < 3; i++)
		victim_reap(spawn(), 3);
	CHECK(canary == 0x5AA55AA5);
	return 0;
}
