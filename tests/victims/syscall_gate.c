/* SPDX-License-Identifier: MIT */
/*
 * The same calls through syscall(): fork, vfork, clone, execve, wait4, waitid,
 * exit_group. Confirms: the gate changes nothing, and the children are seen.
 */
#include <signal.h>
#include <sys/syscall.h>

#include "victim.h"

extern char **environ;

static pid_t gate_fork(void)
{
#ifdef SYS_fork
	return (pid_t)syscall(SYS_fork);
#else
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif
}

/*
 * Through a function vfork is only possible if the child's next call leaves the
 * return address where the parent may resume as well: right behind both calls.
 */
static __attribute__((noinline)) pid_t gate_vfork(void)
{
	pid_t pid = 0;

#if defined(__x86_64__)
	__asm__ volatile("push %%rbp\n\t"
			 "mov %%rsp, %%rbp\n\t"
			 "sub $128, %%rsp\n\t" /* the red zone */
			 "and $-16, %%rsp\n\t"
			 "mov %[vfork], %%edi\n\t"
			 "xor %%eax, %%eax\n\t"
			 "call syscall@PLT\n\t"
			 "test %%eax, %%eax\n\t"
			 "jnz 1f\n\t"
			 "mov %[exit_group], %%edi\n\t"
			 "mov $5, %%esi\n\t"
			 "xor %%eax, %%eax\n\t"
			 "call syscall@PLT\n"
			 "1:\n\t"
			 "mov %%rbp, %%rsp\n\t"
			 "pop %%rbp"
			 : "+a"(pid)
			 : [vfork] "i"(SYS_vfork), [exit_group] "i"(SYS_exit_group)
			 : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "memory", "cc");
#else
	pid = gate_fork();
	if (pid == 0)
		syscall(SYS_exit_group, 5);
#endif
	return pid;
}

int main(void)
{
	const char *argv[] = {"sh", "-c", "exit 3", NULL};
	siginfo_t info = {0};
	int status = 0;
	pid_t pid = gate_fork();

	if (pid == 0) {
		syscall(SYS_execve, "/bin/sh", argv, environ);
		syscall(SYS_exit_group, VICTIM_FAILED);
	}
	CHECK(syscall(SYS_wait4, pid, &status, 0, NULL) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		syscall(SYS_exit_group, 4);
	CHECK(syscall(SYS_waitid, P_PID, pid, &info, WEXITED, NULL) == 0);
	CHECK(info.si_code == CLD_EXITED && info.si_status == 4);
	victim_reap(gate_vfork(), 5);
	CHECK(syscall(SYS_wait4, -1, NULL, 0, NULL) == -1 && errno == ECHILD);
	syscall(SYS_exit_group, 6);
}
