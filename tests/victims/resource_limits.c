/* SPDX-License-Identifier: MIT */
/*
 * Lives under limits: no data, hardly any stack for what it executes, little memory that
 * may be locked while all of it is, and a single process. Confirms: what works without
 * us works, and what fails fails with the same error.
 */
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "victim.h"

extern char **environ;
static char *true_argv[] = {"true", NULL};

static void print(const char *what, int got)
{
	printf("%s %d %d\n", what, got, got ? errno : 0);
}

/* In a child, so that limits do not add up. */
static void under(const char *what, int resource, rlim_t value, void (*live)(void))
{
	struct rlimit limit = {value, value};
	int status;
	pid_t pid;

	printf("%s\n", what);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		CHECK(setrlimit(resource, &limit) == 0);
		live();
		fflush(stdout);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	printf("ended %x\n", (unsigned)status);
}

static void have_children(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	pid = vfork();
	if (pid == 0) {
		execv("/bin/true", true_argv);
		_exit(99);
	}
	victim_reap(pid, 0);
	errno = 0;
	print("system", system("exit 4"));
}

static void lock_all(void)
{
	print("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE));
	have_children();
}

static void *idle(void *unused)
{
	return unused;
}

static void be_alone(void)
{
	pthread_t thread;
	pid_t pid;

	if (geteuid() == 0)
		CHECK(setuid(65533) == 0);
	print("fork", fork() < 0);
	errno = EAGAIN; /* glibc's spawn does not set it */
	print("spawn", posix_spawn(&pid, "/bin/true", NULL, NULL, true_argv, environ));
	errno = 0;
	print("system", system("exit 4") != 4 << 8);
	print("popen", popen("exit 0", "r") == NULL);
	errno = EAGAIN;
	print("thread", pthread_create(&thread, NULL, idle, NULL));
}

int main(void)
{
	under("data", RLIMIT_DATA, 0, have_children);
	under("stack", RLIMIT_STACK, 65536, have_children);
	under("locked", RLIMIT_MEMLOCK, 64 << 20, lock_all);
	under("processes", RLIMIT_NPROC, 1, be_alone);
	return 0;
}
