/* SPDX-License-Identifier: MIT */
/* What was told: sessions, and the events under each session id. */
#ifndef T2_ORACLE_SESSION_H
#define T2_ORACLE_SESSION_H

#include "vec.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct t2_image;

struct t2_told {
	const char *event;
	json_t *line;
	size_t line_nr;
};

struct t2_session {
	const char *sid;
	const char *parent_sid; /* what stands before the last component; "" if nothing */
	long pid;
	int64_t begin_us;
	struct t2_vec told; /* struct t2_told, in file order */
	struct t2_image *image;
};

struct t2_sessions {
	struct t2_vec all; /* struct t2_session, in the order of first mention */
	size_t nr_lines;
};

/*
 * Read and check the lines of @path, a file or a directory of files. Returns 0
 * or -errno. Bad lines are reported and left out.
 */
int t2_sessions_read(struct t2_sessions *sessions, const char *path);

/* The @nth event (from 0) of that name in @session, or NULL. */
const struct t2_told *t2_session_find(const struct t2_session *session, const char *event,
				      size_t nth);

size_t t2_session_count(const struct t2_session *session, const char *event);

/* Members of an event. A missing number is 0, a missing string is "". */
long t2_told_number(const struct t2_told *told, const char *key);
const char *t2_told_string(const struct t2_told *told, const char *key);

/* Append the strings of list @key to @ret_list. */
void t2_told_list(const struct t2_told *told, const char *key, struct t2_vec *ret_list);

#endif
