/* SPDX-License-Identifier: MIT */
#include "preload/exe.h"

#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

#include "preload/buf.h"
#include "preload/elf.h"
#include "preload/str.h"
#include "preload/sys.h"

#define DELETED " (deleted)"

/* ld.so(8) run by hand, with the program as its argument. */
static bool is_loader(char *path, size_t len)
{
	path[len] = '\0';
	return t2_str_starts_with(t2_str_base_name(path), "ld-linux");
}

const char *t2_exe_read(char *path, size_t size)
{
	ssize_t len = t2_sys_readlink("/proc/self/exe", path, size - 1);
	const size_t mark = sizeof(DELETED) - 1;

	if (len > (ssize_t)mark && !memcmp(path + (size_t)len - mark, DELETED, mark))
		len -= (ssize_t)mark;
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

const char *t2_exe_name(const char *path)
{
	const char *name = t2_str_base_name(path);

	return *name ? name : "unknown";
}
