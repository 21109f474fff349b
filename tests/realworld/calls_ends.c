/* SPDX-License-Identifier: MIT */
/*
 * calls.c: the ways out, and death by a signal.
 */
#include "tests/realworld/calls.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_exit_leave(void)
{
	_exit(21);
}

void do_exits(void)
{
	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();

		if (pid) {
			printf("%d ", i);
			reap(pid);
			continue;
		}
		switch (i) {
		case 0:
			exit(0x1ff);
			break;
		case 1:
			_exit(-1);
			break;
		case 2:
			_Exit(2);
			break;
		case 3:
			quick_exit(3);
			break;
		case 4:
			syscall(SYS_exit_group, 4);
			break;
		case 5:
			abort();
			break;
		case 6:
			pthread_exit(NULL);
			break;
		case 7:
			syscall(SYS_exit, 7);
			break;
		}
	}
}

void do_exit_handler(void)
{
	atexit(on_exit_leave);
}

static volatile sig_atomic_t nr_caught;

static void count_signal(int signo)
{
	nr_caught += signo;
}

static void die_of(int signo, int way)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t set;

	switch (way) {
	case 0:
		raise(signo);
		break;
	case 1:
		kill(getpid(), signo);
		break;
	case 2: /* caught first, then as shells do it */
		signal(signo, count_signal);
		raise(signo);
		signal(signo, SIG_DFL);
		raise(signo);
		break;
	case 3: /* blocked first */
		sigemptyset(&set);
		sigaddset(&set, signo);
		sigprocmask(SIG_BLOCK, &set, NULL);
		sigaction(signo, &action, NULL);
		raise(signo);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		break;
	}
	_exit(99);
}

void do_signals(void)
{
	struct rlimit no_core = {0, 0};

	setrlimit(RLIMIT_CORE, &no_core);
	for (int signo = 1; signo < 32; signo++) {
		for (int way = 0; way < 4; way++) {
			pid_t pid;

			if (signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN ||
			    signo == SIGTTOU || (signo == SIGKILL && way > 1))
				continue;
			pid = fork();
			if (!pid)
				die_of(signo, way);
			printf("%d %d ", signo, way);
			reap(pid);
		}
	}
}

void do_one_shot(void)
{
	struct sigaction action = {.sa_handler = count_signal, .sa_flags = (int)SA_RESETHAND};
	pid_t pid = fork();

	if (!pid) {
		sigaction(SIGTERM, &action, NULL);
		raise(SIGTERM);
		raise(SIGTERM);
	}
	reap(pid);
}

void do_faults(void)
{
	struct rlimit no_core = {0, 0};
	int pipes[2];

	setrlimit(RLIMIT_CORE, &no_core);
	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (pid) {
			printf("%d ", i);
			reap(pid);
			continue;
		}
		switch (i) {
		case 0:
			*(volatile int *)8 = 1;
			break;
		case 1:
			__builtin_trap();
			break;
		case 2:
			if (!pipe(pipes) && !close(pipes[0]) && write(pipes[1], "", 1) < 0)
				_exit(1);
			break;
		case 3:
			alarm(1);
			pause();
			break;
		}
		_exit(99);
	}
}

void do_session_signal(void)
{
	raise(SIGTERM);
}
