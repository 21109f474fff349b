/* SPDX-License-Identifier: MIT */
/*
 * Leaves through the function argv[1] names. Confirms: their messages are
 * unchanged and the exit inside libc is told with its code.
 */
#include <err.h>
#include <error.h>

#include "victim.h"

int main(int argc, char **argv)
{
	errno = ENOENT;
	if (argc < 2 || victim_asked(argv, "errx"))
		errx(5, "plain %d", 1);
	if (victim_asked(argv, "err"))
		err(6, "with errno");
	if (victim_asked(argv, "error"))
		error(7, EACCES, "of error");
	if (victim_asked(argv, "error_at_line"))
		error_at_line(8, 0, "file", 12, "of a line");
	return VICTIM_FAILED;
}
