/* SPDX-License-Identifier: MIT */
#include "preload/auxv.h"

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "preload/limits.h"
#include "preload/sys.h"

/* Entries; a kernel has about 22. */
#define ENTRIES_MAX 40

/* What is asked for. */
static const unsigned char types[] = {AT_PHDR, AT_PHNUM, AT_SECURE, AT_EXECFN, AT_MINSIGSTKSZ};

#define NR_TYPES (sizeof(types) / sizeof(*types))

/* By place in types; written once or more often the same, then known. */
static unsigned long values[NR_TYPES] T2_PLACE_STATE;
static atomic_bool is_known T2_PLACE_STATE, is_begun T2_PLACE_STATE;

static size_t place_of(unsigned long type)
{
	size_t place = 0;

	while (place < NR_TYPES && types[place] != type)
		place++;
	return place;
}

static void learn(const ElfW(auxv_t) * vector)
{
	for (int i = 0; i < ENTRIES_MAX && vector[i].a_type != AT_NULL; i++) {
		size_t place = place_of(vector[i].a_type);

		if (place < NR_TYPES)
			values[place] = vector[i].a_un.a_val;
	}
	atomic_store(&is_known, true);
}

bool t2_auxv_learn(int argc, char **argv, char **envp)
{
	if (argc < 0 || argv + argc + 1 != envp || argv[argc])
		return false;
	/* The first that is done to the state's page in a process: one page fault if it is
	 * written to, and two if it is read first. */
	if (atomic_exchange(&is_begun, true))
		return true;
	while (*envp)
		envp++;
	learn((const void *)(envp + 1));
	return true;
}

/* Whether the kernel has said it again. */
static bool read_again(void)
{
	ElfW(auxv_t) vector[ENTRIES_MAX + 1] = {0};
	int fd = t2_sys_open("/proc/self/auxv", O_RDONLY | O_CLOEXEC, 0);
	ssize_t len = -1;

	if (fd >= 0) {
		len = t2_sys_read(fd, vector, sizeof(*vector) * ENTRIES_MAX);
		t2_sys_close(fd);
	}
	if (len > 0)
		learn(vector);
	return len > 0;
}

unsigned long t2_auxv_get(unsigned long type)
{
	size_t place = place_of(type);

	if (!atomic_load(&is_known) && !read_again())
		return type == AT_SECURE;
	return place < NR_TYPES ? values[place] : 0;
}
