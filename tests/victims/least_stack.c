/* SPDX-License-Identifier: MIT */
/*
 * Has children in every way there is, and another thread, in a thread with the least
 * stack there may be, at whose end is a page that may not be touched. Confirms: what we
 * need of a stack is there wherever a program could run at all.
 */
#include <limits.h>
#include <pthread.h>
#include <spawn.h>

#include "victim.h"

extern char **environ;
static char *true_argv[] = {"true", NULL};

static void *idle(void *unused)
{
	return unused;
}

static void *have_children(void *attr)
{
	char line[8] = "";
	pthread_t thread;
	FILE *stream;
	pid_t pid;

	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", "a", "b", NULL);
		_exit(99);
	}
	victim_reap(pid, 0);
	pid = fork();
	if (pid == 0) {
		execvp("true", true_argv);
		_exit(99);
	}
	victim_reap(pid, 0);
	pid = fork();
	if (pid == 0)
		exit(5);
	victim_reap(pid, 5);
	CHECK(posix_spawnp(&pid, "true", NULL, NULL, true_argv, environ) == 0);
	victim_reap(pid, 0);
	CHECK(system("exit 3") == 3 << 8);
	stream = popen("echo x", "r");
	CHECK(stream && fgets(line, sizeof(line), stream) && pclose(stream) == 0);
	CHECK(pthread_create(&thread, attr, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	CHECK(pthread_attr_init(&attr) == 0);
	CHECK(pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN) == 0);
	CHECK(pthread_create(&thread, &attr, have_children, &attr) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	puts("done");
	return 0;
}
