/* SPDX-License-Identifier: MIT */
/*
 * Enters the strict sandbox, in which only read, write and exit are allowed, and
 * leaves it alive. Confirms: no system call of ours kills a program that has shut
 * itself in.
 */
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "victim.h"

int main(void)
{
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
	if (write(STDOUT_FILENO, "inside\n", 7) != 7)
		syscall(SYS_exit, 1);
	syscall(SYS_exit, 5);
}
