/* SPDX-License-Identifier: MIT */
/*
 * Finds the longest environment with which /bin/true can be executed, to the
 * byte. Confirms: variables that we would add never cost the program its own
 * room, as xargs and build tools compute it.
 */
#include <sys/resource.h>

#include "victim.h"

#define STRINGS 20
#define STRING_MAX (128 * 1024)

static char *env[STRINGS + 1];

/* Can /bin/true be executed if the strings have @total bytes together? */
static bool is_accepted(size_t total)
{
	char *argv[] = {(char[]){"true"}, NULL};
	int status = -1;
	size_t share;
	int i;
	pid_t pid;

	for (i = 0; i < STRINGS; i++) {
		share = total > STRING_MAX - 1 ? STRING_MAX - 1 : total;
		memset(env[i], 'x', share);
		env[i][share] = '\0';
		total -= share;
	}
	pid = fork();
	if (pid == 0) {
		execve("/bin/true", argv, env);
		_exit(errno == E2BIG ? 1 : VICTIM_FAILED);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	CHECK(WEXITSTATUS(status) <= 1);
	return WEXITSTATUS(status) == 0;
}

int main(void)
{
	struct rlimit stack = {.rlim_cur = 4 << 20, .rlim_max = RLIM_INFINITY};
	size_t low = 0;
	size_t high = STRINGS * (size_t)(STRING_MAX - 1);
	size_t middle;
	int i;

	CHECK(getrlimit(RLIMIT_STACK, &stack) == 0);
	stack.rlim_cur = 4 << 20; /* a quarter of it is the room */
	CHECK(setrlimit(RLIMIT_STACK, &stack) == 0);
	for (i = 0; i < STRINGS; i++)
		CHECK((env[i] = malloc(STRING_MAX)) != NULL);
	CHECK(is_accepted(low) && !is_accepted(high));
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (is_accepted(middle))
			low = middle;
		else
			high = middle;
	}
	printf("%zu\n", low);
	return 0;
}
