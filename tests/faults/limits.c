/* SPDX-License-Identifier: MIT */
/*
 * A host under limits on the size of files and on descriptors.
 *
 *   limits size default|ignore|handler|blocked [thread]
 *   limits descriptors NUMBER
 *   limits memory NUMBER
 *
 * What it prints has to be the same whoever else hits the limit.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "tests/victims/victim.h"

#define SIZE 100

static volatile sig_atomic_t nr_signals;

static void count(int signo)
{
	(void)signo;
	nr_signals++;
}

/* Without descriptors nothing can be executed, with or without us. */
static bool can_execute = true;

static void limit(int resource, rlim_t value)
{
	struct rlimit limit;

	CHECK(getrlimit(resource, &limit) == 0);
	limit.rlim_cur = value;
	CHECK(setrlimit(resource, &limit) == 0);
}

/* Children that execute, end by themselves, and come from a shell. */
static void *have_children(void *unused)
{
	char *argv[] = {(char[]){"true"}, NULL};
	pid_t pid;

	for (volatile int i = 0; i < 5; i++) {
		pid = fork();
		if (!pid)
			_exit(3);
		victim_reap(pid, 3);
		if (!can_execute)
			continue;
		pid = fork();
		if (!pid) {
			execv("/bin/true", argv);
			_exit(1);
		}
		victim_reap(pid, 0);
		pid = vfork();
		if (!pid) {
			execv("/bin/true", argv);
			_exit(1);
		}
		victim_reap(pid, 0);
	}
	CHECK(!can_execute || system("exit 4") == 4 << 8);
	return unused;
}

static void print_disposition(void)
{
	struct sigaction action;
	sigset_t mask, pending;

	CHECK(sigaction(SIGXFSZ, NULL, &action) == 0);
	CHECK(sigprocmask(SIG_BLOCK, NULL, &mask) == 0 && sigpending(&pending) == 0);
	printf("handler %d flags %x blocked %d pending %d\n",
	       action.sa_handler == SIG_DFL   ? 0
	       : action.sa_handler == SIG_IGN ? 1
	       : action.sa_handler == count   ? 2
					      : 3,
	       (unsigned)action.sa_flags, sigismember(&mask, SIGXFSZ),
	       sigismember(&pending, SIGXFSZ));
}

static void overflow(void)
{
	char bytes[SIZE] = "";
	int fd = open("own", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t ret;

	for (int i = 0; i < 3; i++) {
		errno = 0;
		ret = write(fd, bytes, 70);
		printf("%zd errno %d signals %d\n", ret, errno, (int)nr_signals);
		fflush(stdout);
	}
	close(fd);
}

static void test_size(char **argv)
{
	pthread_t thread;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	if (!strcmp(argv[2], "ignore"))
		signal(SIGXFSZ, SIG_IGN);
	if (!strcmp(argv[2], "handler"))
		signal(SIGXFSZ, count);
	if (!strcmp(argv[2], "blocked"))
		CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	limit(RLIMIT_FSIZE, SIZE);
	if (argv[3]) {
		CHECK(pthread_create(&thread, NULL, have_children, NULL) == 0);
		CHECK(pthread_join(thread, NULL) == 0);
	} else {
		have_children(NULL);
	}
	print_disposition();
	fflush(stdout);
	overflow();
	print_disposition();
	have_children(NULL);
	/* What is pending now has its effect. */
	fflush(stdout);
	CHECK(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
	printf("over\n");
}

static void test_descriptors(int max)
{
	int nr = 0, last = -1, fd;

	limit(RLIMIT_NOFILE, (rlim_t)max);
	can_execute = max > 3;
	have_children(NULL);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0) {
		last = fd;
		nr++;
		if (nr % 50 == 0)
			have_children(NULL);
	}
	can_execute = false; /* the loader has no descriptor either */
	printf("%d descriptors, the last is %d, errno %d\n", nr, last, errno);
	have_children(NULL);
	printf("popen: %d, errno %d\n", popen("exit 0", "r") != NULL, errno);
}

/* No more address space: what others cannot have they have to do without. */
static void test_memory(int max)
{
	limit(RLIMIT_AS, (rlim_t)max);
	limit(RLIMIT_DATA, (rlim_t)max);
	can_execute = false;
	have_children(NULL);
	print_disposition();
}

int main(int argc, char **argv)
{
	CHECK(argc > 2);
	if (victim_asked(argv, "size"))
		test_size(argv);
	else if (victim_asked(argv, "memory"))
		test_memory(atoi(argv[2]));
	else
		test_descriptors(atoi(argv[2]));
	return 7;
}
