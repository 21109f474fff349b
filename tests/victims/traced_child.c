/* SPDX-License-Identifier: MIT */
/*
 * Is a debugger: traces a child that has children and executes, and counts what it is
 * stopped for. Confirms: forks, vforks, execs and ends are as many and of the same
 * kind, and stops are not taken for ends.
 */
#include <signal.h>
#include <sys/ptrace.h>

#include "victim.h"

static void be_traced(void)
{
	char *argv[] = {"true", NULL};
	pid_t pid;

	CHECK(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
	raise(SIGSTOP);
	pid = vfork();
	if (pid == 0) {
		execv("/bin/true", argv);
		_exit(99);
	}
	victim_reap(pid, 0);
	pid = fork();
	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	execv("/bin/true", argv);
	_exit(99);
}

int main(void)
{
	int nr_events[16] = {0}, status;
	pid_t pid = fork(), stopped;

	if (pid == 0)
		be_traced();
	CHECK(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	if (ptrace(PTRACE_SETOPTIONS, pid, 0,
		   PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE |
			   PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT) != 0)
		return 77;
	ptrace(PTRACE_CONT, pid, 0, 0);
	while ((stopped = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			if (stopped == pid)
				nr_events[status >> 16 & 15]++;
			ptrace(PTRACE_CONT, stopped, 0, 0);
		} else if (stopped == pid) {
			printf("end %x\n", (unsigned)status);
		}
	}
	for (int event = 1; event < 8; event++)
		printf("event %d: %d\n", event, nr_events[event]);
	return 0;
}
