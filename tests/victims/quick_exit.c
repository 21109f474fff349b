/* SPDX-License-Identifier: MIT */
/*
 * Leaves through quick_exit; with "old", through the version that programs
 * linked long ago still refer to. Confirms: exit is told, at_quick_exit handlers
 * run, and each version keeps its own behaviour: only the old one runs the
 * destructors of thread-local objects. With "child", the last handler of all has a
 * child: it is told before the end.
 */
#include "victim.h"

extern void *__dso_handle;
extern int __cxa_at_quick_exit(void (*handler)(void *), void *dso);
extern int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *dso);

#if defined(__x86_64__)
__asm__(".symver quick_exit_old, quick_exit@GLIBC_2.10");
#elif defined(__aarch64__)
__asm__(".symver quick_exit_old, quick_exit@GLIBC_2.17");
#endif
extern void quick_exit_old(int code) __attribute__((noreturn));

static void handler(void)
{
	static const char text[] = "handler\n";

	CHECK(write(STDOUT_FILENO, text, sizeof(text) - 1) == sizeof(text) - 1);
}

static void have_child(void *unused)
{
	pid_t pid = fork();

	(void)unused;
	if (pid == 0)
		_exit(4);
	victim_reap(pid, 4);
}

static void destroy(void *object)
{
	static const char text[] = "destructor\n";

	(void)object;
	CHECK(write(STDOUT_FILENO, text, sizeof(text) - 1) == sizeof(text) - 1);
}

int main(int argc, char **argv)
{
	(void)argc;
	if (victim_asked(argv, "child"))
		CHECK(__cxa_at_quick_exit(have_child, &__dso_handle) == 0);
	CHECK(at_quick_exit(handler) == 0);
	CHECK(__cxa_thread_atexit_impl(destroy, NULL, &__dso_handle) == 0);
	if (victim_asked(argv, "old"))
		quick_exit_old(6);
	quick_exit(5);
}
