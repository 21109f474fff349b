/* SPDX-License-Identifier: MIT */
/*
 * Asks for the disposition of every signal by every name there is, sets its own
 * and asks again. Confirms: the host sees what it set or inherited, never a
 * handler of ours; the table printed is that of a bare run.
 */
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "victim.h"

/* The old names are the point. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

typedef void (*handler_fn)(int);

extern int __sigaction(int signo, const struct sigaction *act, struct sigaction *old);
extern handler_fn __sysv_signal(int signo, handler_fn handler);
extern handler_fn bsd_signal(int signo, handler_fn handler);

struct name {
	const char *text;
	handler_fn (*set)(int signo, handler_fn handler);
};

static void own(int signo)
{
	(void)signo;
}

static const char *word(handler_fn handler)
{
	if (handler == SIG_DFL)
		return "default";
	if (handler == SIG_IGN)
		return "ignore";
	if (handler == SIG_ERR)
		return "error";
	return handler == own ? "own" : "FOREIGN";
}

static void print_action(int signo)
{
	struct sigaction action;
	struct sigaction again;

	if (sigaction(signo, NULL, &action) != 0 || __sigaction(signo, NULL, &again) != 0)
		return;
	printf(" %s/%x/%d", word(action.sa_handler), (unsigned)action.sa_flags,
	       sigismember(&action.sa_mask, SIGUSR2));
	CHECK(action.sa_handler == again.sa_handler && action.sa_flags == again.sa_flags);
}

static void set_by(int signo, const struct name *name)
{
	handler_fn old = name->set(signo, own);

	printf(" %s: %s", name->text, word(old));
	print_action(signo);
	printf(" %s", word(name->set(signo, old)));
	print_action(signo);
}

#define RESTORER 0x04000000UL

/* As the kernel has it. */
struct kernel_action {
	handler_fn handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};

static handler_fn by_syscall(int signo, handler_fn handler)
{
	struct kernel_action action = {.handler = handler}, seen = {0}, old;

	if (syscall(SYS_rt_sigaction, signo, NULL, &seen, sizeof(seen.mask)) != 0)
		return SIG_ERR;
	/* Without that flag it is whatever was on libc's stack. */
	printf(" [%s/%lx/%d/%lx]", word(seen.handler), seen.flags,
	       seen.flags & RESTORER && seen.restorer, (unsigned long)seen.mask);
	/* The old one may take the place of the new one. */
	old = action;
	if (syscall(SYS_rt_sigaction, signo, &old, &old, sizeof(old.mask)) != 0)
		return SIG_ERR;
	CHECK(old.handler == seen.handler && old.flags == seen.flags && old.mask == seen.mask);
	return old.handler;
}

static void print_row(int signo)
{
	static const struct name names[] = {
		{"signal", signal},
		{"bsd_signal", bsd_signal},
		{"ssignal", ssignal},
		{"sysv_signal", sysv_signal},
		{"__sysv_signal", __sysv_signal},
		{"sigset", sigset},
		{"syscall", by_syscall},
	};
	struct sigaction old;
	size_t i;

	printf("%d:", signo);
	print_action(signo);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		set_by(signo, &names[i]);
	if (sigaction(signo, NULL, &old) == 0) {
		printf(" sigignore: %d", sigignore(signo));
		print_action(signo);
		CHECK(sigaction(signo, &old, NULL) == 0 || signo == SIGKILL || signo == SIGSTOP);
		printf(" siginterrupt: %d", siginterrupt(signo, 1));
		print_action(signo);
		printf(" %d", siginterrupt(signo, 0));
		print_action(signo);
	}
	putchar('\n');
}

int main(void)
{
	int signo;

	for (signo = 0; signo <= SIGRTMAX + 1; signo++)
		print_row(signo);
	return 0;
}
