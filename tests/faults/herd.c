/* SPDX-License-Identifier: MIT */
/*
 * Many processes at once:
 *
 *   herd fork LIMIT     children until the system has no more for this user
 *   herd kill NUMBER    trees that are killed as a whole while they grow
 *   herd vfork NUMBER   from eight threads, executing and failing to
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "tests/victims/victim.h"

#define NR_THREADS 8
#define OTHER_USER 31337

static int nr;

static pid_t try_vfork(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	return pid;
}

static void fork_to_the_limit(void)
{
	struct rlimit limit = {(rlim_t)nr, (rlim_t)nr};
	int ends[2], nr_children = 0, nr_right = 0, status;
	char byte;
	pid_t pid;

	/* The superuser has no limit. */
	CHECK(setresuid(OTHER_USER, OTHER_USER, OTHER_USER) == 0);
	CHECK(setrlimit(RLIMIT_NPROC, &limit) == 0 && pipe(ends) == 0);
	while ((pid = fork()) > 0)
		nr_children++;
	if (!pid) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) == 0 ? 3 : 4);
	}
	printf("%d children, then errno %d\n", nr_children, errno);
	errno = 0;
	status = system("exit 0");
	printf("system: %x errno %d\n", (unsigned)status, errno);
	errno = 0;
	printf("popen: %d errno %d\n", popen("exit 0", "r") != NULL, errno);
	errno = 0;
	printf("vfork: %d errno %d\n", try_vfork() > 0, errno);
	close(ends[1]);
	while (wait(&status) > 0)
		nr_right += status == 3 << 8;
	printf("%d ended\n", nr_right);
}

static void grow(void)
{
	for (;;) {
		pid_t pid = fork();

		if (!pid) {
			pid = fork();
			if (!pid)
				execl("/bin/true", "true", (char *)NULL);
			waitpid(pid, NULL, 0);
			_exit(3);
		}
		waitpid(pid, NULL, 0);
	}
}

static void kill_trees(void)
{
	int status, nr_killed = 0;
	pid_t pid;

	/* What is left of a tree comes to us. */
	CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
	for (int i = 0; i < nr; i++) {
		pid = fork();
		if (!pid) {
			setpgid(0, 0);
			grow();
		}
		CHECK(pid > 0);
		setpgid(pid, pid);
		usleep((unsigned)(500 + i * 37 % 3000));
		CHECK(kill(-pid, SIGKILL) == 0);
		CHECK(waitpid(pid, &status, 0) == pid);
		nr_killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		while (waitpid(-1, NULL, 0) > 0)
			;
	}
	printf("%d killed\n", nr_killed);
}

static void *vfork_some(void *unused)
{
	for (volatile int i = 0; i < nr; i++) {
		pid_t pid = vfork();

		if (!pid) {
			if (i % 2)
				execl("/nonexistent/true", "true", (char *)NULL);
			else
				execl("/bin/true", "true", (char *)NULL);
			_exit(3);
		}
		victim_reap(pid, i % 2 ? 3 : 0);
	}
	return unused;
}

static void vfork_from_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, vfork_some, NULL) == 0);
	for (int i = 0; i < NR_THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	printf("%d vforked\n", nr * NR_THREADS);
}

int main(int argc, char **argv)
{
	CHECK(argc > 2);
	nr = atoi(argv[2]);
	if (victim_asked(argv, "fork"))
		fork_to_the_limit();
	else if (victim_asked(argv, "kill"))
		kill_trees();
	else
		vfork_from_threads();
	return 7;
}
