/* SPDX-License-Identifier: MIT */
/*
 * A host that closes, replaces and counts descriptors, and then looks into its own
 * files.
 *
 *   descriptors started MASK        executes itself with those of 0 to 2 closed
 *   descriptors close_range|unshare|cloexec|closefrom0|dup2|threads ROUNDS
 */
#include <fcntl.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <sched.h>

#include "tests/victims/victim.h"

static volatile bool is_over;

static void have_children(void)
{
	char *argv[] = {(char[]){"true"}, NULL};
	pid_t pid = fork();

	if (!pid)
		_exit(3);
	victim_reap(pid, 3);
	pid = vfork();
	if (!pid) {
		execv("/bin/true", argv);
		_exit(1);
	}
	victim_reap(pid, 0);
	CHECK(system("exit 0") == 0);
}

/* What was written into @fd is all there is in its file. */
static void verify(int fd, const char *expected)
{
	char text[64] = "";

	CHECK(pread(fd, text, sizeof(text) - 1, 0) == (ssize_t)strlen(expected));
	CHECK(strcmp(text, expected) == 0);
}

static int test_inside(unsigned mask)
{
	int fds[3], nr = 0;
	char name[] = "own0";

	for (int i = 0; i < 3; i++)
		if (mask & 1U << i)
			nr++;
	for (int i = 0; i < nr; i++) {
		name[3] = (char)('0' + i);
		fds[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (fds[i] < 0 || fds[i] > 2 || !(mask & 1U << fds[i]))
			return 50 + i;
		if (write(fds[i], "mine\n", 5) != 5)
			return 60;
	}
	have_children();
	for (int i = 0; i < nr; i++)
		verify(fds[i], "mine\n");
	return open("/dev/null", O_RDONLY) < 10 ? 4 : 70;
}

static void test_started(char **argv)
{
	unsigned mask = (unsigned)atoi(argv[2]);
	pid_t pid = fork();

	if (!pid) {
		for (int i = 0; i < 3; i++)
			if (mask & 1U << i)
				close(i);
		execl("/proc/self/exe", argv[0], "inside", argv[2], (char *)NULL);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 4);
}

/* Every number is the same file now; no reader of ours may be among them. */
static void test_dup2(void)
{
	int data = open("data", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(write(data, "mine\n", 5) == 5);
	for (int fd = 3; fd < 1024; fd++)
		CHECK(dup3(data, fd, O_CLOEXEC) == fd || fd == data);
	for (int i = 0; i < 10; i++)
		have_children();
	for (int fd = 3; fd < 1024; fd += 100)
		verify(fd, "mine\n");
	/* Different files at last, in which nobody else may have an offset. */
	for (int fd = 3; fd < 1024; fd++)
		CHECK(close(fd) == 0);
	for (int fd = 3; fd < 1024; fd += 61) {
		CHECK(open("other", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) >= 3);
		have_children();
	}
	CHECK(close_range(3, ~0U, 0) == 0);
}

static void test_close(const char *how)
{
	int data;

	if (!strcmp(how, "closefrom0"))
		closefrom(0);
	else
		CHECK(close_range(3, ~0U,
				  !strcmp(how, "unshare")   ? CLOSE_RANGE_UNSHARE
				  : !strcmp(how, "cloexec") ? CLOSE_RANGE_CLOEXEC
							    : 0) == 0);
	data = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (write(data, "mine\n", 5) != 5)
		_exit(98);
	have_children();
	verify(data, "mine\n");
}

static void *close_all(void *data)
{
	while (!is_over) {
		for (int fd = 4; fd < 12; fd++)
			dup2(*(int *)data, fd);
		close_range(4, ~0U, 0);
	}
	return NULL;
}

/* One thread has the descriptors, others only processes. */
static void test_threads(int nr_rounds)
{
	int data = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	pthread_t thread;
	pid_t pid;

	CHECK(data == 3 && write(data, "mine\n", 5) == 5);
	CHECK(pthread_create(&thread, NULL, close_all, &data) == 0);
	for (int i = 0; i < nr_rounds; i++) {
		pid = fork();
		if (!pid)
			_exit(3);
		victim_reap(pid, 3);
	}
	is_over = true;
	CHECK(pthread_join(thread, NULL) == 0);
	verify(data, "mine\n");
}

int main(int argc, char **argv)
{
	CHECK(argc > 2);
	if (victim_asked(argv, "inside"))
		return test_inside((unsigned)atoi(argv[2]));
	if (victim_asked(argv, "started"))
		test_started(argv);
	else if (victim_asked(argv, "dup2"))
		test_dup2();
	else if (victim_asked(argv, "threads"))
		test_threads(atoi(argv[2]));
	else
		test_close(argv[1]);
	return 7;
}
