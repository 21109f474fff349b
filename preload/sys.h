/* SPDX-License-Identifier: MIT */
/*
 * Raw system calls, and the complete list of those the shim makes.
 *
 * They return -errno and never touch errno, are never a cancellation point, and
 * cannot be captured: a call through libc's name could land in the host (bash
 * exports its own getenv), in another preload, or in our own hook.
 *
 * Context of all of them: any.
 */
#ifndef T2_PRELOAD_SYS_H
#define T2_PRELOAD_SYS_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

#if defined(__x86_64__)
#include "preload/sys_x86_64.h"
#elif defined(__aarch64__)
#include "preload/sys_aarch64.h"
#else
#error "no system call instruction for this processor: add preload/sys_<arch>.h"
#endif

/* Make system call @nr with one to six arguments. */
#define T2_SYS(nr, ...) T2_SYS_PAD(nr, __VA_ARGS__, 0, 0, 0, 0, 0)
#define T2_SYS_PAD(nr, a, b, c, d, e, f, ...)                                                      \
	t2_sys6(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* The kernel's signal set is a word; glibc's sigset_t is larger. */
#define T2_KERNEL_SIGSET_SIZE 8

/* What rt_sigaction takes; glibc's struct sigaction has another order. */
struct t2_kernel_sigaction {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static inline pid_t t2_sys_getpid(void)
{
	return (pid_t)T2_SYS(SYS_getpid, 0);
}

static inline pid_t t2_sys_getppid(void)
{
	return (pid_t)T2_SYS(SYS_getppid, 0);
}

static inline pid_t t2_sys_getpgid(void)
{
	return (pid_t)T2_SYS(SYS_getpgid, 0);
}

static inline uid_t t2_sys_geteuid(void)
{
	return (uid_t)T2_SYS(SYS_geteuid, 0);
}

static inline pid_t t2_sys_gettid(void)
{
	return (pid_t)T2_SYS(SYS_gettid, 0);
}

static inline int t2_sys_open(const char *path, int flags, mode_t mode)
{
	return (int)T2_SYS(SYS_openat, AT_FDCWD, path, flags, mode);
}

static inline int t2_sys_openat(int dirfd, const char *path, int flags, mode_t mode)
{
	return (int)T2_SYS(SYS_openat, dirfd, path, flags, mode);
}

static inline int t2_sys_close(int fd)
{
	return (int)T2_SYS(SYS_close, fd);
}

static inline ssize_t t2_sys_read(int fd, void *buf, size_t size)
{
	return T2_SYS(SYS_read, fd, buf, size);
}

static inline ssize_t t2_sys_pread(int fd, void *buf, size_t size, off_t at)
{
	return T2_SYS(SYS_pread64, fd, buf, size, at);
}

static inline ssize_t t2_sys_pwrite(int fd, const void *buf, size_t size, off_t at)
{
	return T2_SYS(SYS_pwrite64, fd, buf, size, at);
}

static inline int t2_sys_fcntl(int fd, int command, long arg)
{
	return (int)T2_SYS(SYS_fcntl, fd, command, arg);
}

static inline int t2_sys_ioctl(int fd, unsigned long request, void *arg)
{
	return (int)T2_SYS(SYS_ioctl, fd, request, arg);
}

static inline int t2_sys_fstat(int fd, struct stat *st)
{
	return (int)T2_SYS(SYS_fstat, fd, st);
}

static inline int t2_sys_stat(int dirfd, const char *path, struct stat *st)
{
	return (int)T2_SYS(SYS_newfstatat, dirfd, path, st, 0);
}

/* Of a symbolic link itself. */
static inline int t2_sys_lstat(const char *path, struct stat *st)
{
	return (int)T2_SYS(SYS_newfstatat, AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

/* With the real ids, as access() does. */
static inline int t2_sys_access(int dirfd, const char *path, int mode)
{
	return (int)T2_SYS(SYS_faccessat, dirfd, path, mode);
}

static inline ssize_t t2_sys_readlink(const char *path, char *buf, size_t size)
{
	return T2_SYS(SYS_readlinkat, AT_FDCWD, path, buf, size);
}

static inline ssize_t t2_sys_getdents(int fd, void *buf, size_t size)
{
	return T2_SYS(SYS_getdents64, fd, buf, size);
}

/* Returns the length with the NUL, or -errno. */
static inline ssize_t t2_sys_getcwd(char *buf, size_t size)
{
	return T2_SYS(SYS_getcwd, buf, size);
}

static inline int t2_sys_uname(struct utsname *name)
{
	return (int)T2_SYS(SYS_uname, name);
}

static inline int t2_sys_getrusage(int who, struct rusage *usage)
{
	return (int)T2_SYS(SYS_getrusage, who, usage);
}

static inline int t2_sys_getrlimit(int resource, struct rlimit *limit)
{
	return (int)T2_SYS(SYS_prlimit64, 0, resource, NULL, limit);
}

/* Returns the mapping, or NULL. */
static inline void *t2_sys_map(size_t size, int flags)
{
	long at = T2_SYS(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	return at < 0 && at > -4096 ? NULL : (void *)at;
}

static inline void t2_sys_unmap(void *at, size_t size)
{
	T2_SYS(SYS_munmap, at, size);
}

static inline int t2_sys_socket(int type)
{
	return (int)T2_SYS(SYS_socket, AF_UNIX, type, 0);
}

static inline int t2_sys_connect(int fd, const struct sockaddr *to, socklen_t len)
{
	return (int)T2_SYS(SYS_connect, fd, to, len);
}

static inline ssize_t t2_sys_send(int fd, const void *buf, size_t size, int flags)
{
	return T2_SYS(SYS_sendto, fd, buf, size, flags, 0, 0);
}

static inline int t2_sys_poll(struct pollfd *fd, int timeout_ms)
{
	struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};

	return (int)T2_SYS(SYS_ppoll, fd, 1, &timeout, 0, T2_KERNEL_SIGSET_SIZE);
}

static inline int t2_sys_sigaction(int signo, const struct t2_kernel_sigaction *act,
				   struct t2_kernel_sigaction *old)
{
	return (int)T2_SYS(SYS_rt_sigaction, signo, act, old, T2_KERNEL_SIGSET_SIZE);
}

static inline int t2_sys_sigmask(int how, const uint64_t *set, uint64_t *old)
{
	return (int)T2_SYS(SYS_rt_sigprocmask, how, set, old, T2_KERNEL_SIGSET_SIZE);
}

/* Take one pending signal of @set; does not wait. */
static inline int t2_sys_sigtake(const uint64_t *set)
{
	struct timespec now = {0, 0};

	return (int)T2_SYS(SYS_rt_sigtimedwait, set, 0, &now, T2_KERNEL_SIGSET_SIZE);
}

static inline int t2_sys_sigpending(uint64_t *set)
{
	return (int)T2_SYS(SYS_rt_sigpending, set, T2_KERNEL_SIGSET_SIZE);
}

/* Queue @signo with its original @info for one thread of process @pid. */
static inline int t2_sys_sigqueue(pid_t pid, pid_t tid, int signo, siginfo_t *info)
{
	return (int)T2_SYS(SYS_rt_tgsigqueueinfo, pid, tid, signo, info);
}

static inline int t2_sys_clock(clockid_t clock, struct timespec *now)
{
	return (int)T2_SYS(SYS_clock_gettime, clock, now);
}

/* The kernel's waitid, which unlike libc's tells what the child used. */
static inline int t2_sys_waitid(int type, id_t id, siginfo_t *info, int options,
				struct rusage *usage)
{
	return (int)T2_SYS(SYS_waitid, type, id, info, options, usage);
}

/*
 * write(), and pwrite() at offset 0. On a file opened with O_APPEND the latter
 * appends all the same (pwrite(2), BUGS), but on a pipe it fails with ESPIPE
 * instead of raising SIGPIPE, so that what a path names need not be asked first.
 *
 * They return at addresses the signal handler knows: when SIGXFSZ interrupts
 * there, our own line hit the file-size limit, and not the host's.
 */
ssize_t t2_sys_write(int fd, const void *buf, size_t size);
ssize_t t2_sys_append(int fd, const void *buf, size_t size);

/* write() that fails with EAGAIN where it would wait, whatever the descriptor's flags. */
static inline ssize_t t2_sys_write_nowait(int fd, const void *buf, size_t size)
{
	const struct iovec part = {(void *)(uintptr_t)buf, size};

	return T2_SYS(SYS_pwritev2, fd, &part, 1, -1, -1, RWF_NOWAIT);
}

/* Whether @pc is where one of the two returns from the kernel. */
_Bool t2_sys_is_write(uintptr_t pc);

#endif
