/* SPDX-License-Identifier: MIT */
#include "preload/exe.h"

#include <errno.h>
#include <string.h>

#include "preload/auxv.h"
#include "preload/buf.h"
#include "preload/elf.h"
#include "preload/limits.h"
#include "preload/str.h"
#include "preload/sys.h"

#define DELETED " (deleted)"

/* Longer paths, and more parts, are left to the kernel. */
#define WALK_SIZE 256
#define LOOKS_MAX 12

#define INTERPRETER_ARGS_MAX 12

/* What was found at the start, if it is no longer: a forked child's is the same, and
 * asking /proc for it once is a good part of what such a child costs. */
static char found[192] T2_PLACE_STATE;

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

/* A path being resolved. */
struct walk {
	char *path;	      /* real so far: "" or "/usr/bin" */
	size_t len, size;     /* of it, and of the memory */
	char rest[WALK_SIZE]; /* right-aligned: what is still to be looked at */
	const char *at;	      /* in it */
};

/* Let @text, of @len bytes, come before the rest, with a slash between. */
static bool put_before(struct walk *walk, const char *text, size_t len)
{
	size_t room = (size_t)(walk->at - walk->rest);
	char *to;

	if (len + 1 > room)
		return false;
	to = walk->rest + room - len - 1;
	memcpy(to, text, len);
	to[len] = '/';
	walk->at = to;
	return true;
}

/* The link's @text is what follows instead of the last part of the path. */
static bool follow(struct walk *walk, const char *text, size_t len, size_t parent_len)
{
	walk->len = *text == '/' ? 0 : parent_len;
	return put_before(walk, text, len);
}

/* The next part of the rest becomes part of the path, or of the rest if it is a link. */
static bool step(struct walk *walk, unsigned *nr_looks)
{
	const size_t parent_len = walk->len;
	char text[WALK_SIZE];
	const char *part = walk->at;
	size_t part_len = 0;
	ssize_t len;

	while (part[part_len] && part[part_len] != '/')
		part_len++;
	walk->at += part_len + (part[part_len] == '/');
	if (!part_len || (part_len == 1 && *part == '.'))
		return true;
	if (part_len == 2 && part[0] == '.' && part[1] == '.') {
		while (walk->len && walk->path[--walk->len] != '/')
			;
		return true;
	}
	if (parent_len + 1 + part_len >= walk->size || ++*nr_looks > LOOKS_MAX)
		return false;
	walk->path[walk->len++] = '/';
	memcpy(walk->path + walk->len, part, part_len);
	walk->len += part_len;
	walk->path[walk->len] = '\0';
	len = t2_sys_readlink(walk->path, text, sizeof(text));
	if (len == -EINVAL)
		return true;
	return len > 0 && len < (ssize_t)sizeof(text) &&
	       follow(walk, text, (size_t)len, parent_len);
}

bool t2_exe_resolve(const char *name, char *path, size_t size)
{
	struct walk walk = {.path = path, .size = size};
	const size_t len = strlen(name);
	unsigned nr_looks = 0;

	if (*name != '/' || len >= sizeof(walk.rest) || t2_str_starts_with(name, "/proc/") ||
	    t2_str_starts_with(name, "/dev/"))
		return false;
	walk.at = walk.rest + sizeof(walk.rest) - len - 1;
	memcpy(walk.rest + sizeof(walk.rest) - len - 1, name, len + 1);
	while (*walk.at) {
		if (!step(&walk, &nr_looks))
			return false;
	}
	path[walk.len] = '\0';
	return walk.len > 0;
}

/*
 * Whether an interpreter was executed in the place of the file @name: the kernel
 * puts its name into the arguments then, behind those of up to five interpreters
 * (execve(2)), each with one of its own.
 */
static bool is_interpreted(const char *name, const char *const *argv)
{
	for (int i = 1; i <= INTERPRETER_ARGS_MAX && argv[0] && argv[i]; i++) {
		if (!strcmp(argv[i], name))
			return true;
	}
	return false;
}

static const char *read_into(char *path, size_t size)
{
	ssize_t len = read_link(path, size - 1);

	if (len <= 0 || is_loader(path, (size_t)len)) {
		const char *program = len > 0 ? t2_elf_program() : NULL;
		const char *name =
			program && *program ? program : (const char *)t2_auxv_get(AT_EXECFN);
		struct t2_buf out;

		t2_buf_init(&out, path, size - 1);
		t2_buf_put_str(&out, name ? name : "unknown");
		len = (ssize_t)(t2_buf_overflowed(&out) ? out.cap : out.len);
	}
	path[len] = '\0';
	return path;
}

/* At the start, when nobody else is reading it. */
static void find(const char *const *argv)
{
	const char *name = (const char *)t2_auxv_get(AT_EXECFN);

	if (name && !is_interpreted(name, argv) && t2_exe_resolve(name, found, sizeof(found)) &&
	    !is_loader(found, strlen(found)))
		return;
	if (strlen(read_into(found, sizeof(found))) + sizeof(DELETED) >= sizeof(found))
		*found = '\0';
}

const char *t2_exe_read(struct t2_block *ret_block, const void *owner, const char *const *argv)
{
	ret_block->mem = NULL;
	if (argv)
		find(argv);
	if (*found)
		return found;
	return t2_pool_claim(ret_block, T2_PATH_SIZE, owner)
		       ? NULL
		       : read_into(ret_block->mem, ret_block->size);
}

const char *t2_exe_name(const char *path)
{
	const char *name = t2_str_base_name(path);

	return *name ? name : "unknown";
}
