/* SPDX-License-Identifier: MIT */
/*
 * Has used up its address space before its first child; then has three, at once: one
 * that executes, where there is room again, one that ends by itself, one that is
 * killed. Confirms: it has them all the same, and who began is who ended.
 */
#include <signal.h>
#include <sys/resource.h>

#include "victim.h"

#define NR 3

static void set_limit(rlim_t bytes)
{
	struct rlimit limit;

	CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
	limit.rlim_cur = bytes;
	CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

static void be_child(int nr)
{
	if (nr == 0) {
		set_limit(RLIM_INFINITY);
		execl("/bin/true", "true", NULL);
	}
	if (nr == 1)
		_exit(3);
	raise(SIGKILL);
}

int main(void)
{
	int expected[NR] = {0, 3 << 8, SIGKILL}, status;
	pid_t pids[NR];

	set_limit(4096);
	for (int nr = 0; nr < NR; nr++) {
		pids[nr] = fork();
		CHECK(pids[nr] >= 0);
		if (pids[nr] == 0)
			be_child(nr);
	}
	for (int nr = NR; nr-- > 0;)
		CHECK(waitpid(pids[nr], &status, 0) == pids[nr] && status == expected[nr]);
	return 0;
}
