/* SPDX-License-Identifier: MIT */
/*
 * What /proc tells about a process at one moment, as lines of text: an element
 * per line, "NAME#IMAGE WHEN FACET TEXT".
 */
#ifndef T2_TRANSPARENCY_OBSERVE_H
#define T2_TRANSPARENCY_OBSERVE_H

#include <stdio.h>
#include <sys/types.h>

/* The process as the tree of births names it, and which of its images it runs. */
struct observed {
	pid_t pid;
	char name[256];
	int image;
	unsigned long env_at; /* of the vector the image was started with, in its memory */
	int nr_threads;	      /* made by this image */
};

/* Tell to @out of descriptors, environment, dispositions and mappings. */
void observe(FILE *out, const struct observed *who, const char *when);

/* Entry @type of the auxiliary vector of @pid; 0 if there is none. */
unsigned long observe_auxv(pid_t pid, unsigned long type);

#endif
