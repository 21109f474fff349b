/* SPDX-License-Identifier: MIT */
/*
 * Falling silent before a process is confined.
 */
#ifndef T2_HOOKS_SECCOMP_H
#define T2_HOOKS_SECCOMP_H

#include "hooks/hook.h"

/* Before the call; false: nothing to do, and nothing to end. Context: any. */
bool t2_seccomp_begin(struct t2_guard *guard);

/* After it; @has_failed: go on as before. Makes no system call otherwise. Context: any. */
void t2_seccomp_end(struct t2_guard *guard, bool has_failed);

#endif
