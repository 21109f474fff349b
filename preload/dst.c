/* SPDX-License-Identifier: MIT */
#include "preload/dst_kinds.h"

#include <errno.h>
#include <string.h>
#include <sys/un.h>

#include "preload/limits.h"
#include "preload/sentinel.h"
#include "preload/str.h"
#include "preload/sys.h"

/* "false" and "true" in any case; the words git knows here. */
static bool is_word(const char *spec, const char *lower)
{
	for (; *lower; spec++, lower++) {
		if ((*spec | 0x20) != *lower)
			return false;
	}
	return !*spec;
}

static void init_socket(struct t2_dst *dst, const char *address)
{
	if (t2_str_starts_with(address, "stream:")) {
		dst->socket_type = SOCK_STREAM;
		address += sizeof("stream:") - 1;
	} else if (t2_str_starts_with(address, "dgram:")) {
		dst->socket_type = SOCK_DGRAM;
		address += sizeof("dgram:") - 1;
	}
	dst->path = address;
	if (!*address)
		dst->fault = T2_DST_BAD_ADDRESS;
	else if (*address != '/' || strlen(address) >= sizeof(((struct sockaddr_un *)0)->sun_path))
		dst->fault = T2_DST_BAD_PATH;
	else
		dst->kind = T2_DST_SOCKET;
}

void t2_dst_init(struct t2_dst *dst, const char *spec)
{
	memset(dst, 0, sizeof(*dst));
	dst->fd = -1;
	dst->file_suffix = -1;
	dst->path = spec;
	if (!spec || !*spec || !strcmp(spec, "0") || is_word(spec, "false")) {
		dst->kind = T2_DST_OFF;
	} else if (!strcmp(spec, "1") || is_word(spec, "true")) {
		dst->kind = T2_DST_FD;
		dst->fd = 2;
	} else if (spec[0] >= '2' && spec[0] <= '9' && !spec[1]) {
		dst->kind = T2_DST_FD;
		dst->fd = spec[0] - '0';
	} else if (spec[0] == '/') {
		dst->kind = T2_DST_FILE;
	} else if (t2_str_starts_with(spec, "af_unix:")) {
		init_socket(dst, spec + sizeof("af_unix:") - 1);
	} else {
		dst->fault = T2_DST_BAD_VALUE;
	}
}

/* Off for good, because of @fault. Returns @error. */
static T2_RARE int fail(struct t2_dst *dst, enum t2_dst_fault fault, int error)
{
	dst->was = dst->kind;
	dst->kind = T2_DST_OFF;
	dst->fault = fault;
	dst->error = error;
	return error;
}

void t2_dst_pin(struct t2_dst *dst, dev_t dev, ino_t ino)
{
	dst->dev = dev;
	dst->ino = ino;
	dst->is_known = true;
}

bool t2_dst_is_same(struct t2_dst *dst, struct stat *st)
{
	if (t2_sys_fstat(dst->fd, st) < 0)
		return false;
	if (!dst->is_known)
		t2_dst_pin(dst, st->st_dev, st->st_ino);
	return dst->dev == st->st_dev && dst->ino == st->st_ino;
}

int t2_dst_identify(struct t2_dst *dst)
{
	struct stat st;

	if (t2_dst_is_same(dst, &st))
		return 0;
	dst->fault = T2_DST_NOT_WRITTEN;
	dst->error = -EBADF;
	return -EBADF;
}

void t2_dst_renew(struct t2_dst *dst, bool closes)
{
	struct stat st;

	dst->file_suffix = -1;
	dst->is_counted = false;
	dst->nr_lost = 0;
	dst->has_part = false;
	if (dst->kind != T2_DST_SOCKET || dst->fd < 0)
		return;
	if (closes && t2_dst_is_same(dst, &st))
		t2_sys_close(dst->fd);
	dst->fd = -1;
	dst->is_known = false;
}

int t2_dst_move_high(int fd)
{
	int high;

	if (fd < 0)
		return fd;
	high = t2_sys_fcntl(fd, F_DUPFD_CLOEXEC, T2_FD_FLOOR);
	if (high < 0)
		high = fd > 2 ? t2_sys_fcntl(fd, F_DUPFD_CLOEXEC, fd) : high;
	t2_sys_close(fd);
	return high;
}

