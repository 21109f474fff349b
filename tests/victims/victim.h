/* SPDX-License-Identifier: MIT */
/*
 * What the victims share: saying what was not so, and one way to wait. A victim
 * proves its own point; a failed check ends it with a status that no victim
 * uses on purpose.
 */
#ifndef T2_VICTIMS_VICTIM_H
#define T2_VICTIMS_VICTIM_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define VICTIM_FAILED 99

static inline void victim_check(bool is_so, const char *what, int line)
{
	if (is_so)
		return;
	dprintf(STDERR_FILENO, "line %d: not so: %s (errno %d)\n", line, what, errno);
	_exit(VICTIM_FAILED);
}

#define CHECK(cond) victim_check((cond), #cond, __LINE__)

/* Reap @pid, which must have exited with @code. */
static inline void victim_reap(pid_t pid, int code)
{
	int status = -1;

	CHECK(pid > 0);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	CHECK(WEXITSTATUS(status) == code);
}

/* Is @word the first argument? */
static inline bool victim_asked(char *const *argv, const char *word)
{
	return argv[1] && strcmp(argv[1], word) == 0;
}

#endif
