/* SPDX-License-Identifier: MIT */
/*
 * forkpty: once with an exec in the child and once without. Confirms: announced
 * as with fork; the terminal carries only the child's own output.
 */
#include <pty.h>

#include "victim.h"

static void print_all(int terminal)
{
	char text[128];
	ssize_t len;

	while ((len = read(terminal, text, sizeof(text))) > 0) /* EIO is the end here */
		CHECK(write(STDOUT_FILENO, text, (size_t)len) == len);
	close(terminal);
}

int main(void)
{
	int terminal;
	pid_t pid = forkpty(&terminal, NULL, NULL, NULL);

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "echo exec; exit 3", (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	print_all(terminal);
	victim_reap(pid, 3);
	pid = forkpty(&terminal, NULL, NULL, NULL);
	if (pid == 0) {
		puts("no exec");
		exit(4);
	}
	print_all(terminal);
	victim_reap(pid, 4);
	return 0;
}
