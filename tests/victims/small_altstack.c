/* SPDX-License-Identifier: MIT */
/*
 * Has an alternate stack that holds the kernel's frame and hardly more, below it a page
 * that may not be touched; a handler on it has children and ends the process. Or
 * ("term"), it is killed by a signal that it does not handle. Confirms: whoever handles
 * nothing on that stack dies of that signal, and hooks do not overflow it.
 */
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "victim.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

#define PAGE 65536 /* of any machine */

static char *no_argv[] = {"none", NULL};

static pid_t have_child(pid_t (*make)(void))
{
	pid_t pid = make();

	if (pid == 0) {
		execv("/bin/true", no_argv);
		_exit(1);
	}
	return pid;
}

static void reap(pid_t pid)
{
	int status = -1;

	if (waitpid(pid, &status, 0) != pid || status)
		_exit(1);
}

static void on_usr1(int signo)
{
	(void)signo;
	reap(have_child(fork));
	reap(have_child(vfork));
	_exit(5);
}

int main(int argc, char **argv)
{
	size_t frame = getauxval(AT_MINSIGSTKSZ) ? getauxval(AT_MINSIGSTKSZ) : 2048;
	struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_ONSTACK};
	stack_t stack = {.ss_size = victim_asked(argv, "term") ? 2048 : frame + 1024};
	char *memory =
		mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)argc;
	CHECK(memory != MAP_FAILED && mprotect(memory, PAGE, PROT_NONE) == 0);
	stack.ss_sp = memory + PAGE;
	/* Where frames are larger than that the kernel may refuse. */
	if (sigaltstack(&stack, NULL) < 0)
		CHECK(errno == ENOMEM);
	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	raise(victim_asked(argv, "term") ? SIGTERM : SIGUSR1);
	return 1;
}
