/* SPDX-License-Identifier: MIT */
/*
 * A child by clone() in the parent's memory, with thread-local storage that is
 * none: zeros, as Chromium's sandbox makes one to give up its root directory.
 * It may call what needs no storage, _exit() among them. Confirms: the child is
 * announced, and nothing of ours touches what it has not got.
 */
#include <limits.h>
#include <sched.h>
#include <signal.h>

#include "victim.h"

enum { SIZE = 65536 };

static char stack[SIZE] __attribute__((aligned(64)));
static char storage[SIZE] __attribute__((aligned(64)));

static int child(void *arg)
{
	(void)arg;
	_exit(7);
}

int main(void)
{
	pid_t pid = clone(child, stack + SIZE, CLONE_VM | CLONE_VFORK | CLONE_SETTLS | SIGCHLD,
			  NULL, NULL, storage + SIZE / 2, NULL);

	victim_reap(pid, 7);
	for (size_t i = 0; i < SIZE; i++)
		CHECK(!storage[i]);
	return 0;
}
