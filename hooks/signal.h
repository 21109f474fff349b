/* SPDX-License-Identifier: MIT */
/*
 * Death by a signal, and the dispositions as the host is to see them.
 */
#ifndef T2_HOOKS_SIGNAL_H
#define T2_HOOKS_SIGNAL_H

#include <sys/types.h>

/*
 * Watch every signal that would end process @pid, ourselves, unless it was told
 * not to.
 * Context: constructor.
 */
void t2_signal_init(pid_t pid);

/*
 * Put SIG_DFL back wherever we stand in for it: for good, or, in a vfork child, where
 * only the dispositions are the caller's own.
 * Context: any.
 */
void t2_signal_withdraw(void);
void t2_signal_put_back(void);

/*
 * The system call rt_sigaction for @signo has succeeded, with @act and @old as they were
 * passed: show the host what it may see, and follow what it has changed.
 * Context: any.
 */
void t2_signal_called(int signo, const void *act, void *old);

#endif
