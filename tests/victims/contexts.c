/* SPDX-License-Identifier: MIT */
/*
 * Coroutines on stacks of their own, which switch in the middle of having children.
 * Confirms: nothing of ours takes calls to return in the order they were made, or
 * stacks to be those of threads.
 */
#include <ucontext.h>

#include "victim.h"

#define NR 4

static ucontext_t contexts[NR], scheduler;
static char stacks[NR][65536] __attribute__((aligned(16)));
static int nr_ended;

static void live(int index)
{
	int round;

	for (round = 0; round < 3; round++) {
		pid_t pid = fork();

		if (pid == 0) {
			if (round == 1)
				execl("/bin/sh", "sh", "-c", "exit 20", (char *)NULL);
			_exit(20 + index * (round != 1));
		}
		swapcontext(&contexts[index], &scheduler);
		victim_reap(pid, 20 + index * (round != 1));
		CHECK(system("exit 3") == 3 << 8);
	}
	nr_ended++;
}

int main(void)
{
	int round;
	int i;

	for (i = 0; i < NR; i++) {
		CHECK(getcontext(&contexts[i]) == 0);
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = sizeof(stacks[i]);
		contexts[i].uc_link = &scheduler;
		makecontext(&contexts[i], (void (*)(void))live, 1, i);
	}
	for (round = 0; round < 4; round++)
		for (i = NR; i > 0; i--)
			CHECK(swapcontext(&scheduler, &contexts[i - 1]) == 0);
	CHECK(nr_ended == NR);
	return 0;
}
