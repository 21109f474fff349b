/* SPDX-License-Identifier: MIT */
/*
 * What the verbs of calls.c share, and those that are in files of their own.
 */
#ifndef T2_REALWORLD_CALLS_H
#define T2_REALWORLD_CALLS_H

#include <sys/types.h>

extern char **environ;

/* A command that ends with status 3. */
extern char *const exit_3[];

/* Wait for one child and say how it ended. */
void reap(pid_t pid);

/* calls_threads.c: processes that threads make, replace and end. */
void do_threads(void);
void do_thread_exec(void);
void do_thread_exit(void);
void do_orphaned_thread_exec(void);
void do_main_thread_ends_first(void);
void do_fork_in_thread_child_threads(void);

/* calls_ends.c: exits, and death by a signal. */
void do_exits(void);
void do_exit_handler(void);
void do_signals(void);
void do_one_shot(void);
void do_faults(void);
void do_session_signal(void);

#endif
