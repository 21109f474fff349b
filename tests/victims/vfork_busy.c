/* SPDX-License-Identifier: MIT */
/*
 * A vforked child does all that spawn libraries do before they execute: asks for
 * and resets every signal, closes descriptors, redirects, searches PATH by hand.
 * Confirms: none of it reaches the parent's state, and one child is announced.
 */
#include <fcntl.h>
#include <signal.h>

#include "victim.h"

static void own(int signo)
{
	(void)signo;
}

static __attribute__((noinline)) pid_t spawn(void)
{
	static const char *const places[] = {"/nonexistent/sh", "/etc/passwd/sh", "/sh", "/bin/sh"};
	struct sigaction action;
	size_t i;
	int signo;
	pid_t pid = vfork();

	if (pid != 0)
		return pid;
	for (signo = 1; signo < NSIG; signo++)
		if (sigaction(signo, NULL, &action) == 0 && action.sa_handler == own)
			signal(signo, SIG_DFL);
	close_range(3, ~0U, 0);
	CHECK(dup2(STDERR_FILENO, STDOUT_FILENO) == STDOUT_FILENO);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		execl(places[i], "sh", "-c", "exit 3", (char *)NULL);
	_exit(VICTIM_FAILED);
}

int main(void)
{
	struct sigaction action;
	int fd = open("/dev/null", O_RDONLY);

	CHECK(signal(SIGTERM, own) == SIG_DFL && signal(SIGUSR1, own) == SIG_DFL);
	victim_reap(spawn(), 3);
	CHECK(sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == own);
	CHECK(fcntl(fd, F_GETFD) == 0);
	puts("still on stdout");
	return 0;
}
