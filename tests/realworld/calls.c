/* SPDX-License-Identifier: MIT */
/*
 * Every call that makes, replaces, ends or awaits a process, each as a verb:
 * calls VERB. What a verb finds out it prints; its end is part of the test.
 */
#include "tests/realworld/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

char *const exit_3[] = {"sh", "-c", "exit 3", NULL};
static const char *self;

void reap(pid_t pid)
{
	int status = -1;
	pid_t got = waitpid(pid, &status, 0);

	printf("reaped %d status %#x\n", got > 0, (unsigned)status);
	fflush(stdout);
}

static void do_execs(void)
{
	static const char *const names[] = {"execl",   "execle",   "execlp",  "execv",	"execvp",
					    "execvpe", "execveat", "fexecve", "syscall"};
	char *const none[] = {NULL};

	for (int i = 0; i < 9; i++) {
		pid_t pid = fork();

		if (pid) {
			printf("%s ", names[i]);
			reap(pid);
			continue;
		}
		switch (i) {
		case 0:
			execl("/bin/sh", "sh", "-c", "exit 3", NULL);
			break;
		case 1:
			execle("/bin/sh", "sh", "-c", "exit 3", NULL, none);
			break;
		case 2:
			execlp("sh", "sh", "-c", "exit 3", NULL);
			break;
		case 3:
			execv("/bin/sh", exit_3);
			break;
		case 4:
			execvp("sh", exit_3);
			break;
		case 5:
			execvpe("sh", exit_3, none);
			break;
		case 6:
			execveat(open("/bin", O_RDONLY | O_CLOEXEC), "sh", exit_3, environ, 0);
			break;
		case 7:
			fexecve(open("/bin/sh", O_RDONLY | O_CLOEXEC), exit_3, environ);
			break;
		case 8:
			syscall(SYS_execve, "/bin/sh", exit_3, environ);
			break;
		}
		_exit(99);
	}
}

static void do_failed_execs(void)
{
	char *const odd[] = {"odd", NULL};
	pid_t pid;

	printf("%d", execv("/nosuchfile_t2", odd));
	printf(" %d\n", errno);
	printf("%d", execvp("nosuchfile_t2", odd));
	printf(" %d\n", errno);
	printf("%d", execv("/", odd));
	printf(" %d\n", errno);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		execv("/nosuchfile_t2", odd);
		execv("/bin/nosuchfile_t2", odd);
		_exit(4);
	}
	reap(pid);
	pid = vfork();
	if (!pid) {
		execv("/nosuchfile_t2", odd);
		_exit(5);
	}
	reap(pid);
	pid = vfork();
	if (!pid) {
		execv("/nosuchfile_t2", odd);
		execv("/bin/sh", exit_3);
		_exit(6);
	}
	reap(pid);
	execv("/bin/sh", exit_3);
}

static void do_spawns(void)
{
	char *const odd[] = {"nosuchfile_t2", "a", NULL};
	pid_t pid = -1;

	printf("%d ", posix_spawn(&pid, "/bin/sh", NULL, NULL, exit_3, environ));
	reap(pid);
	printf("%d ", posix_spawnp(&pid, "sh", NULL, NULL, exit_3, environ));
	reap(pid);
	printf("%d\n", posix_spawn(&pid, "/nosuchfile_t2", NULL, NULL, odd, environ));
	printf("%d\n", posix_spawnp(&pid, "nosuchfile_t2", NULL, NULL, odd, environ));
	printf("%d ", posix_spawn(NULL, "/bin/true", NULL, NULL, odd, NULL));
	reap(-1);
}

static void do_shells(void)
{
	/* Some programs end a popen stream so; the compiler is not to know. */
	int (*volatile end)(FILE *) = fclose;
	FILE *stream;

	printf("system %#x\n", (unsigned)system("exit 3"));
	printf("system %#x\n", (unsigned)system("kill -KILL $$"));
	printf("system %d\n", system(NULL) != 0);
	fflush(stdout);
	stream = popen("echo popen; exit 4", "r");
	while (stream && getc(stream) != EOF)
		;
	printf("pclose %#x\n", (unsigned)(stream ? pclose(stream) : -1));
	stream = popen("cat >/dev/null; exit 5", "w");
	printf("fclose %#x\n", (unsigned)(stream ? end(stream) : -1));
}

static void do_wordexp(void)
{
	wordexp_t words;

	printf("wordexp %d", wordexp("a $(echo b c) d", &words, 0));
	printf(" %zu\n", words.we_wordc);
}

static void do_waits(void)
{
	struct rusage usage;
	siginfo_t info;
	int status;
	pid_t pid;

	for (int i = 0; i < 7; i++) {
		pid = fork();
		if (!pid)
			_exit(10 + i);
		memset(&info, 0, sizeof(info));
		status = 0;
		switch (i) {
		case 0:
			wait(&status);
			break;
		case 1:
			wait3(&status, 0, &usage);
			break;
		case 2:
			wait4(pid, &status, 0, &usage);
			break;
		case 3:
			waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
			waitid(P_ALL, 0, &info, WEXITED);
			break;
		case 4:
			syscall(SYS_wait4, pid, &status, 0, NULL);
			break;
		case 5:
			while (!waitpid(pid, &status, WNOHANG))
				usleep(100);
			break;
		case 6:
			waitpid(pid, NULL, 0);
			break;
		}
		printf("%#x %d\n", (unsigned)status, info.si_status);
	}
}

