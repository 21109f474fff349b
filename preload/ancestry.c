/* SPDX-License-Identifier: MIT */
#include "preload/ancestry.h"

#include <stdbool.h>

#include "preload/buf.h"
#include "preload/limits.h"
#include "preload/sys.h"

/* git looks at so many bytes of the file; a name has 15 at most. */
#define STAT_SIZE 64

const char *t2_ancestry_parse(char *stat, pid_t *ret_parent)
{
	char *open = NULL, *close = NULL, *at;
	pid_t parent = 0;

	for (at = stat; *at; at++) {
		if (*at == '(' && !open)
			open = at;
		if (*at == ')')
			close = at;
	}
	if (!open || !close || close < open)
		return NULL;
	at = close + 1;
	*close = '\0';
	while (*at == ' ')
		at++;
	if (!*at++) /* the state, one letter */
		return NULL;
	while (*at == ' ')
		at++;
	if (*at < '0' || *at > '9')
		return NULL;
	while (*at >= '0' && *at <= '9')
		parent = parent * 10 + (*at++ - '0');
	*ret_parent = parent;
	return open + 1;
}

static bool read_stat(pid_t pid, char stat[STAT_SIZE + 1])
{
	char path[32];
	struct t2_buf out;
	ssize_t len;
	int fd;

	t2_buf_init(&out, path, sizeof(path));
	t2_buf_put_str(&out, "/proc/");
	t2_buf_put_i64(&out, pid);
	t2_buf_put(&out, "/stat", sizeof("/stat"));
	fd = t2_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	len = t2_sys_read(fd, stat, STAT_SIZE);
	t2_sys_close(fd);
	if (len <= 0)
		return false;
	stat[len] = '\0';
	return true;
}

const char *const *t2_ancestry_read(char *mem, size_t size)
{
	const char **list = (const char **)(void *)mem;
	char *text = mem + (T2_ANCESTRY_MAX + 1) * sizeof(*list);
	pid_t pid = t2_sys_getppid();
	size_t nr = 0;

	while (pid > 0 && nr < T2_ANCESTRY_MAX && text + STAT_SIZE < mem + size &&
	       read_stat(pid, text)) {
		const char *name = t2_ancestry_parse(text, &pid);

		if (!name)
			break;
		list[nr++] = name;
		text += STAT_SIZE + 1;
	}
	list[nr] = NULL;
	return nr ? list : NULL;
}
