/* SPDX-License-Identifier: MIT */
#include "preload/search.h"

#include <string.h>

#include "preload/buf.h"
#include "preload/config.h"
#include "preload/libc.h"
#include "preload/limits.h"
#include "preload/sys.h"

static bool has_slash(const char *name)
{
	while (*name && *name != '/')
		name++;
	return *name;
}

/* Directories can be "executed", too, as far as permissions go. */
static bool can_execute(int dirfd, const char *path)
{
	struct stat st;

	return t2_sys_access(dirfd, path, X_OK) == 0 && t2_sys_stat(dirfd, path, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

static const char *find_in_path(struct t2_search *search, const void *owner)
{
	const char *dirs = t2_config_getenv(*t2_environ(), "PATH");

	if (t2_pool_claim(&search->block, T2_PATH_SIZE, owner))
		return NULL;
	for (const char *dir = dirs ? dirs : "/bin:/usr/bin"; dir; dir = *dir ? dir + 1 : NULL) {
		const char *start = dir;
		struct t2_buf path;

		while (*dir && *dir != ':')
			dir++;
		t2_buf_init(&path, search->block.mem, search->block.size);
		t2_buf_put(&path, start, (size_t)(dir - start));
		if (path.len)
			t2_buf_put_char(&path, '/');
		t2_buf_put_str(&path, search->name);
		t2_buf_put_char(&path, '\0');
		if (!t2_buf_overflowed(&path) && can_execute(AT_FDCWD, path.base))
			return path.base;
	}
	return NULL;
}

void t2_search_find(struct t2_search *search, const void *owner)
{
	search->dirfd = search->fd;
	if (search->is_fd || (search->name && !*search->name && search->flags & AT_EMPTY_PATH)) {
		search->file = t2_sys_fcntl(search->fd, F_GETFD, 0) < 0 ? NULL : "";
		search->is_fd = true;
	} else if (!search->name) {
		search->file = NULL;
	} else if (search->uses_path && *search->name && !has_slash(search->name)) {
		search->dirfd = AT_FDCWD;
		search->file = find_in_path(search, owner);
	} else {
		search->file = can_execute(search->dirfd, search->name) ? search->name : NULL;
	}
}

void t2_search_release(struct t2_search *search)
{
	if (search->file && search->block.mem)
		search->file = "";
	t2_pool_release(&search->block);
}
