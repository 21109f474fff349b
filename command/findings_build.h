/* SPDX-License-Identifier: MIT */
/*
 * What the kinds of findings share.
 *
 *	findings.c		their list, and how they are printed
 *	findings_parallel.c	how much ran at a time
 *	findings_repeat.c	what was done more than once
 *	findings_cache.c	compiler caches
 *	findings_cost.c		what starting, waiting and memory cost
 */
#ifndef T2_COMMAND_FINDINGS_BUILD_H
#define T2_COMMAND_FINDINGS_BUILD_H

#include "command/findings.h"
#include "command/text.h"

#define T2_FINDING_NAME_ROOM 256
#define T2_SECOND INT64_C(1000000000)
#define T2_MS INT64_C(1000000)

/* Numbers as words, so that a sentence can have several. */
struct t2_words {
	char time[T2_TEXT_MAX], share[T2_TEXT_MAX], count[T2_TEXT_MAX], other[T2_TEXT_MAX];
	char name[T2_FINDING_NAME_ROOM];
};

/* Each writes its sentence to @out, of T2_FINDING_ROOM bytes, and returns whether there is
 * anything to say. */
bool t2_find_lonely_make(const struct t2_view *view, char *out);
bool t2_find_stretch(const struct t2_view *view, char *out);
bool t2_find_crowd(const struct t2_view *view, char *out);
bool t2_find_nested_make(const struct t2_view *view, char *out);
bool t2_find_repeats(const struct t2_view *view, char *out);
bool t2_find_retries(const struct t2_view *view, char *out);
bool t2_find_cache(const struct t2_view *view, char *out);
bool t2_find_spawns(const struct t2_view *view, char *out);
bool t2_find_idle(const struct t2_view *view, char *out);
bool t2_find_memory(const struct t2_view *view, char *out);
bool t2_find_failed_execs(const struct t2_view *view, char *out);
bool t2_find_outside(const struct t2_view *view, char *out);

/* The name of a process, with its file if it is a compiler, or its command line: cut, and
 * harmless for a terminal. */
void t2_finding_name(const struct t2_view *view, uint32_t id, char out[T2_FINDING_NAME_ROOM]);
void t2_finding_file(const struct t2_view *view, uint32_t id, char out[T2_FINDING_NAME_ROOM]);
void t2_finding_command(const struct t2_view *view, uint32_t id, char out[T2_FINDING_NAME_ROOM]);

/* Of the wall clock, in parts of a million; and as words, with the time. */
int64_t t2_finding_share(const struct t2_view *view, int64_t ns);
void t2_finding_time(const struct t2_view *view, struct t2_words *words, int64_t ns);

#endif
