/* SPDX-License-Identifier: MIT */
#include "hooks/real.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

#include "preload/elf.h"
#include "preload/pool.h"

struct t2_real t2_real;
static atomic_bool is_ready;

struct row {
	const char *name;
	const char *version; /* NULL: the default one */
	size_t offset;
};

static const struct row rows[] = {
#define HOOK(name) {#name, NULL, offsetof(struct t2_real, name)},
#if T2_HAS_OLD_VERSIONS
#define HOOK_OLD(name, old, new)                                                                   \
	{#name, new, offsetof(struct t2_real, name)},                                              \
		{#name, old, offsetof(struct t2_real, name##_old)},
#else
#define HOOK_OLD(name, old, new) HOOK(name)
#endif
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK_OLD
};

/*
 * A preload behind us may define the name without a version, which satisfies
 * any; so ask for the version only when nobody has the plain name first.
 */
static void *find(const struct t2_elf_scope *scope, const char *name, const char *version)
{
	void *found = scope && version ? t2_elf_scope_find(scope, name, version) : NULL;

	if (!found && scope)
		found = t2_elf_scope_find(scope, name, NULL);
	return found ? found : dlsym(RTLD_NEXT, name);
}

void *t2_real_find(const char *name)
{
	void *found = t2_elf_next(&t2_real, name, NULL);

	return found ? found : dlsym(RTLD_NEXT, name);
}

void t2_real_fill(void)
{
	struct t2_elf_scope *scope = NULL;
	struct t2_block block = {0};

	if (!t2_pool_claim(&block, sizeof(*scope), &block)) {
		scope = (struct t2_elf_scope *)(void *)block.mem;
		t2_elf_scope_begin(scope, &t2_real);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void **slot = (void **)(void *)((char *)&t2_real + rows[i].offset);

		*slot = find(scope, rows[i].name, rows[i].version);
	}
	t2_pool_release(&block);
	atomic_store(&is_ready, true);
}

bool t2_real_is_ready(void)
{
	return atomic_load_explicit(&is_ready, memory_order_acquire);
}
