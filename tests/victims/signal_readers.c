/* SPDX-License-Identifier: MIT */
/*
 * Blocks all signals and reads them, from a descriptor and by waiting; then a child
 * lets one through that it does not handle. Confirms: signals that would end the
 * process are there to be read, with who sent them, and kill when they may.
 */
#include <signal.h>
#include <sys/signalfd.h>

#include "victim.h"

int main(void)
{
	struct signalfd_siginfo read_info;
	struct timespec now = {0, 0};
	siginfo_t info;
	sigset_t all, none;
	int fd, status;
	pid_t pid;

	sigfillset(&all);
	sigemptyset(&none);
	CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
	fd = signalfd(-1, &all, SFD_CLOEXEC);
	CHECK(fd >= 0);
	pid = fork();
	if (pid == 0)
		_exit(2);
	CHECK(read(fd, &read_info, sizeof(read_info)) == sizeof(read_info));
	CHECK(read_info.ssi_signo == SIGCHLD && (pid_t)read_info.ssi_pid == pid);
	CHECK(read_info.ssi_status == 2);
	victim_reap(pid, 2);
	CHECK(sigtimedwait(&all, &info, &now) < 0 && errno == EAGAIN);
	kill(getpid(), SIGTERM);
	CHECK(read(fd, &read_info, sizeof(read_info)) == sizeof(read_info));
	CHECK(read_info.ssi_signo == SIGTERM && (pid_t)read_info.ssi_pid == getpid());
	kill(getpid(), SIGHUP);
	CHECK(sigwaitinfo(&all, &info) == SIGHUP && info.si_pid == getpid());
	pid = fork();
	if (pid == 0) {
		kill(getpid(), SIGINT);
		sigsuspend(&none);
		_exit(99);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == SIGINT);
	puts("done");
	return 0;
}
