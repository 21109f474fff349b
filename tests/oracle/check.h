/* SPDX-License-Identifier: MIT */
/* Comparisons of one session with the image it tells of. */
#ifndef T2_ORACLE_CHECK_H
#define T2_ORACLE_CHECK_H

#include "history.h"
#include "session.h"

#include <stdbool.h>

/* Start: what ran, and below whom. For native speakers as well. Completes
 * the argv of @image where the file could not tell it. */
void t2_check_start(struct t2_image *image);

/* Every exec that was tried, and nothing else. */
void t2_check_execs(const struct t2_image *image);

/* The end: exit, exec or signal. With @is_exit_free, exit handlers may change the status. */
void t2_check_end(const struct t2_image *image, bool is_exit_free);

/* Children: made, reaped, or left behind. Returns how many reaps it compared. */
size_t t2_check_children(const struct t2_image *image);

#endif
