/* SPDX-License-Identifier: MIT */
#include "preload/argv.h"

#include <stdbool.h>

#include "preload/limits.h"
#include "preload/sys.h"

size_t t2_argv_split(const char *text, size_t len, const char **vector, size_t cap)
{
	size_t nr = 0;

	for (size_t i = 0; i < len; i++) {
		if (i && text[i - 1])
			continue;
		if (nr + 1 < cap)
			vector[nr] = text + i;
		nr++;
	}
	if (cap)
		vector[nr < cap ? nr : cap - 1] = NULL;
	return nr + 1;
}

/* All of /proc/self/cmdline, in a block as large as it takes. Returns its length. */
static size_t read_cmdline(struct t2_block *block, size_t size, const void *owner)
{
	size_t len = 0;
	ssize_t got = 0;
	int fd;

	if (t2_pool_claim(block, size, owner))
		return 0;
	fd = t2_sys_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
	while (fd >= 0 && len + 1 < block->size) {
		got = t2_sys_read(fd, block->mem + len, block->size - 1 - len);
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	if (fd >= 0)
		t2_sys_close(fd);
	block->mem[len] = '\0';
	return len;
}

/* Text first, the vector behind it, both in one block. Returns whether it fit. */
static bool split_in_place(struct t2_argv *argv, size_t len)
{
	size_t at = (len + 1 + 15) & ~(size_t)15;
	size_t room = argv->block.size > at ? (argv->block.size - at) / sizeof(char *) : 0;
	const char **vector = (const char **)(void *)(argv->block.mem + at);

	argv->vector = vector;
	return t2_argv_split(argv->block.mem, len, vector, room) <= room;
}

void t2_argv_read(struct t2_argv *argv, const char *name, const void *owner)
{
	for (size_t size = T2_BLOCK_SIZE; size <= T2_ARGV_SIZE_MAX; size *= 16) {
		size_t len = read_cmdline(&argv->block, size, owner);

		if (!len)
			break;
		if (split_in_place(argv, len))
			return;
		t2_pool_release(&argv->block);
	}
	t2_pool_release(&argv->block);
	argv->fallback[0] = name;
	argv->fallback[1] = NULL;
	argv->vector = argv->fallback;
}

void t2_argv_release(struct t2_argv *argv)
{
	t2_pool_release(&argv->block);
}