/* Whether the directory has room for one more file. */
static T2_RARE void count_files(struct t2_dst *dst, const void *owner)
{
	int ret;

	dst->is_counted = true;
	if (!t2_dst_may_use(dst->path))
		return; /* to fail when it is opened */
	ret = t2_sentinel_check(dst->path, dst->max_files, owner);
	if (ret == T2_SENTINEL_ROOM)
		return;
	dst->kind = T2_DST_DIRECTORY;
	if (ret == T2_SENTINEL_MADE)
		dst->file_suffix = T2_DST_SENTINEL;
	else
		fail(dst, ret < 0 ? T2_DST_NOT_OPENED : T2_DST_OVERLOADED, ret);
}

void t2_dst_prepare(struct t2_dst *dst, const void *owner)
{
	if (dst->max_files > 0 && !dst->is_counted && dst->file_suffix < 0 &&
	    (dst->kind == T2_DST_FILE || dst->kind == T2_DST_DIRECTORY))
		count_files(dst, owner);
}

static int write_to(struct t2_dst *dst, struct t2_dst_batch *batch)
{
	int ret = 0;

	dst->fault = T2_DST_NOT_WRITTEN; /* unless it fails before */
	switch (dst->kind) {
	case T2_DST_OFF:
		break;
	case T2_DST_FD:
		return t2_dst_write_fd(dst, batch);
	case T2_DST_FILE:
		ret = t2_dst_write_file(dst, batch);
		if (ret != -EISDIR)
			return ret;
		dst->kind = T2_DST_DIRECTORY;
		/* fallthrough */
	case T2_DST_DIRECTORY:
		return t2_dst_write_directory(dst, batch);
	case T2_DST_SOCKET:
		return t2_dst_write_socket(dst, batch);
	}
	return ret;
}

atomic_bool t2_dst_has_threads T2_PLACE_STATE;

/* Writes under way in this process, and by this thread; who shut the gate. */
static atomic_uint nr_writing T2_PLACE_STATE;
static __thread unsigned nr_writing_here;
static _Atomic(const void *) gate_keeper T2_PLACE_STATE;

/* Returns false if only the gate's keeper may write. */
static bool pass_gate(void)
{
	const void *keeper;

	atomic_fetch_add(&nr_writing, 1);
	nr_writing_here++;
	keeper = atomic_load(&gate_keeper);
	return !keeper || keeper == &nr_writing_here;
}

static void leave_gate(void)
{
	nr_writing_here--;
	atomic_fetch_sub(&nr_writing, 1);
}

void t2_dst_begin_process(bool is_first)
{
	atomic_store(&nr_writing, nr_writing_here);
	atomic_store(&gate_keeper, NULL);
	atomic_store(&t2_dst_has_threads, false);
	t2_dst_begin_patience(is_first);
}

static uint64_t now_ms(void)
{
	struct timespec now = {0, 0};

	t2_sys_clock(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static T2_RARE void shut_gate(void)
{
	uint64_t end;

	atomic_store(&gate_keeper, &nr_writing_here);
	if (atomic_load(&nr_writing) <= nr_writing_here)
		return;
	end = now_ms() + T2_GATE_WAIT_MS;
	while (atomic_load(&nr_writing) > nr_writing_here && now_ms() < end)
		T2_SYS(SYS_sched_yield, 0);
}

void t2_dst_shut_gate(void)
{
	if (atomic_load(&t2_dst_has_threads))
		shut_gate();
}

void t2_dst_open_gate(void)
{
	atomic_store(&gate_keeper, NULL);
}

static int write_by(struct t2_dst *dst, struct t2_dst_batch *batch)
{
	struct t2_dst copy = *dst;
	struct t2_dst *used = batch->mode & T2_DST_BORROWED ? &copy : dst;
	int ret;

	if (dst->kind == T2_DST_OFF)
		return 0;
	ret = write_to(used, batch);
	/* A connection opened in a vfork child is not its parent's. */
	if (used == &copy && copy.fd != dst->fd)
		t2_sys_close(copy.fd);
	if (ret < 0)
		t2_dst_unclaim(batch);
	if (ret >= 0 || ret == -EAGAIN) {
		used->fault = T2_DST_NO_FAULT;
	} else if (used == dst) {
		if (dst->kind == T2_DST_SOCKET && dst->fd >= 0)
			t2_dst_renew(dst, true);
		fail(dst, dst->fault, ret);
	}
	return ret;
}

int t2_dst_write(struct t2_dst *dst, struct t2_dst_batch *batch)
{
	int ret = -EAGAIN;

	batch->taken = 0;
	if (pass_gate())
		ret = write_by(dst, batch);
	leave_gate();
	return ret;
}
