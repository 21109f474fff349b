/* SPDX-License-Identifier: MIT */
/*
 * Has children with its environment gone, on the stack, where it cannot be written, and
 * with entries that are none; and changes it behind libc's back. Confirms: each child
 * sees what its parent had at that moment, and nobody writes into that.
 */
#include <spawn.h>
#include <sys/mman.h>

#include "victim.h"

extern char **environ;

/* What it prints is what it was given: no names of ours, and no PWD of a shell's. */
#define PRINT "env | grep -vE '^(PWD|SHLVL|OLDPWD|_|LD_PRELOAD|GIT_TRACE2.*)='"

static void show(const char *what)
{
	char *argv[] = {"sh", "-c", PRINT, NULL};
	FILE *pipe;
	char line[256];
	pid_t pid;

	printf("%s\n", what);
	fflush(stdout);
	CHECK(system(PRINT) >= 0);
	CHECK(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0);
	CHECK(waitpid(pid, NULL, 0) == pid);
	pipe = popen(PRINT, "r");
	CHECK(pipe != NULL);
	while (fgets(line, sizeof(line), pipe))
		fputs(line, stdout);
	CHECK(pclose(pipe) >= 0);
	pid = fork();
	if (pid == 0) {
		execv("/bin/sh", argv);
		_exit(99);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
}

int main(void)
{
	static char *own[] = {"B=2", "B=3", "no variable", "=nameless", "PATH=/bin:/usr/bin", NULL};
	char text[] = "STACKED=1";
	char **page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(page != MAP_FAILED);
	environ = NULL;
	show("none");
	CHECK(putenv("PATH=/bin:/usr/bin") == 0 && putenv(text) == 0);
	show("on the stack");
	strcpy(text, "CHANGED=2");
	show("changed");
	environ = own;
	show("its own");
	CHECK(!strcmp(environ[0], "B=2") && !strcmp(environ[3], "=nameless") && !environ[5]);
	page[0] = "PATH=/bin:/usr/bin";
	page[1] = "READ=only";
	CHECK(mprotect(page, 4096, PROT_READ) == 0);
	environ = page;
	show("read-only");
	return 0;
}
