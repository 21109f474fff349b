/* SPDX-License-Identifier: MIT */
/*
 * Run a command so that whoever waits for us sees nothing but the command.
 *
 * It is a child in our process group, with the signal mask and the dispositions
 * that we were started with. Our state follows its: we stop when it stops, and go on
 * together. Signals of the terminal reach it by themselves; those that are sent to
 * us alone are passed on.
 */
#ifndef T2_COMMAND_LAUNCH_H
#define T2_COMMAND_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct t2_launch {
	char **argv;

	/* Called four times a second, before we stop, after we went on. May be NULL. */
	void (*tick)(void *arg);
	void (*stopped)(void *arg);
	void (*continued)(void *arg);
	void *arg;
	bool keep_fds; /* after the start, keep descriptors the command inherited, too */
};

struct t2_outcome {
	pid_t pid;
	int status; /* as waitpid() tells it */
	int64_t wall_ns;
	struct rusage usage; /* of the command and what it waited for */
};

/*
 * Run it to its end. Returns 0, or the errno of what kept it from starting. Standard
 * input and output are closed to us once it runs: nobody who reads what it writes
 * should have to wait for us.
 */
int t2_launch(const struct t2_launch *launch, struct t2_outcome *outcome);

/* The exit status for a command that could not be started: 125, 126 or 127. */
int t2_launch_status(int error);

/* End as the command did: of the same signal, or return its exit status. */
int t2_end_as(int status);

#endif
