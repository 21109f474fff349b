/* SPDX-License-Identifier: MIT */
/*
 * Every name of the wait family, with and without a place for the status: peeked
 * at and reaped, nothing there yet, stopped and continued. Confirms: one
 * child_exit per child, at the reap, and never for a peek, a stop or a continue.
 */
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "victim.h"

extern pid_t __wait(int *status);
extern pid_t __waitpid(pid_t pid, int *status, int options);

static pid_t child(int code)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(code);
	CHECK(pid > 0);
	return pid;
}

static void reap_by_every_name(void)
{
	struct rusage usage;
	siginfo_t info;
	int status;
	int fd;
	pid_t pid;

	pid = child(1);
	CHECK(wait(&status) == pid && WEXITSTATUS(status) == 1);
	pid = child(2);
	CHECK(__wait(NULL) == pid);
	pid = child(3);
	CHECK(__waitpid(pid, NULL, 0) == pid);
	pid = child(4);
	CHECK(wait3(&status, 0, &usage) == pid && WEXITSTATUS(status) == 4);
	pid = child(5);
	CHECK(wait3(NULL, 0, NULL) == pid);
	pid = child(6);
	CHECK(wait4(pid, &status, 0, NULL) == pid && WEXITSTATUS(status) == 6);
	pid = child(7);
	CHECK(waitid(P_ALL, 0, &info, WEXITED) == 0 && info.si_status == 7);
	pid = child(8);
	CHECK(waitid(P_PID, (id_t)pid, NULL, WEXITED) == 0);
	pid = child(9);
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	CHECK(waitid(P_PIDFD, (id_t)fd, &info, WEXITED) == 0 && info.si_pid == pid);
	close(fd);
}

static void peek_then_reap(void)
{
	siginfo_t info;
	pid_t pid = child(10);

	CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
	CHECK(info.si_pid == pid && info.si_status == 10);
	CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
	victim_reap(pid, 10);
}

static void stop_continue_kill(void)
{
	siginfo_t info = {0};
	int status;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	CHECK(waitpid(pid, &status, WNOHANG) == 0);
	CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG) == 0 && info.si_pid == 0);
	CHECK(kill(pid, SIGSTOP) == 0);
	CHECK(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
	CHECK(kill(pid, SIGCONT) == 0);
	CHECK(waitid(P_PID, (id_t)pid, &info, WCONTINUED) == 0);
	CHECK(info.si_code == CLD_CONTINUED);
	CHECK(kill(pid, SIGKILL) == 0);
	CHECK(waitpid(pid, &status, 0) == pid && WTERMSIG(status) == SIGKILL);
}

int main(void)
{
	reap_by_every_name();
	peek_then_reap();
	stop_continue_kill();
	errno = 0;
	CHECK(wait(NULL) == -1 && errno == ECHILD);
	CHECK(waitpid(-1, (int *)8, WNOHANG) == -1 && errno == ECHILD);
	CHECK(waitpid(-1, NULL, 0x40000) == -1 && errno == EINVAL);
	return 0;
}
