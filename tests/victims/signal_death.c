/* SPDX-License-Identifier: MIT */
/*
 * Dies of signal argv[1], sent in the way argv[2] names: kill, raise, queue (with
 * siginfo), fault (the processor's own) or overflow (of the stack), which altstack
 * does with a stack set aside for signals. Confirms:
 * the signal event, and the same status and core flag as without us.
 */
#include <signal.h>
#include <sys/mman.h>

#include "victim.h"

static volatile int zero;
static char room[1 << 16];

static int overflow(int depth)
{
	volatile char frame[4096];

	frame[0] = (char)depth;
	if (depth < zero) /* never, but no compiler can know */
		return 0;
	return overflow(depth + 1) + frame[0];
}

static void fault(int signo)
{
	volatile char *page;
	int fd;

	if (signo == SIGSEGV)
		*(volatile int *)NULL = 0;
	if (signo == SIGFPE)
		zero = 7 / zero;
	if (signo == SIGILL)
		__builtin_trap();
	if (signo == SIGBUS) {
		fd = memfd_create("empty", 0);
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		page[0] = 1;
	}
}

int main(int argc, char **argv)
{
	union sigval value = {.sival_int = 7};
	stack_t aside = {.ss_sp = room, .ss_size = sizeof(room)};
	int signo = argc > 2 ? atoi(argv[1]) : SIGTERM;
	const char *how = argc > 2 ? argv[2] : "kill";

	if (strcmp(how, "altstack") == 0)
		CHECK(sigaltstack(&aside, NULL) == 0);
	printf("lost with the process");
	if (strcmp(how, "raise") == 0)
		raise(signo);
	else if (strcmp(how, "queue") == 0)
		sigqueue(getpid(), signo, value);
	else if (strcmp(how, "fault") == 0)
		fault(signo);
	else if (strcmp(how, "overflow") == 0 || strcmp(how, "altstack") == 0)
		overflow(0);
	else
		kill(getpid(), signo);
	return VICTIM_FAILED;
}
