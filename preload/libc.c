/* SPDX-License-Identifier: MIT */
#include "preload/libc.h"

#include "preload/elf.h"

/* Written once or more often with the same address. */
#define LIBC(name) void *t2_libc_slot_##name;
#include "preload/libc.def"
#undef LIBC

static void *environ_slot;

void *t2_libc_look_up(void **slot, const char *name)
{
	void *found = t2_elf_libc(name);

	__atomic_store_n(slot, found, __ATOMIC_RELAXED);
	return found;
}

char ***t2_environ(void)
{
	void *found = __atomic_load_n(&environ_slot, __ATOMIC_RELAXED);

	if (!found) {
		found = t2_elf_data("environ");
		__atomic_store_n(&environ_slot, found, __ATOMIC_RELAXED);
	}
	return found;
}
