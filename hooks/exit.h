/* SPDX-License-Identifier: MIT */
/*
 * How a process ends.
 */
#ifndef T2_HOOKS_EXIT_H
#define T2_HOOKS_EXIT_H

/*
 * Register the handlers that run after all others.
 * Context: constructor.
 */
void t2_exit_init(void);

/* main has returned, or exit() was called, with @status. Context: any. */
void t2_exit_noted(int status);

/* The process ends now, without handlers, with @status. Context: any. */
void t2_exit_told(int status);

/* The same for a call that will not return. Context: any. */
void t2_exit_now(int status);

#endif
