/* SPDX-License-Identifier: MIT */
/*
 * What every hook begins and ends with.
 *
 * There is no re-entry flag: nothing we call while a guard is held can reach a
 * hook, because the core makes its own system calls. So a signal handler that
 * interrupts a hook is recorded like any other code, and a handler that jumps
 * out of one leaves nothing stuck.
 */
#ifndef T2_HOOKS_HOOK_H
#define T2_HOOKS_HOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "hooks/real.h"
#include "preload/emit.h"
#include "preload/thread.h"

/*
 * Define the interposed function @name. In C it is called t2_hook_<name>: under
 * its own name the compiler would believe what libc's header says of its
 * arguments and delete our checks.
 */
#define T2_HOOK(ret, name, args) T2_HOOK_AS(ret, name, #name, args)
#define T2_HOOK_AS(ret, name, symbol, args)                                                        \
	ret t2_hook_##name args __asm__(symbol) __attribute__((visibility("default")));            \
	ret t2_hook_##name args

/*
 * A name with two versions. Where the C library has only one, the hook has no
 * version either and catches all.
 */
#define T2_HOOK_VERSION(ret, name, suffix, version, args)                                          \
	ret t2_hook_##name##suffix args __attribute__((visibility("default")));                    \
	__asm__(".symver t2_hook_" #name #suffix ", " #name version);                              \
	ret t2_hook_##name##suffix args
#if T2_HAS_OLD_VERSIONS
#define T2_HOOK_NEW(ret, name, version, args) T2_HOOK_VERSION(ret, name, , "@@" version, args)
#define T2_HOOK_OLD(ret, name, version, args) T2_HOOK_VERSION(ret, name, _old, "@" version, args)
#else
#define T2_HOOK_NEW(ret, name, version, args) T2_HOOK(ret, name, args)
#endif

enum t2_state {
	T2_STATE_NEW,	   /* before the constructor */
	T2_STATE_STARTING, /* inside it */
	T2_STATE_OFF,	   /* nothing to do: no target, privileged, not our libc */
	T2_STATE_PASSIVE,  /* only hand ourselves on to children */
	T2_STATE_CONFINED, /* under seccomp: no system call of ours, here or below */
	T2_STATE_ON,
};

extern _Atomic enum t2_state t2_state;

struct t2_guard {
	struct t2_thread *thread;
	struct t2_stream *stream; /* the caller's own session; NULL: not one yet */
	pid_t pid;
	int saved_errno;
};

/*
 * Who calls? Returns false if there is nothing to record; the hook then calls
 * the next function and returns.
 * Context: any.
 */
bool t2_guard_enter(struct t2_guard *guard);

/* The caller's errno goes back in; that of the real function is kept. Context: any. */
void t2_guard_before_real(struct t2_guard *guard);
void t2_guard_after_real(struct t2_guard *guard);

/* Context: any. */
void t2_guard_leave(struct t2_guard *guard);

/*
 * For hooks that only have to do something when the real function succeeded:
 * returns whether recording is on, nothing more.
 * Context: any.
 */
bool t2_guard_is_on(void);

/*
 * Whether @address cannot be memory: the kernel refuses it with EFAULT where we
 * would crash. NULL is not meant; many calls accept it.
 * Context: any.
 */
static inline bool t2_is_wild(const void *address)
{
	return (uintptr_t)address - 1 < 65535 || (intptr_t)address < 0;
}

/* The name of the running thread, given to it now if it has none. Context: any. */
const char *t2_guard_thread_name(const struct t2_guard *guard);

#endif
