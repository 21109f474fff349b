/* SPDX-License-Identifier: MIT */
#include "preload/argv.h"

#include <stdbool.h>
#include <string.h>

#include "preload/auxv.h"
#include "preload/limits.h"
#include "preload/sys.h"

/* The arguments' text on the initial stack; written before main. NULL: not known. */
static const char *text_begin T2_PLACE_STATE, *text_end T2_PLACE_STATE;

void t2_argv_learn(int argc, char **argv)
{
	const char *last;

	if (text_begin || argc < 1)
		return;
	last = argv[argc - 1];
	if (last < argv[0])
		return;
	text_end = last + strlen(last) + 1;
	text_begin = argv[0];
}

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

/*
 * How long it is by now. A program that wrote over its end has given itself a title,
 * which may go on where the environment was, and ends at the first NUL (proc(5)).
 */
static size_t known_len(void)
{
	const char *limit = (const char *)t2_auxv_get(AT_EXECFN);
	const char *end;

	if (!text_end[-1] || limit < text_end)
		return (size_t)(text_end - text_begin);
	end = memchr(text_begin, '\0', (size_t)(limit - text_begin));
	return (size_t)((end ? end + 1 : limit) - text_begin);
}

/* As much of it as there is room for; one byte stays. */
static size_t copy_known(struct t2_block *block)
{
	size_t len = known_len();

	if (len > block->size - 1)
		len = block->size - 1;
	memcpy(block->mem, text_begin, len);
	return len;
}

/* The same of /proc/self/cmdline. */
static size_t read_cmdline(struct t2_block *block)
{
	size_t len = 0;
	ssize_t got = 0;
	int fd;

	fd = t2_sys_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
	while (fd >= 0 && len + 1 < block->size) {
		got = t2_sys_read(fd, block->mem + len, block->size - 1 - len);
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	if (fd >= 0)
		t2_sys_close(fd);
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
	/* What most need is small and touched already. */
	size_t size = text_begin ? T2_PATH_BLOCK_SIZE : T2_BLOCK_SIZE;

	for (; size <= T2_ARGV_SIZE_MAX; size = size < T2_BLOCK_SIZE ? T2_BLOCK_SIZE : size * 16) {
		size_t len;

		if (t2_pool_claim(&argv->block, size, owner))
			break;
		len = text_begin ? copy_known(&argv->block) : read_cmdline(&argv->block);
		if (!len)
			break;
		argv->block.mem[len] = '\0';
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
