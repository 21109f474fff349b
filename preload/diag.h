/* SPDX-License-Identifier: MIT */
/*
 * Warnings, in git's words, on the stderr that the process was started with.
 *
 * A host's stderr is not ours: we are silent unless git's own variable asks for
 * warnings, limited to a few per process, and say nothing once the number means
 * another file than at the start.
 */
#ifndef T2_PRELOAD_DIAG_H
#define T2_PRELOAD_DIAG_H

#include <stdbool.h>

#include "preload/buf.h"
#include "preload/pool.h"

struct t2_dst;

/*
 * Let warnings be given from now on. Finds out what stderr is.
 * Context: constructor.
 */
void t2_diag_init(void);

/* Whether GIT_TRACE2_DST_DEBUG asks for warnings. Context: any. */
bool t2_diag_is_wanted(void);

struct t2_diag {
	struct t2_block block;
	struct t2_buf line;
};

/*
 * Begin a warning, whose text goes to @line; false: it would not be seen. The
 * other says it, as one line with one write.
 * Context: any.
 */
bool t2_diag_begin(struct t2_diag *diag);
void t2_diag_end(struct t2_diag *diag);

/*
 * Warn of the fault of @dst, which variable @name asked for with @spec; @leaf
 * names the session's file.
 * Context: any.
 */
void t2_diag_dst(const struct t2_dst *dst, const char *name, const char *spec, const char *leaf);

#endif
