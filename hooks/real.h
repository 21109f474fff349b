/* SPDX-License-Identifier: MIT */
/*
 * The next function in line for each hook: libc's, or that of another preload
 * between us and libc, which must keep its turn.
 */
#ifndef T2_HOOKS_REAL_H
#define T2_HOOKS_REAL_H

#include <features.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
#include <wordexp.h>

#define T2_GLIBC(minor) __GLIBC_PREREQ(2, minor)

/* Where one name has two meanings: x86-64 is old enough. */
#if defined(__x86_64__)
#define T2_HAS_OLD_VERSIONS 1
#else
#define T2_HAS_OLD_VERSIONS 0
#endif

/* Exported by libc, but by no header under these names. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
pid_t __fork(void);
pid_t __vfork(void);
int __clone(int (*fn)(void *), void *stack, int flags, void *arg, ...);
pid_t __wait(int *status);
pid_t __waitpid(pid_t pid, int *status, int options);
FILE *_IO_popen(const char *command, const char *mode);
int __sigaction(int signo, const struct sigaction *act, struct sigaction *old);
int __cxa_at_quick_exit(void (*handler)(void *), void *object);
__sighandler_t bsd_signal(int signo, __sighandler_t handler);

/*
 * t2_real_<name>(): the next function of that name; where there are two versions,
 * also t2_real_<name>_old(). Looked up at the first call, which costs less than a
 * microsecond and neither locks nor allocates, but for a libc in which only the
 * loader itself can tell. Most processes need a handful of them.
 * Context: any.
 */
#define HOOK(name) T2_REAL_GETTER(name, name, NULL)
#define HOOK_OLD(name, old, new)                                                                   \
	T2_REAL_GETTER(name, name, T2_HAS_OLD_VERSIONS ? (new) : NULL)                             \
	T2_REAL_GETTER(name##_old, name, old)
#define T2_REAL_GETTER(id, name, version)                                                          \
	extern void *t2_real_slot_##id;                                                            \
	static inline __typeof__(name) *t2_real_##id(void)                                         \
	{                                                                                          \
		void *found = __atomic_load_n(&t2_real_slot_##id, __ATOMIC_RELAXED);               \
                                                                                                   \
		if (!found)                                                                        \
			found = t2_real_look_up(&t2_real_slot_##id, #name, version);               \
		return (__typeof__(name) *)found;                                                  \
	}

/* Fill @slot with the next @name, of @version if that is not NULL. Context: any. */
void *t2_real_look_up(void **slot, const char *name, const char *version);

/* The old signal functions are deprecated for callers; they still are called. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "hooks/hooks.def"
#pragma GCC diagnostic pop
#undef HOOK
#undef HOOK_OLD

/* The host's next @name, not one of ours; or NULL. Context: any. */
void *t2_real_find(const char *name);

#endif
