/* SPDX-License-Identifier: MIT */
/*
 * A preload that makes the system calls that the shim makes in /bin/true, with one
 * EVENT file, and does nothing else: no event is worth less. What spawn measures
 * between this and the shim is the shim's own work.
 */
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>

#define CURRENT ((long)AT_FDCWD)
#define NR_SIGNALS 16

/* The lengths of what is written at the beginning and at the end. */
#define BEGINNING 1190
#define END 1090

static char text[BEGINNING], answer[2048];
static const char *path;

static long call(long number, long a, long b, long c, long d)
{
	register long fourth __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
}

static void append(long len)
{
	const long flags =
		O_WRONLY | O_CREAT | O_NOCTTY | O_APPEND | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
	long fd = call(SYS_openat, CURRENT, (long)path, flags, 0666);

	call(SYS_pwrite64, fd, (long)text, len, 0);
	call(SYS_close, fd, 0, 0, 0);
}

static void look(const char *part)
{
	call(SYS_readlinkat, CURRENT, (long)part, (long)answer, sizeof(answer));
}

/* The kernel's struct sigaction; the handler is never called. */
static void watch(int signo)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		unsigned long mask;
	} ours = {(void *)append, 0x0c000004, (void *)append, ~0UL}, old;

	call(SYS_rt_sigaction, signo, (long)&ours, (long)&old, 8);
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **envp)
{
	static const char name[] = "GIT_TRACE2_EVENT=";

	(void)argc, (void)argv;
	for (; *envp; envp++) {
		size_t i = 0;

		while (name[i] && (*envp)[i] == name[i])
			i++;
		if (!name[i])
			path = *envp + i;
	}
	if (!path)
		return;
	look("/bin");
	look("/usr");
	look("/usr/bin");
	look("/usr/bin/true");
	call(SYS_getpid, 0, 0, 0, 0);
	for (int i = 0; i < NR_SIGNALS; i++)
		watch(i < 8 ? i + 1 : i + 2); /* not SIGKILL */
	call(SYS_getcwd, (long)answer, sizeof(answer), 0, 0);
	append(BEGINNING);
}

__attribute__((destructor)) static void end(void)
{
	if (!path)
		return;
	call(SYS_getpid, 0, 0, 0, 0);
	call(SYS_getrusage, 0, (long)answer, 0, 0);
	call(SYS_getrusage, -1, (long)answer, 0, 0);
	append(END);
}
