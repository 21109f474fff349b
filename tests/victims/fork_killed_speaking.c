/* SPDX-License-Identifier: MIT */
/*
 * A forked child is killed the moment it, or the shell it executes, opens a file
 * to append to it: under a shim, when it is about to announce itself. Its
 * sandbox is made behind libc's back, so that nobody can step aside before.
 * Confirms: a child killed while it speaks is announced by its parent.
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "victim.h"

static long raw_prctl(long option, long a, long b)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = 0;
	register long r8 __asm__("r8") = 0;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(SYS_prctl), "D"(option), "S"(a), "d"(b), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = SYS_prctl;
	register long x0 __asm__("x0") = option;
	register long x1 __asm__("x1") = a;
	register long x2 __asm__("x2") = b;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	return x0;
#endif
}

static void die_when_appending(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_APPEND, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};

	CHECK(raw_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) == 0);
	CHECK(raw_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)(uintptr_t)&program) == 0);
}

int main(void)
{
	const struct rlimit no_core = {0, 0};
	int status;
	pid_t pid;

	CHECK(setrlimit(RLIMIT_CORE, &no_core) == 0);
	pid = fork();
	if (pid == 0) {
		die_when_appending();
		execl("/bin/sh", "sh", "-c", "echo >>file", NULL);
		_exit(VICTIM_FAILED);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
	return 0;
}
