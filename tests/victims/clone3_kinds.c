/* SPDX-License-Identifier: MIT */
/*
 * Has children by clone3: with a descriptor, as a child of its own parent, and with
 * handlers taken away. Confirms: each is what was asked for, and is reaped by whoever
 * it belongs to.
 */
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "victim.h"

#ifndef CLONE_CLEAR_SIGHAND
#define CLONE_CLEAR_SIGHAND 0x100000000ULL
#endif

static void handler(int signo)
{
	_exit(signo);
}

static pid_t clone3(struct clone_args *args)
{
	return (pid_t)syscall(SYS_clone3, args, sizeof(*args));
}

static void with_descriptor(void)
{
	char *argv[] = {"sh", "-c", "exit 3", NULL};
	int fd = -1;
	struct clone_args args = {
		.flags = CLONE_PIDFD, .pidfd = (uint64_t)(uintptr_t)&fd, .exit_signal = SIGCHLD};
	pid_t pid = clone3(&args);
	siginfo_t info = {0};

	if (pid == 0) {
		execv("/bin/sh", argv);
		_exit(99);
	}
	CHECK(pid > 0 && fd >= 0);
	CHECK(waitid(P_PIDFD, (id_t)fd, &info, WEXITED | WNOWAIT) == 0 && info.si_status == 3);
	CHECK(waitid(P_PIDFD, (id_t)fd, &info, WEXITED) == 0 && info.si_pid == pid);
	CHECK(waitid(P_PIDFD, (id_t)fd, &info, WEXITED) < 0 && errno == ECHILD);
	close(fd);
}

/* A sibling of the process that makes it, and ours to reap. */
static void of_the_parent(void)
{
	struct clone_args args = {.flags = CLONE_PARENT};
	int status, sum = 0;
	pid_t pid = fork();

	if (pid == 0) {
		pid = clone3(&args);
		if (pid == 0)
			_exit(5);
		_exit(pid > 0 ? 4 : 99);
	}
	victim_reap(pid, 4);
	while (waitpid(-1, &status, __WALL) > 0)
		sum += status;
	CHECK(sum == 5 << 8);
}

static void without_handlers(void)
{
	struct clone_args args = {.flags = CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD};
	int status;
	pid_t pid;

	signal(SIGUSR1, handler);
	pid = clone3(&args);
	if (pid == 0) {
		raise(SIGUSR1);
		_exit(99);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
	CHECK(WTERMSIG(status) == SIGUSR1);
}

int main(void)
{
	with_descriptor();
	of_the_parent();
	without_handlers();
	puts("done");
	return 0;
}
