/* SPDX-License-Identifier: MIT */
/*
 * The start of the shim's life in a process, whoever comes first: our
 * constructor, a hook called by another library's constructor, or
 * __libc_start_main.
 */
#ifndef T2_HOOKS_START_H
#define T2_HOOKS_START_H

/*
 * Start once; later calls do nothing.
 * Context: constructor.
 */
void t2_start(char **argv, char **envp);

/*
 * The same for a hook that runs before our constructor: finds argv by itself.
 * Context: constructor (another library's).
 */
void t2_start_early(void);

#endif
