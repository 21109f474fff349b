/* SPDX-License-Identifier: MIT */
/*
 * system: successful, failing, killed, unknown command, and the question for a
 * shell. Confirms: class system with use_shell and the command as given, and
 * child_exit with the code of the command. Asking for a shell runs one.
 */
#include <signal.h>

#include "victim.h"

int main(void)
{
	int status;

	CHECK(system(NULL) != 0);
	CHECK(system("true") == 0);
	status = system("exit 3");
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	status = system("kill -KILL $$");
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	status = system("exec 2>/dev/null; nonexistent-program");
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 127);
	return 0;
}
