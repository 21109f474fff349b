/* SPDX-License-Identifier: MIT */
/*
 * Look-ups in the objects the dynamic loader has mapped.
 *
 * dlsym() takes the loader's lock, may allocate, and costs a third of a
 * microsecond a name; a hook can be reached for the first time in a signal
 * handler or a vfork child, where neither is allowed. The tables are read-only
 * memory, so we read them ourselves.
 */
#ifndef T2_PRELOAD_ELF_H
#define T2_PRELOAD_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the C library is the one we know. In others we only stand aside. Context: any. */
bool t2_elf_is_glibc(void);

/*
 * The definition of function @name that follows @self's object in load order,
 * as dlsym(RTLD_NEXT) would find it; with @version, exactly that version.
 * NULL if there is none or if only the loader can tell (an IFUNC).
 * Context: any.
 */
void *t2_elf_next(const void *self, const char *name, const char *version);

/* The C library's own @name, whoever else defines one; or NULL. Context: any. */
void *t2_elf_libc(const char *name);

/* The kernel's own function of that name, which makes no system call; or NULL. Context: any. */
void *t2_elf_vdso(const char *name);

/* The first variable @name in load order, which all use; or NULL. Context: any. */
void *t2_elf_data(const char *name);

/* Where an address is: "libfoo.so.1", the distance from its base, and the name
 * of the function that starts exactly there, if its table is small enough. */
struct t2_elf_place {
	const char *module; /* base name; "" for the executable */
	const char *symbol; /* or NULL */
	uintptr_t offset;
};

/* Whether @address is in a mapped object. Context: any. */
bool t2_elf_locate(const void *address, struct t2_elf_place *ret_place);

/*
 * The program's path if the loader was run with it as an argument, so that the
 * kernel knows only the loader; else NULL or "".
 * Context: any.
 */
const char *t2_elf_program(void);

/* The path by which the loader found the object that this is part of; "" for the
 * executable. Context: any. */
const char *t2_elf_own_path(void);

/* Whether the executable carries a note from the Go linker. Context: any. */
bool t2_elf_is_go(void);

#endif
