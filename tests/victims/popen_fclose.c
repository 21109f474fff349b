/* SPDX-License-Identifier: MIT */
/*
 * popen ended by fclose, which reaps the child too. Confirms: child_exit without
 * any pclose; an ordinary stream's fclose is none.
 */
#include "victim.h"

int main(void)
{
	FILE *stream = popen("exit 4", "r");
	FILE *file = fopen("/dev/null", "r");
	int (*volatile end)(FILE *) = fclose; /* gcc knows better and warns */
	int status;

	CHECK(stream && file);
	CHECK(fgetc(stream) == EOF);
	status = end(stream);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 4);
	CHECK(fclose(file) == 0);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	return 0;
}
