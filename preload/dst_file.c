/* SPDX-License-Identifier: MIT */
/*
 * Destinations that are paths: opened, written once and closed for every batch, or for
 * several.
 */
#include "preload/dst_kinds.h"

#include <errno.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/limits.h"
#include "preload/sentinel.h"
#include "preload/sys.h"
#include "preload/torn.h"

#define OPEN_FLAGS (O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

#define SIGNAL_BIT(signo) (1UL << ((signo)-1))

ssize_t t2_dst_write_without_signal(t2_dst_writer *write, int fd, const char *text, size_t len,
				    int signo, int error)
{
	const uint64_t set = SIGNAL_BIT(signo);
	uint64_t pending = 0, mask;
	ssize_t written;

	t2_sys_sigmask(SIG_BLOCK, &set, &mask);
	t2_sys_sigpending(&pending);
	written = write(fd, text, len);
	if (written == -error && !(pending & set))
		t2_sys_sigtake(&set);
	t2_sys_sigmask(SIG_SETMASK, &mask, NULL);
	return written;
}

/* Whether a write may raise SIGXFSZ where the host would notice. */
static bool has_to_guard(const struct t2_dst_batch *batch)
{
	struct rlimit limit;

	return batch->mode & T2_DST_GUARD_LIMIT &&
	       (t2_sys_getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur != RLIM_INFINITY);
}

/*
 * Elsewhere SIGXFSZ meets our handler or is ignored, except in a thread that
 * blocks it: there it waits, to kill the host once that unblocks it. One of the
 * host's own that waits there already is the same one and goes, too.
 */
static T2_RARE void take_back_limit_signal(void)
{
	const uint64_t set = SIGNAL_BIT(SIGXFSZ);

	t2_sys_sigtake(&set);
}

int t2_dst_write_once(t2_dst_writer *write, int fd, const struct t2_dst_batch *batch)
{
	bool guards = has_to_guard(batch);
	ssize_t written;

	if (!t2_dst_claim(batch))
		return 0;
	do {
		written = guards ? t2_dst_write_without_signal(write, fd, batch->text, batch->len,
							       SIGXFSZ, EFBIG)
				 : write(fd, batch->text, batch->len);
	} while (written == -EINTR);
	if (written == -EFBIG && !guards)
		take_back_limit_signal();
	if (written < 0)
		return (int)written;
	if ((size_t)written == batch->len)
		return 0;
	t2_torn_blank(fd, batch->text, (size_t)written);
	return -ENOSPC;
}

/* What can be opened by a path but not written at an offset. */
static T2_RARE int write_stream(int fd, struct t2_dst_batch *batch)
{
	struct stat st;

	if (t2_sys_fstat(fd, &st) < 0)
		return -EBADF;
	return S_ISFIFO(st.st_mode) ? t2_dst_write_pipe(fd, batch)
				    : t2_dst_write_once(t2_sys_write, fd, batch);
}

/* The file that stays open; NONE while one may, NOT_HELD while none may. */
static int held_fd T2_PLACE_STATE;
static const char *held_path T2_PLACE_STATE;

#define NOT_HELD 0 /* never ours, see write_and_close() */
#define NONE (-1)

bool t2_dst_hold(void)
{
	if (held_fd != NOT_HELD || atomic_load(&t2_dst_has_threads))
		return false;
	held_fd = NONE;
	return true;
}

void t2_dst_let_go(void)
{
	if (held_fd != NONE)
		t2_sys_close(held_fd);
	held_fd = NOT_HELD;
}

/* Close @fd, unless it is the one to be used again. */
static void put_back(const struct t2_dst *dst, int fd)
{
	if (held_fd == NONE && dst->kind == T2_DST_FILE) {
		held_fd = fd;
		held_path = dst->path;
	} else if (fd != held_fd) {
		t2_sys_close(fd);
	}
}

static int write_and_close(struct t2_dst *dst, int fd, struct t2_dst_batch *batch)
{
	int ret;

	/* Another thread that closes all there is would soon have a file of its own
	 * under the lowest free number, which is ours. */
	if (fd >= 0 && (fd < 3 || atomic_load(&t2_dst_has_threads)))
		fd = t2_dst_move_high(fd);
	dst->fault = fd < 0 ? T2_DST_NOT_OPENED : T2_DST_NOT_WRITTEN;
	if (fd < 0)
		return fd;
	ret = t2_dst_write_once(t2_sys_append, fd, batch);
	if (ret == -ESPIPE) {
		t2_dst_unclaim(batch);
		ret = write_stream(fd, batch);
	}
	put_back(dst, fd);
	return ret;
}

