/* SPDX-License-Identifier: MIT */
/*
 * Forbids itself to open files or sockets, on pain of death, by prctl or ("syscall")
 * by the system call; then has a thread and a child and ends in the ordinary way. Confirms: no
 * system call of ours kills a program that has shut itself in.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "victim.h"

#define FORBID(nr)                                                                                 \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),                                             \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

static void *idle(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		FORBID(SYS_openat),
#ifdef SYS_open
		FORBID(SYS_open),
#endif
		FORBID(SYS_socket),
		FORBID(SYS_connect),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
	pthread_t thread;
	pid_t pid;

	(void)argc;
	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	if (victim_asked(argv, "syscall"))
		CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
	else
		CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	pid = fork();
	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	puts("alive");
	return 0;
}
