/* SPDX-License-Identifier: MIT */
/*
 * Making trace text comparable: what differs from run to run becomes a stable
 * placeholder, and nothing else does. Works on all three formats, line by line,
 * without rewriting the rest, so that the bytes around stay under test.
 *
 *   times              _.______ and <TIME>, only where the shape is right
 *   session ids        S0, S0/S1: numbered among siblings in order of their time,
 *                      whatever the order of the lines; foreign parts stay
 *   pids               <PID>; -1 stays
 *   ancestors, rusage, max_rss_kb, our version, the given places
 */
#ifndef T2_SUPPORT_SCRUB_H
#define T2_SUPPORT_SCRUB_H

#include <stddef.h>

struct t2_scrub_place {
	const char *text; /* longest first */
	const char *placeholder;
};

/* A scrubbed copy of @text; free it. @places ends with an entry without text. */
char *t2_scrub(const char *text, const struct t2_scrub_place *places);

/* Only the places, for streams of the program itself; free it. */
char *t2_scrub_places(const char *text, const struct t2_scrub_place *places);

#endif
