/* SPDX-License-Identifier: MIT */
/*
 * No more address space, no more data: then children, handlers and the end. Confirms:
 * what we cannot have we do without.
 */
#include <signal.h>
#include <sys/resource.h>

#include "victim.h"

int main(void)
{
	struct rlimit none = {1 << 12, RLIM_INFINITY};
	struct sigaction action;
	int i;

	CHECK(setrlimit(RLIMIT_AS, &none) == 0 && setrlimit(RLIMIT_DATA, &none) == 0);
	for (i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(3);
		if (pid > 0)
			victim_reap(pid, 3);
		else
			CHECK(errno == ENOMEM);
		CHECK(sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	}
	return 0;
}
