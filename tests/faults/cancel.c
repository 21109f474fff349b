/* SPDX-License-Identifier: MIT */
/*
 * Threads that are cancelled while they wait: cancel deferred|async ROUNDS. Each has
 * a clean-up handler; afterwards there is no child left, no descriptor more, and the
 * signals are as they were.
 */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>

#include "tests/victims/victim.h"

/* To say that the wait has begun, or is about to. */
static int ready[2];
static bool is_async;
static int nr_cleaned;

static void clean(void *unused)
{
	(void)unused;
	nr_cleaned++;
}

struct job {
	void (*wait)(pid_t pid);
	pid_t pid;
};

static void by_wait(pid_t pid)
{
	(void)pid;
	wait(NULL);
}

static void by_waitpid(pid_t pid)
{
	waitpid(pid, NULL, 0);
}

static void by_waitid(pid_t pid)
{
	siginfo_t info;

	waitid(P_PID, (id_t)pid, &info, WEXITED);
}

static void by_wait4(pid_t pid)
{
	wait4(pid, NULL, 0, NULL);
}

static void by_system(pid_t pid)
{
	(void)pid;
	system("echo x >&9; exec sleep 100");
}

static void by_signal(pid_t pid)
{
	sigset_t set;
	siginfo_t info;

	(void)pid;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigwaitinfo(&set, &info);
}

static void *run(void *arg)
{
	struct job *job = arg;

	pthread_cleanup_push(clean, NULL);
	if (job->pid)
		CHECK(write(ready[1], "x", 1) == 1);
	if (is_async)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	job->wait(job->pid);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	return pid;
}

static int nr_open(void)
{
	DIR *fds = opendir("/proc/self/fd");
	int nr = 0;

	while (readdir(fds))
		nr++;
	closedir(fds);
	return nr;
}

static void on_signal(int signo)
{
	(void)signo;
}

static void check_signals(void)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGCHLD};
	struct sigaction action;
	sigset_t mask;

	CHECK(sigprocmask(SIG_BLOCK, NULL, &mask) == 0);
	for (int i = 0; i < 3; i++) {
		CHECK(sigaction(signals[i], NULL, &action) == 0);
		CHECK(action.sa_handler == (signals[i] == SIGINT ? on_signal : SIG_DFL));
		CHECK(!sigismember(&mask, signals[i]));
	}
}

static void cancel_one(void (*wait)(pid_t), bool has_child)
{
	struct job job = {wait, has_child ? sleeper() : 0};
	void *result = NULL;
	pthread_t thread;
	char byte;

	CHECK(pthread_create(&thread, NULL, run, &job) == 0);
	CHECK(read(ready[0], &byte, 1) == 1);
	CHECK(pthread_cancel(thread) == 0);
	CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	if (has_child) {
		CHECK(kill(job.pid, SIGKILL) == 0);
		CHECK(waitpid(job.pid, NULL, 0) == job.pid);
	}
	CHECK(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
	check_signals();
}

/* pclose() is not left before the shell has ended; what was asked comes afterwards. */
static void *close_pipe(void *file)
{
	int status = pclose(file);

	CHECK(status == 3 << 8);
	for (;;)
		pause();
	return NULL;
}

static void cancel_pclose(void)
{
	FILE *file = popen("echo x >&9; read line; exit 3", "w");
	void *result = NULL;
	pthread_t thread;
	char byte;

	CHECK(file && read(ready[0], &byte, 1) == 1);
	CHECK(pthread_create(&thread, NULL, close_pipe, file) == 0);
	CHECK(pthread_cancel(thread) == 0);
	CHECK(pthread_join(thread, &result) == 0);
	CHECK(result == PTHREAD_CANCELED);
}

int main(int argc, char **argv)
{
	int nr_before, nr_rounds;

	CHECK(argc > 2);
	is_async = victim_asked(argv, "async");
	nr_rounds = atoi(argv[2]);
	CHECK(signal(SIGINT, on_signal) == SIG_DFL);
	CHECK(pipe(ready) == 0 && dup2(ready[1], 9) == 9);
	nr_before = nr_open();
	for (int i = 0; i < nr_rounds; i++) {
		cancel_one(by_wait, true);
		cancel_one(by_waitpid, true);
		cancel_one(by_waitid, true);
		cancel_one(by_wait4, true);
		cancel_one(by_signal, true);
		/* Asynchronously, libc's own system() leaves its lock held. */
		if (is_async)
			continue;
		cancel_one(by_system, false);
		cancel_pclose();
	}
	CHECK(nr_open() == nr_before);
	printf("%d cleaned up\n", nr_cleaned);
	return nr_cleaned == (is_async ? 5 : 6) * nr_rounds ? 7 : 8;
}
