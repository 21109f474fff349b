/* SPDX-License-Identifier: MIT */
/*
 * popen for reading and for writing, ended by pclose. Confirms: class popen with
 * use_shell and the command as given, child_exit at pclose with its code.
 */
#include "victim.h"

extern FILE *_IO_popen(const char *command, const char *mode);

int main(void)
{
	char line[32] = "";
	int status;
	FILE *stream;

	stream = popen("echo from below; exit 4", "r");
	CHECK(stream && fgets(line, sizeof(line), stream));
	CHECK(strcmp(line, "from below\n") == 0);
	status = pclose(stream);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 4);
	stream = popen("read word; test \"$word\" = down", "we");
	CHECK(stream && fputs("down\n", stream) >= 0);
	CHECK(pclose(stream) == 0);
	stream = _IO_popen("exit 5", "r");
	CHECK(stream);
	status = pclose(stream);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	errno = 0;
	CHECK(!popen("true", "x") && errno == EINVAL);
	return 0;
}
