/* SPDX-License-Identifier: MIT */
/*
 * The part of running that is about processes: building the environment,
 * forking, waiting for the whole tree, ending it when it takes too long.
 */
#ifndef T2_SUPPORT_LAUNCH_H
#define T2_SUPPORT_LAUNCH_H

struct t2_launch;
struct t2_run;

/* Start, wait, and set status and is_timed_out of @run. */
void t2_launch(struct t2_run *run, const struct t2_launch *launch);

#endif
