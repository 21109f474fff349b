/* SPDX-License-Identifier: MIT */
#include "preload/libc.h"

#include "preload/elf.h"
#include "preload/limits.h"

/* Written once or more often with the same address. */
#define LIBC(name) void *t2_libc_slot_##name T2_PLACE_STATE;
#include "preload/libc.def"
#undef LIBC

static void *environ_slot T2_PLACE_STATE, *single_threaded_slot T2_PLACE_STATE;

void *t2_libc_look_up(void **slot, const char *name)
{
	void *found = t2_elf_libc(name);

	__atomic_store_n(slot, found, __ATOMIC_RELAXED);
	return found;
}

static void *find_data(void **slot, const char *name)
{
	void *found = __atomic_load_n(slot, __ATOMIC_RELAXED);

	if (!found) {
		found = t2_elf_data(name);
		__atomic_store_n(slot, found, __ATOMIC_RELAXED);
	}
	return found;
}

char ***t2_environ(void)
{
	return find_data(&environ_slot, "environ");
}

/* sys/single_threaded.h, since 2.32; it is cleared before a thread begins. */
bool t2_libc_is_single_threaded(void)
{
	const volatile char *flag = find_data(&single_threaded_slot, "__libc_single_threaded");

	return flag && *flag;
}
