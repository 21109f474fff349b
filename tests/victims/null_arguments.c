/* SPDX-License-Identifier: MIT */
/*
 * Calls that libc or the kernel refuse: NULL, empty, wild and impossible arguments.
 * Confirms: the same refusal with the same errno, and no crash of ours where we
 * look into what the kernel would only have refused. A wild string inside a sound
 * vector is left out: that one we cannot see cheaply.
 */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>

#include "victim.h"

/* Behind a volatile pointer, so that no compiler knows better beforehand. */
static int (*volatile run_execve)(const char *, char *const *, char *const *) = execve;
static int (*volatile run_execvp)(const char *, char *const *) = execvp;
static FILE *(*volatile run_popen)(const char *, const char *) = popen;

int main(void)
{
	char *argv[] = {(char[]){"x"}, NULL};
	char *none[] = {NULL};
	struct sigaction action = {.sa_handler = SIG_IGN};
	pid_t pid = -7;

	errno = 0;
	CHECK(run_execve(NULL, argv, none) == -1 && errno == EFAULT);
	CHECK(run_execve("", argv, none) == -1 && errno == ENOENT);
	CHECK(run_execve("/nonexistent", NULL, NULL) == -1 && errno == ENOENT);
	CHECK(run_execve("/nonexistent", none, none) == -1 && errno == ENOENT);
	CHECK(run_execve("/bin/true", (char **)8, none) == -1 && errno == EFAULT);
	CHECK(run_execve("/bin/true", argv, (char **)8) == -1 && errno == EFAULT);
	CHECK(run_execve((char *)8, argv, none) == -1 && errno == EFAULT);
	CHECK(run_execvp("", argv) == -1 && errno == ENOENT);
	CHECK(unsetenv("PATH") == 0);
	CHECK(run_execvp("nonexistent-program", argv) == -1 && errno == ENOENT);
	CHECK(posix_spawn(&pid, "", NULL, NULL, argv, none) == ENOENT);
	CHECK(posix_spawn(&pid, "/nonexistent", NULL, NULL, argv, NULL) == ENOENT);
	CHECK(!run_popen("true", "") && errno == EINVAL);
	CHECK(sigaction(0, NULL, NULL) == -1 && errno == EINVAL);
	CHECK(sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL);
	CHECK(sigaction(NSIG, &action, NULL) == -1 && errno == EINVAL);
	CHECK(sigaction(SIGTERM, NULL, NULL) == 0);
	CHECK(signal(SIGTERM, SIG_ERR) == SIG_ERR && errno == EINVAL);
	CHECK(waitid((idtype_t)77, 0, NULL, WEXITED) == -1 && errno == EINVAL);
	CHECK(waitid(P_ALL, 0, NULL, 0) == -1 && errno == EINVAL);
	puts("refused");
	return 0;
}
