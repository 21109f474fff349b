/* SPDX-License-Identifier: MIT */
#include "preload/exe.h"

#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

#include "preload/buf.h"
#include "preload/elf.h"
#include "preload/limits.h"
#include "preload/str.h"
#include "preload/sys.h"

#define DELETED " (deleted)"

/* ld.so(8) run by hand, with the program as its argument. */
static bool is_loader(char *path, size_t len)
{
	path[len] = '\0';
	return t2_str_starts_with(t2_str_base_name(path), "ld-linux");
}

/* "/proc/self/exe", less the mark of a file that is gone. Returns its length, or -errno. */
static ssize_t read_link(char *path, size_t size)
{
	const size_t mark = sizeof(DELETED) - 1;
	ssize_t len = t2_sys_readlink("/proc/self/exe", path, size);

	if (len > (ssize_t)mark && !memcmp(path + (size_t)len - mark, DELETED, mark))
		len -= (ssize_t)mark;
	return len;
}

static const char *read_into(char *path, size_t size)
{
	ssize_t len = read_link(path, size - 1);

	if (len <= 0 || is_loader(path, (size_t)len)) {
		const char *program = len > 0 ? t2_elf_program() : NULL;
		const char *name =
			program && *program ? program : (const char *)getauxval(AT_EXECFN);
		struct t2_buf out;

		t2_buf_init(&out, path, size - 1);
		t2_buf_put_str(&out, name ? name : "unknown");
		len = (ssize_t)(t2_buf_overflowed(&out) ? out.cap : out.len);
	}
	path[len] = '\0';
	return path;
}

const char *t2_exe_read(struct t2_block *ret_block, const void *owner)
{
	const char *path;

	if (t2_pool_claim(ret_block, T2_SMALL_BLOCK_SIZE, owner))
		return NULL;
	path = read_into(ret_block->mem, ret_block->size);
	if (strlen(path) + sizeof(DELETED) < ret_block->size)
		return path;
	t2_pool_release(ret_block);
	return t2_pool_claim(ret_block, T2_PATH_SIZE, owner)
		       ? NULL
		       : read_into(ret_block->mem, ret_block->size);
}

const char *t2_exe_name(const char *path)
{
	const char *name = t2_str_base_name(path);

	return *name ? name : "unknown";
}
