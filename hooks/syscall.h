/* SPDX-License-Identifier: MIT */
/*
 * What syscall_<arch>.S asks.
 */
#ifndef T2_HOOKS_SYSCALL_H
#define T2_HOOKS_SYSCALL_H

/*
 * The function that is to do the system call whose number and first five
 * arguments are at @args. It is jumped to with the caller's own arguments.
 * Context: any.
 */
void *t2_syscall_gate(const long *args) __attribute__((visibility("hidden")));

#endif
