/* SPDX-License-Identifier: MIT */
/*
 * A preload as it must not be: before main, or at the end, it does the one thing
 * that the variable BAD names. The harness has to notice each.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_asked(const char *what)
{
	const char *bad = getenv("BAD");

	return bad && strcmp(bad, what) == 0;
}

static void nothing(int signo)
{
	(void)signo;
}

static void *sleep_on(void *arg)
{
	pause();
	return arg;
}

/* A system call of its own, and not libc's: only its place gives it away. */
static long call(long nr, long a, long b, long c)
{
#if defined(__x86_64__)
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return ret;
#else
	return syscall(nr, a, b, c);
#endif
}

static void change_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_STACK, &limit);
	limit.rlim_cur += 4096;
	setrlimit(RLIMIT_STACK, &limit);
}

static void block(int signo)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void start_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_on, NULL);
}

__attribute__((constructor)) static void begin(void)
{
	if (is_asked("descriptor"))
		(void)!open("/dev/null", O_RDONLY);
	if (is_asked("cloexec"))
		fcntl(0, F_SETFD, FD_CLOEXEC);
	if (is_asked("close5"))
		close(5);
	if (is_asked("own-close5"))
		call(SYS_close, 5, 0, 0);
	if (is_asked("ignore"))
		signal(SIGPIPE, SIG_IGN);
	if (is_asked("catch"))
		signal(SIGURG, nothing);
	if (is_asked("block"))
		block(SIGUSR1);
	if (is_asked("variable"))
		setenv("ADDED", "1", 1);
	if (is_asked("stdout"))
		(void)!write(1, "hello\n", 6);
	if (is_asked("stderr"))
		(void)!write(2, "hello\n", 6);
	if (is_asked("call"))
		syscall(SYS_getppid);
	if (is_asked("own-call"))
		call(SYS_getpriority, 0, 0, 0);
	if (is_asked("umask"))
		umask(077);
	if (is_asked("thread"))
		start_thread();
	if (is_asked("limit"))
		change_limit();
	if (is_asked("core"))
		prctl(PR_SET_DUMPABLE, 0);
	if (is_asked("file"))
		close(open("left", O_WRONLY | O_CREAT, 0600));
	if (is_asked("chdir"))
		(void)!chdir("/");
	if (is_asked("map"))
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, open("/etc/passwd", O_RDONLY | O_CLOEXEC),
		     0);
	if (is_asked("timer"))
		alarm(1000);
}

__attribute__((destructor)) static void end(void)
{
	if (is_asked("status"))
		_exit(7);
	if (is_asked("late-descriptor"))
		(void)!open("/dev/null", O_RDONLY);
	if (is_asked("late-block"))
		block(SIGUSR1);
}
