/* SPDX-License-Identifier: MIT */
/*
 * Fails an assertion; with "perror", through assert_perror. Confirms: libc's own
 * message is the only one, and SIGABRT is told although abort was not called
 * by its name.
 */
#undef NDEBUG
#include <assert.h>
#include <errno.h>

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		assert_perror(EBUSY);
	assert(argc > 1);
	return 99;
}
