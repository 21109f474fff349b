/* SPDX-License-Identifier: MIT */
/*
 * What a child is handed, and for how long: the edited environment vector, or,
 * for the calls that take the process's own, that environment itself.
 */
#ifndef T2_HOOKS_HANDOVER_H
#define T2_HOOKS_HANDOVER_H

#include <stdbool.h>

#include "preload/emit.h"
#include "preload/pool.h"
#include "preload/search.h"

struct t2_handover {
	char *const *envp; /* to be passed on */
	struct t2_block environment;
};

/* Whether children are to be handed anything at all. Context: any. */
bool t2_handover_is_needed(void);

/*
 * Whether the file that is going to run may be looked at: not under seccomp, where
 * a look may be the last one.
 * Context: any.
 */
bool t2_handover_may_look(void);

/*
 * Edit @envp for a child of @stream, or of a program that is passed through if
 * @stream is NULL. @search tells which file is going to run; NULL: /bin/sh or
 * whatever is not known.
 * Context: any.
 */
void t2_handover_begin(struct t2_handover *handover, const struct t2_stream *stream,
		       const struct t2_search *search, char *const *envp);

/* Context: any. */
void t2_handover_end(struct t2_handover *handover);

/*
 * wordexp() passes on the process's environment and takes no other, and so do
 * system() and popen() in a program we only pass through. For the length of the
 * call environ is the edited one, but only where no other thread could see it;
 * with threads, the shell is given what the process has.
 */
struct t2_loan {
	struct t2_handover handover;
	char **original; /* or NULL: nothing was lent */
};

void t2_loan_begin(struct t2_loan *loan, const struct t2_stream *stream);
void t2_loan_end(struct t2_loan *loan);

#endif
