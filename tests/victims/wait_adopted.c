/* SPDX-License-Identifier: MIT */
/*
 * Reaps what is not its child, or not alone: orphans that it adopts, a process group,
 * all its children in four threads at once; and asks for what there is not. Confirms:
 * each is reaped once, by whoever asked first, and errors are those of a bare run.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "victim.h"

#define NR 20

static void adopt(void)
{
	int gate[2], status;
	pid_t pid;

	CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && pipe(gate) == 0);
	pid = fork();
	if (pid == 0) {
		if (fork() == 0) {
			/* Until the parent has gone. */
			close(gate[1]);
			_exit(read(gate[0], &status, 1) == 0 ? 9 : 99);
		}
		_exit(3);
	}
	victim_reap(pid, 3);
	close(gate[0]);
	close(gate[1]);
	CHECK(wait(&status) > 0 && status == 9 << 8);
	CHECK(wait(&status) < 0 && errno == ECHILD);
}

static void wait_for_group(void)
{
	siginfo_t info = {0};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		_exit(2);
	}
	setpgid(pid, pid);
	CHECK(waitid(P_PGID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0 && info.si_pid == pid);
	CHECK(waitpid(-pid, &status, 0) == pid && status == 2 << 8);
	CHECK(waitid(P_PGID, (id_t)pid, &info, WEXITED) < 0 && errno == ECHILD);
	CHECK(waitpid(0, &status, WNOHANG) < 0 && errno == ECHILD);
	CHECK(waitpid(-1, &status, __WCLONE) < 0 && errno == ECHILD);
	CHECK(waitpid(-1, &status, 0x12345678) < 0 && errno == EINVAL);
	CHECK(waitid(P_ALL, 0, &info, 0) < 0 && errno == EINVAL);
}

static void *reap_all(void *unused)
{
	siginfo_t info;
	long nr = 0;

	(void)unused;
	while (waitid(P_ALL, 0, &info, WEXITED) == 0)
		nr++;
	return (void *)nr;
}

static void reap_at_once(void)
{
	pthread_t threads[4];
	int gate[2];
	long all = 0;

	CHECK(pipe(gate) == 0);
	for (int i = 0; i < NR; i++) {
		if (fork() == 0) {
			close(gate[1]);
			_exit(read(gate[0], &i, 1) == 0 ? 0 : 99);
		}
	}
	for (int i = 0; i < 4; i++)
		CHECK(pthread_create(&threads[i], NULL, reap_all, NULL) == 0);
	close(gate[0]);
	close(gate[1]);
	for (int i = 0; i < 4; i++) {
		void *nr;

		CHECK(pthread_join(threads[i], &nr) == 0);
		all += (long)nr;
	}
	CHECK(all == NR);
}

int main(void)
{
	adopt();
	wait_for_group();
	reap_at_once();
	puts("done");
	return 0;
}
