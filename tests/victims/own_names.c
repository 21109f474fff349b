/* SPDX-License-Identifier: MIT */
/*
 * The program has functions of its own under names of the C library, and they do
 * something else. Confirms: nobody but the program calls them.
 */
#include <pthread.h>
#include <sys/syscall.h>

#include "victim.h"

/* By its symbol alone: the headers say something else of these names. */
#define OWN(name)                                                                                  \
	void own_##name(void) __asm__(#name);                                                      \
	void own_##name(void)                                                                      \
	{                                                                                          \
		static const char text[] = "called: " #name "\n";                                  \
		syscall(SYS_write, 2, text, sizeof(text) - 1);                                     \
		_exit(VICTIM_FAILED);                                                              \
	}

OWN(getenv)
OWN(secure_getenv)
OWN(putenv)
OWN(on_exit)
OWN(at_quick_exit)
OWN(openat)
OWN(pwrite)
OWN(fcntl)
OWN(gettimeofday)
OWN(gethostname)
OWN(readlink)
OWN(getcwd)
OWN(sigprocmask)
OWN(sigtimedwait)
OWN(pthread_sigmask)
OWN(poll)
OWN(socket)
OWN(connect)
OWN(send)
OWN(mmap)
OWN(munmap)
OWN(backtrace)
OWN(trace2_region_enter)

static void *idle(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	CHECK(system("exit 4") == 4 << 8);
	return 0;
}