/* Room for a directory of the usual length and a session's file in it. */
#define NAME_SIZE 512

/* "leaf", "leaf.N", or the sentinel, in the directory if it is named. */
static bool put_file_name(char name[NAME_SIZE], const char *dir, const char *leaf, int suffix)
{
	struct t2_buf out;

	t2_buf_init(&out, name, NAME_SIZE);
	if (dir) {
		t2_buf_put_str(&out, dir);
		t2_buf_put_char(&out, '/');
	}
	t2_buf_put_str(&out, suffix == T2_DST_SENTINEL ? T2_SENTINEL_NAME : leaf);
	if (suffix && suffix != T2_DST_SENTINEL) {
		t2_buf_put_char(&out, '.');
		t2_buf_put_u64(&out, (uint64_t)suffix);
	}
	t2_buf_put_char(&out, '\0');
	return !t2_buf_overflowed(&out);
}

/* A longer path takes two more calls, but no more of the host's stack. */
static int open_in(const struct t2_dst *dst, const char *leaf, int suffix, int flags)
{
	char name[NAME_SIZE];
	int dirfd, fd;

	if (put_file_name(name, dst->path, leaf, suffix))
		return t2_sys_open(name, flags, 0666);
	put_file_name(name, NULL, leaf, suffix);
	dirfd = t2_sys_open(dst->path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (dirfd < 0)
		return dirfd;
	fd = t2_sys_openat(dirfd, name, flags, 0666);
	t2_sys_close(dirfd);
	return fd;
}

/* The session's file, made at the first time. */
static int open_leaf(struct t2_dst *dst, const char *leaf)
{
	int fd = -EEXIST;

	if (dst->file_suffix >= 0)
		return open_in(dst, leaf, dst->file_suffix, OPEN_FLAGS | O_NOFOLLOW);
	/* Two targets of one process may share the directory: leaf, leaf.1 ... leaf.9. */
	for (int suffix = 0; suffix < 10 && fd < 0; suffix++) {
		fd = open_in(dst, leaf, suffix, OPEN_FLAGS | O_CREAT | O_EXCL);
		dst->file_suffix = suffix;
	}
	return fd;
}

/* The directory that @path is in. Returns 0 or -errno. */
static int stat_parent(const char *path, struct stat *st)
{
	char parent[NAME_SIZE];
	struct t2_buf out;
	size_t len = strlen(path);

	while (len && path[len - 1] != '/')
		len--;
	t2_buf_init(&out, parent, sizeof(parent));
	t2_buf_put(&out, path, len);
	t2_buf_put(&out, ".", 2);
	if (t2_buf_overflowed(&out))
		return -ENAMETOOLONG;
	return t2_sys_stat(AT_FDCWD, parent, st);
}

/*
 * Not one that somebody else has put into a directory where everybody may
 * (fs.protected_symlinks in proc(5), which not every kernel is told to hold). It
 * cannot be exchanged after we looked: in such a directory only its owner and
 * the directory's can remove it.
 */
bool t2_dst_may_use(const char *path)
{
	struct stat dir, link;

	if (t2_sys_lstat(path, &link) < 0 || !S_ISLNK(link.st_mode))
		return true;
	if (stat_parent(path, &dir) < 0)
		return false;
	if ((dir.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH))
		return true;
	return link.st_uid == dir.st_uid || link.st_uid == t2_sys_geteuid();
}

static int open_file(struct t2_dst *dst)
{
	int guard = dst->follows ? 0 : O_NOFOLLOW;
	int fd;

	if (held_fd > 0 && held_path == dst->path)
		return held_fd;
	fd = t2_sys_open(dst->path, OPEN_FLAGS | O_CREAT | guard, 0666);

	if (fd != -ELOOP || !guard || !t2_dst_may_use(dst->path))
		return fd;
	dst->follows = true;
	return t2_sys_open(dst->path, OPEN_FLAGS | O_CREAT, 0666);
}

int t2_dst_write_file(struct t2_dst *dst, struct t2_dst_batch *batch)
{
	return write_and_close(dst, open_file(dst), batch);
}

int t2_dst_write_directory(struct t2_dst *dst, struct t2_dst_batch *batch)
{
	return write_and_close(dst, open_leaf(dst, batch->leaf), batch);
}
