/* SPDX-License-Identifier: MIT */
/*
 * What there is to say of a run that is over, from the outside and from its trace.
 */
#ifndef T2_COMMAND_DIGEST_H
#define T2_COMMAND_DIGEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "command/launch.h"

#define T2_DIGEST_CAUSES 20

struct t2_digest {
	char *command; /* as a shell would take it */
	struct t2_outcome outcome;
	uint64_t cpu_ns, max_rss_kb; /* of the command and all it waited for */
	unsigned nr_cpus;	     /* that it could use */

	const char *data; /* name of the file or directory, as the user knows it */
	char *instead;	  /* the target that the user's environment names, or NULL */
	uint64_t data_kb;
	bool is_joined; /* the file belongs to a run around this one */

	bool is_unicode; /* what standard error shows */

	/* The trace; NULL if it could not be read or nothing was recorded. */
	struct t2_trace *trace;
	struct t2_analysis *analysis;
	uint32_t root; /* the process that is the command */
	uint64_t nr_processes, nr_failed;
	uint64_t nr_outside;		   /* seen only by their parents */
	uint32_t causes[T2_DIGEST_CAUSES]; /* what the failure came from, by time */
	uint32_t nr_causes;		   /* all there are; the first ones are in causes */
};

struct t2_record;

/* The command as a shell would take it, cut if it is long. The caller frees it. */
char *t2_command_text(char **argv);

/* @record and @outcome are borrowed for the call, but for the name of the file. */
void t2_digest_make(struct t2_digest *digest, char **argv, const struct t2_outcome *outcome,
		    const struct t2_record *record);

void t2_digest_free(struct t2_digest *digest);

/*
 * "ok", "exit 2", "killed by SIGTERM"; of a process of the trace. @out has room for
 * T2_VERDICT_SIZE bytes, and is returned.
 */
#define T2_VERDICT_SIZE 64
char *t2_verdict(char *out, const struct t2_digest *digest);
char *t2_process_verdict(char *out, const struct t2_digest *digest, uint32_t id);

/* Three lines, one more for a failure and for a target of the user's own; none longer
 * than @width. */
void t2_digest_print_short(FILE *out, const struct t2_digest *digest, size_t width);

#endif
