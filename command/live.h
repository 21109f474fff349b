/* SPDX-License-Identifier: MIT */
/*
 * One line at the bottom of the terminal about a run that goes on.
 *
 * The line is kept out of what scrolls, so that what the command prints stays as
 * it is and above it. Where the terminal is given to another process group, nothing is
 * written.
 */
#ifndef T2_COMMAND_LIVE_H
#define T2_COMMAND_LIVE_H

struct t2_live;

/*
 * Follow the file at @path from its end on. Returns NULL where standard error is no
 * terminal that can do it, or without memory: then there is nothing to call.
 */
struct t2_live *t2_live_open(const char *path);

/* Read what has come and draw. For struct t2_launch. */
void t2_live_tick(void *live);

/* Leave the terminal as it was found, and take it again. */
void t2_live_stopped(void *live);
void t2_live_continued(void *live);

/* NULL is fine. */
void t2_live_close(struct t2_live *live);

#endif
