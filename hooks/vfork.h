/* SPDX-License-Identifier: MIT */
/*
 * Calls that return twice on one stack, and so cannot be wrapped.
 */
#ifndef T2_HOOKS_VFORK_H
#define T2_HOOKS_VFORK_H

#include "preload/child.h"

/* A child that shares memory and stack is about to be made. Context: any. */
void t2_vfork_announce(enum t2_child_class child_class);

/* The same for vfork itself; returns the real one. Called from assembly. Context: any. */
void *t2_vfork_prepare(void) __attribute__((visibility("hidden")));

#endif
