/* SPDX-License-Identifier: MIT */
#include "hooks/real.h"

#include <dlfcn.h>
#include <stddef.h>

#include "preload/elf.h"
#include "preload/libc.h"
#include "preload/limits.h"

/* One slot a row, written once or more often with the same address. */
#define HOOK(name) void *t2_real_slot_##name T2_PLACE_STATE;
#define HOOK_OLD(name, old, new)                                                                   \
	void *t2_real_slot_##name T2_PLACE_STATE;                                                  \
	void *t2_real_slot_##name##_old T2_PLACE_STATE;
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK_OLD

static void *ask_loader(const char *name)
{
	__typeof__(dlsym) *dlsym_ = t2_libc_dlsym();

	return dlsym_ ? dlsym_(RTLD_NEXT, name) : NULL;
}

void *t2_real_find(const char *name)
{
	void *found = t2_elf_next(&t2_real_slot_fork, name, NULL);

	return found ? found : ask_loader(name);
}

/*
 * A preload behind us may define the name without a version, which satisfies
 * any; so ask for the version only when nobody has the plain name first.
 */
void *t2_real_look_up(void **slot, const char *name, const char *version)
{
	void *found = version ? t2_elf_next(&t2_real_slot_fork, name, version) : NULL;

	if (!found)
		found = t2_real_find(name);
	__atomic_store_n(slot, found, __ATOMIC_RELAXED);
	return found;
}
