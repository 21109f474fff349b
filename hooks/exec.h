/* SPDX-License-Identifier: MIT */
/*
 * One policy for all the calls that replace the image.
 */
#ifndef T2_HOOKS_EXEC_H
#define T2_HOOKS_EXEC_H

#include <stdbool.h>

/* Which real function is called, and with which of the arguments below. */
enum t2_exec_kind {
	T2_EXEC_PATH,	  /* execve(name, argv, envp) */
	T2_EXEC_SEARCH,	  /* execvpe(name, argv, envp) */
	T2_EXEC_FD,	  /* fexecve(fd, argv, envp) */
	T2_EXEC_AT,	  /* execveat(fd, name, argv, envp, flags) */
	T2_EXEC_PATH_RAW, /* syscall(SYS_execve) */
	T2_EXEC_AT_RAW,	  /* syscall(SYS_execveat) */
};

struct t2_exec {
	enum t2_exec_kind kind;
	int fd;
	const char *name;
	char *const *argv;
	char *const *envp;
	int flags;
};

/*
 * Do what the host asked for, as the host's own call would: returns only if it
 * failed, with -1 and the real function's errno.
 * Context: any.
 */
int t2_exec(const struct t2_exec *exec);

#endif
