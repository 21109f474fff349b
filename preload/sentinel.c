/* SPDX-License-Identifier: MIT */
#include "preload/sentinel.h"

#include <string.h>

#include "preload/buf.h"
#include "preload/limits.h"
#include "preload/pool.h"
#include "preload/sys.h"

/* What getdents64 writes, as far as we look: the length is that of the record. */
struct record {
	uint64_t ino;
	int64_t next;
	uint16_t len;
};

/* Entries of @dir, "." and ".." included, up to @max; none if it cannot be read. */
static int count_entries(const char *dir, int max, char *mem, size_t size)
{
	int fd = t2_sys_open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	ssize_t len;
	int nr = 0;

	if (fd < 0)
		return 0;
	while (nr < max && (len = t2_sys_getdents(fd, mem, size)) > 0) {
		ssize_t at = 0;

		while (nr < max && at < len) {
			at += ((const struct record *)(const void *)(mem + at))->len;
			nr++;
		}
	}
	t2_sys_close(fd);
	return nr;
}

static int make(const char *name)
{
	int fd = t2_sys_open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return fd;
	t2_sys_close(fd);
	return T2_SENTINEL_MADE;
}

static int check(const char *dir, int max, const char *name, char *mem, size_t size)
{
	struct stat st;

	if (t2_sys_stat(AT_FDCWD, dir, &st) < 0 || !S_ISDIR(st.st_mode))
		return T2_SENTINEL_ROOM;
	if (!t2_sys_stat(AT_FDCWD, name, &st))
		return T2_SENTINEL_FOUND;
	return count_entries(dir, max, mem, size) < max ? T2_SENTINEL_ROOM : make(name);
}

int t2_sentinel_check(const char *dir, int max, const void *owner)
{
	struct t2_block block;
	struct t2_buf name;
	int ret = T2_SENTINEL_ROOM;

	if (t2_pool_claim(&block, T2_BLOCK_SIZE, owner))
		return ret;
	t2_buf_init(&name, block.mem, T2_PATH_SIZE);
	t2_buf_put_str(&name, dir);
	t2_buf_put_str(&name, "/" T2_SENTINEL_NAME);
	t2_buf_put_char(&name, '\0');
	if (!t2_buf_overflowed(&name))
		ret = check(dir, max, block.mem, block.mem + T2_PATH_SIZE,
			    block.size - T2_PATH_SIZE);
	t2_pool_release(&block);
	return ret;
}
