/* SPDX-License-Identifier: MIT */
/*
 * Loads a second libc into a namespace of its own and has children by that and by the
 * first one, in turns. Confirms: children that come into being where nobody of ours
 * looks are children all the same, and disturb nobody.
 */
#include <dlfcn.h>

#include "victim.h"

int main(void)
{
	void *libc = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
	pid_t (*fork2)(void);
	pid_t (*waitpid2)(pid_t, int *, int);
	int (*system2)(const char *);
	void (*exit2)(int);
	pid_t pid;
	int status;

	CHECK(libc != NULL);
	fork2 = (pid_t(*)(void))dlsym(libc, "fork");
	waitpid2 = (pid_t(*)(pid_t, int *, int))dlsym(libc, "waitpid");
	system2 = (int (*)(const char *))dlsym(libc, "system");
	exit2 = (void (*)(int))dlsym(libc, "_exit");
	CHECK(fork2 && waitpid2 && system2 && exit2);
	CHECK(system2("exit 3") == 3 << 8);
	pid = fork2();
	if (pid == 0)
		exit2(4);
	CHECK(waitpid2(pid, &status, 0) == pid && status == 4 << 8);
	/* Born there, it goes on here, and the other way round. */
	pid = fork2();
	if (pid == 0) {
		pid = fork();
		if (pid == 0)
			exit2(5);
		victim_reap(pid, 5);
		_exit(6);
	}
	victim_reap(pid, 6);
	pid = fork();
	if (pid == 0)
		execl("/bin/sh", "sh", "-c", "exit 7", NULL);
	CHECK(waitpid2(pid, &status, 0) == pid && status == 7 << 8);
	puts("done");
	return 0;
}
