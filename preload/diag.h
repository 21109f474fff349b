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

struct t2_stream;

/*
 * Whether something is wrong with the settings, so that t2_diag_settings() may
 * have to say it.
 * Context: any.
 */
bool t2_diag_is_due(const struct t2_stream *stream);

/*
 * Warn of what is wrong with the settings, as far as that is wanted, and let
 * warnings be given later on if they are.
 * Context: constructor.
 */
void t2_diag_settings(const struct t2_stream *stream);

/* Warn, if that is wanted, that target @target is off, and why. Context: any. */
void t2_diag_target(const struct t2_stream *stream, int target);

#endif
