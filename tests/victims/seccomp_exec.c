/* SPDX-License-Identifier: MIT */
/*
 * Forbids itself calls that hardly any program makes, on pain of death, and executes
 * itself; the new image has children that do so again, by fork and by spawn. Or a child
 * by vfork does it all, in its parent's memory. Confirms: a filter outlives an exec, so
 * what comes after it makes no system call of ours.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "victim.h"

#define FORBID(nr)                                                                                 \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),                                             \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

extern char **environ;

static void shut_in(bool by_syscall)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		FORBID(SYS_getcwd),
		FORBID(SYS_readlinkat),
		FORBID(SYS_getrusage),
		FORBID(SYS_faccessat),
		FORBID(SYS_pwrite64),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};

	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	if (by_syscall)
		CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
	else
		CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* By the raw call, by libc's, by spawn; in an environment as it is given. */
static void have_children(void)
{
	char *self = "/proc/self/exe";
	char *argv[] = {self, "leaf", NULL};
	pid_t pid;

	for (int i = 0; i < 2; i++) {
		pid = fork();
		if (pid == 0 && i == 0)
			syscall(SYS_execve, self, argv, environ);
		if (pid == 0)
			execv(self, argv);
		victim_reap(pid, 4);
	}
	CHECK(posix_spawn(&pid, self, NULL, NULL, argv, environ) == 0);
	victim_reap(pid, 4);
}

int main(int argc, char **argv)
{
	char *inside[] = {argv[0], "inside", NULL};

	if (victim_asked(argv, "leaf"))
		return 4;
	if (victim_asked(argv, "vfork")) {
		pid_t pid = vfork();

		if (pid == 0) {
			shut_in(false);
			execv("/proc/self/exe", inside);
			_exit(99);
		}
		victim_reap(pid, 0);
		/* Which binds only itself. */
		CHECK(system("exit 3") == 3 << 8);
		return 0;
	}
	if (!victim_asked(argv, "inside")) {
		shut_in(victim_asked(argv, "syscall"));
		execv("/proc/self/exe", inside);
	}
	for (char **entry = environ; *entry; entry++)
		CHECK(strncmp(*entry, "T2SHIM_", 7) != 0);
	have_children();
	puts("alive");
	return argc == 2 ? 0 : 1;
}