static void do_stops(void)
{
	int pipes[2], status;
	char byte = 0;
	pid_t pid;

	if (pipe(pipes))
		return;
	pid = fork();
	if (!pid) {
		raise(SIGSTOP);
		_exit(read(pipes[0], &byte, 1) == 1 ? 3 : 4);
	}
	waitpid(pid, &status, WUNTRACED);
	printf("stopped %d\n", WIFSTOPPED(status));
	kill(pid, SIGCONT);
	waitpid(pid, &status, WCONTINUED);
	printf("continued %d\n", WIFCONTINUED(status));
	if (write(pipes[1], &byte, 1) == 1)
		reap(pid);
}

static void do_unreaped(void)
{
	for (volatile int i = 0; i < 3; i++) {
		pid_t pid = i == 1 ? vfork() : fork();

		if (!pid) {
			if (i)
				execl("/bin/true", "true", NULL);
			_exit(i);
		}
	}
	usleep(100000);
}

static void do_ignored(void)
{
	signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 3; i++) {
		if (!fork())
			_exit(i);
		printf("%d\n", (int)wait(NULL));
	}
	printf("system %d\n", system("exit 3"));
	fflush(stdout);
}

static int clone_child(void *arg)
{
	if (arg)
		execv("/bin/sh", exit_3);
	return 8;
}

static void do_clones(void)
{
	static char stack[2][65536] __attribute__((aligned(16)));

	reap(clone(clone_child, stack[1], SIGCHLD, NULL));
	reap(clone(clone_child, stack[1], SIGCHLD, stack));
	reap(clone(clone_child, stack[1], CLONE_VM | CLONE_VFORK | SIGCHLD, stack));
	reap(clone(clone_child, stack[1], CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
}

static void do_ptys(void)
{
	int fd;
	pid_t pid = forkpty(&fd, NULL, NULL, NULL);

	if (!pid)
		execv("/bin/sh", exit_3);
	reap(pid);
}

static void do_daemon(void)
{
	fflush(stdout);
	if (daemon(1, 1))
		exit(1);
	exit(system("exit 9") >> 8);
}

static void do_generations(void)
{
	for (int i = 0; i < 12; i++) {
		pid_t pid = fork();

		if (pid) {
			reap(pid);
			_exit(i);
		}
	}
	_exit(42);
}

/* Executes itself over and over: calls re N. */
static void re_exec(const char *count)
{
	char next[16];
	int left = atoi(count);

	if (!left)
		exit(13);
	snprintf(next, sizeof(next), "%d", left - 1);
	execl(self, self, "re", next, NULL);
}

static void do_deep(void)
{
	re_exec("150");
}

static void do_odd_arguments(void)
{
	char *long_arg = malloc(100001);
	char *const args[] = {"", "\xff\xfe\"\\\n\t\x01", "\xc3\xa4\xed\xa0\x80", long_arg, NULL};
	char *const nothing[] = {NULL};
	pid_t pid;

	memset(long_arg, 'x', 100000);
	long_arg[100000] = '\0';
	printf("%d ", posix_spawn(&pid, "/bin/true", NULL, NULL, args, environ));
	reap(pid);
	pid = fork();
	if (!pid) {
		execve("/bin/true", nothing, environ);
		_exit(9);
	}
	reap(pid);
}

static void do_cleared(void)
{
	char *const two[] = {"A=1", "B=2", NULL};
	pid_t pid = fork();

	if (!pid) {
		clearenv();
		execl("/bin/sh", "sh", "-c", "/usr/bin/env | sort; exit 3", NULL);
	}
	reap(pid);
	pid = vfork();
	if (!pid) {
		execle("/bin/sh", "sh", "-c", "/usr/bin/env -i /usr/bin/env; exit 3", NULL, two);
		_exit(1);
	}
	reap(pid);
	if (!posix_spawn(&pid, "/usr/bin/env", NULL, NULL, exit_3 + 3, two))
		reap(pid);
}

static void do_closed(void)
{
	pid_t pid;

	close_range(3, ~0U, 0);
	pid = fork();
	if (!pid) {
		close_range(0, ~0U, 0);
		execv("/bin/sh", exit_3);
		_exit(1);
	}
	reap(pid);
	reap(fork() ? -1 : (_exit(4), 0));
}

static const struct {
	const char *name;
	void (*run)(void);
} verbs[] = {
	{"threads", do_threads},
	{"thread_exec", do_thread_exec},
	{"thread_exit", do_thread_exit},
	{"orphaned_thread_exec", do_orphaned_thread_exec},
	{"main_thread_ends_first", do_main_thread_ends_first},
	{"child_threads", do_fork_in_thread_child_threads},
	{"execs", do_execs},
	{"failed_execs", do_failed_execs},
	{"spawns", do_spawns},
	{"shells", do_shells},
	{"wordexp", do_wordexp},
	{"waits", do_waits},
	{"stops", do_stops},
	{"unreaped", do_unreaped},
	{"ignored", do_ignored},
	{"clones", do_clones},
	{"ptys", do_ptys},
	{"daemon", do_daemon},
	{"generations", do_generations},
	{"deep", do_deep},
	{"odd_arguments", do_odd_arguments},
	{"exits", do_exits},
	{"exit_handler", do_exit_handler},
	{"signals", do_signals},
	{"one_shot", do_one_shot},
	{"faults", do_faults},
	{"session_signal", do_session_signal},
	{"cleared", do_cleared},
	{"closed", do_closed},
};

int main(int argc, char **argv)
{
	/* A child must not print again what its parent has not yet written. */
	setvbuf(stdout, NULL, _IONBF, 0);
	self = argv[0];
	if (argc > 2 && !strcmp(argv[1], "re"))
		re_exec(argv[2]);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (argc < 2) {
			puts(verbs[i].name);
		} else if (!strcmp(argv[1], verbs[i].name)) {
			verbs[i].run();
			return 0;
		}
	}
	return argc < 2 ? 0 : 2;
}
