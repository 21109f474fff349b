/* SPDX-License-Identifier: MIT */
/*
 * Children that end of their own at the moment in which their parent kills
 * them: killer CHILDREN. Whichever comes first, nothing else may happen to
 * them, and what is told of them must be whole.
 */
#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPIN_MAX 800000U

static void spin(unsigned rounds)
{
	for (volatile unsigned i = 0; i < rounds; i++)
		;
}

int main(int argc, char **argv)
{
	int nr_children = argc > 1 ? atoi(argv[1]) : 0;
	int nr_bad = 0;

	srand(1);
	for (int i = 0; i < nr_children; i++) {
		unsigned delay = (unsigned)rand() % SPIN_MAX;
		int status;
		pid_t pid = fork();

		if (pid < 0)
			err(2, "fork");
		if (!pid) {
			spin(SPIN_MAX / 8);
			_exit(3);
		}
		spin(delay);
		kill(pid, SIGTERM);
		if (waitpid(pid, &status, 0) != pid)
			err(2, "waitpid");
		if (WIFEXITED(status) ? WEXITSTATUS(status) != 3 : WTERMSIG(status) != SIGTERM) {
			if (!nr_bad++)
				warnx("child %d: status %#x", i, (unsigned)status);
		}
	}
	if (nr_bad)
		warnx("%d of %d children ended as they should not", nr_bad, nr_children);
	return nr_bad > 0;
}
