/* SPDX-License-Identifier: MIT */
/*
 * The auxiliary vector: what the kernel tells a program at its start (getauxval(3)).
 *
 * libc's getauxval() would be one more import, and an import costs every process of a
 * tree a look-up in pages that nothing else touches. The vector lies behind the
 * environment on the initial stack.
 */
#ifndef T2_PRELOAD_AUXV_H
#define T2_PRELOAD_AUXV_H

#include <elf.h>
#include <stdbool.h>

/* In older headers it has no name. */
#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/*
 * Learn it from where the kernel put it, behind @envp, which is taken for the
 * kernel's only if it follows @argv's @argc entries and a NULL. The first call counts:
 * once something has been removed from the environment it ends elsewhere. Returns
 * whether the three are the kernel's.
 * Context: constructor.
 */
bool t2_auxv_learn(int argc, char **argv, char **envp);

/*
 * The value of entry @type (AT_SECURE...), one of those named in auxv.c; 0: there is
 * none. Where nothing was learned it is read from /proc; where that fails AT_SECURE
 * is taken to be set.
 * Context: any.
 */
unsigned long t2_auxv_get(unsigned long type);

#endif
