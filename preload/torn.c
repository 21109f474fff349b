/* SPDX-License-Identifier: MIT */
/*
 * Why blanks: to cut the file off would take along what others have appended
 * meanwhile, and to append a newline there is no room. Writing over our own bytes
 * takes none, and touches nobody else's.
 */
#include "preload/torn.h"

#include <stdbool.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/sys.h"

#define PIECE_SIZE 256

/* The same file, to be read and written anywhere: what is open can only append. */
static int open_again(int fd)
{
	char path[32];
	struct t2_buf out;

	t2_buf_init(&out, path, sizeof(path));
	t2_buf_put_str(&out, "/proc/self/fd/");
	t2_buf_put_u64(&out, (uint64_t)fd);
	t2_buf_put_char(&out, '\0');
	return t2_sys_open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
}

static size_t piece_of(size_t len)
{
	return len < PIECE_SIZE ? len : PIECE_SIZE;
}

static bool is_at(int fd, off_t at, const char *text, size_t len)
{
	char piece[PIECE_SIZE];

	for (size_t done = 0, part; done < len; done += part) {
		part = piece_of(len - done);
		if (t2_sys_pread(fd, piece, part, at + (off_t)done) != (ssize_t)part ||
		    memcmp(piece, text + done, part))
			return false;
	}
	return true;
}

static void write_blanks(int fd, off_t at, size_t len)
{
	char piece[PIECE_SIZE];

	memset(piece, ' ', sizeof(piece));
	for (size_t done = 0, part; done < len; done += part) {
		part = piece_of(len - done);
		if (done + part == len)
			piece[part - 1] = '\n';
		if (t2_sys_pwrite(fd, piece, part, at + (off_t)done) != (ssize_t)part)
			return;
	}
}

/*
 * Where the @written bytes of @text end in @fd, or -1. Where they were cut by a
 * limit of this process alone, others may have appended to them already.
 */
static off_t find_end(int fd, const char *text, size_t written)
{
	struct rlimit limit;
	struct stat st;
	off_t ends[2];

	if (t2_sys_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	ends[0] = ends[1] = st.st_size;
	if (!t2_sys_getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < (rlim_t)st.st_size)
		ends[1] = (off_t)limit.rlim_cur;
	for (int i = 0; i < 2; i++) {
		off_t start = ends[i] - (off_t)written;

		if (start >= 0 && is_at(fd, start, text, written))
			return ends[i];
	}
	return -1;
}

void t2_torn_blank(int fd, const char *text, size_t written)
{
	size_t len = 0; /* of the piece */
	off_t end;
	int file;

	while (len < written && text[written - len - 1] != '\n')
		len++;
	if (!len)
		return;
	file = open_again(fd);
	if (file < 0)
		return;
	end = find_end(file, text, written);
	if (end >= 0)
		write_blanks(file, end - (off_t)len, len);
	t2_sys_close(file);
}
