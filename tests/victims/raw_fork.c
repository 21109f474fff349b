/* SPDX-License-Identifier: MIT */
/*
 * Has children by an instruction of its own, as the Go runtime and sandboxes do; they
 * execute, have children and threads themselves, and end by exit(). Confirms: who came
 * into being unseen lives as if we were not there, and is not taken for its parent.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "victim.h"

static pid_t raw_fork(void)
{
#if defined(__x86_64__)
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(SYS_clone), "D"(SIGCHLD), "S"(0), "d"(0)
			 : "rcx", "r11", "memory");
	return (pid_t)ret;
#else
	register long x8 __asm__("x8") = SYS_clone;
	register long x0 __asm__("x0") = SIGCHLD;
	register long x1 __asm__("x1") = 0, x2 __asm__("x2") = 0, x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	return (pid_t)x0;
#endif
}

static void *idle(void *unused)
{
	return unused;
}

static void live(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	pid = vfork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 4", NULL);
		_exit(99);
	}
	victim_reap(pid, 4);
	CHECK(system("exit 5") == 5 << 8);
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

int main(void)
{
	int status;
	pid_t pid = raw_fork();

	if (pid == 0) {
		live();
		exit(6);
	}
	victim_reap(pid, 6);
	pid = raw_fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 7", NULL);
		_exit(99);
	}
	victim_reap(pid, 7);
	pid = raw_fork();
	if (pid == 0)
		raise(SIGTERM);
	CHECK(waitpid(pid, &status, 0) == pid && status == SIGTERM);
	live();
	puts("done");
	return 0;
}
