/* SPDX-License-Identifier: MIT */
/*
 * Closes everything in the way argv[1] names (close_range, closefrom, loop,
 * dup2), opens a data file on the first free number and goes on living. Confirms:
 * nothing of ours is ever written into a file of the host's, and no descriptor
 * number is taken from it.
 */
#include <fcntl.h>
#include <pthread.h>

#include "victim.h"

static void *idle(void *unused)
{
	return unused;
}

static void close_all(char **argv)
{
	int fd;

	if (victim_asked(argv, "closefrom"))
		closefrom(3);
	else if (victim_asked(argv, "loop"))
		for (fd = 3; fd < 4096; fd++)
			close(fd);
	else
		CHECK(close_range(3, ~0U, 0) == 0);
}

int main(int argc, char **argv)
{
	char text[64] = "";
	pthread_t thread;
	int data;
	int fd;
	pid_t pid;

	(void)argc;
	close_all(argv);
	data = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	CHECK(data == 3 && write(data, "mine\n", 5) == 5);
	if (victim_asked(argv, "dup2"))
		for (fd = 4; fd < 1024; fd++)
			CHECK(dup2(data, fd) == fd);
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	pid = fork();
	if (pid == 0)
		_exit(3);
	victim_reap(pid, 3);
	CHECK(system("exit 0") == 0);
	CHECK(pread(data, text, sizeof(text), 0) == 5 && strcmp(text, "mine\n") == 0);
	return unlink("data");
}
