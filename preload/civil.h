/* SPDX-License-Identifier: MIT */
/*
 * Seconds since the epoch as a date and a time of day, by arithmetic: gmtime()
 * and localtime() take locks and read the time zone database.
 */
#ifndef T2_PRELOAD_CIVIL_H
#define T2_PRELOAD_CIVIL_H

#include <stdint.h>

struct t2_buf;

struct t2_civil {
	int year;
	unsigned month, day; /* from 1 */
	unsigned hour, minute, second, micro;
};

/* The UTC date and time of @wall_ns. Context: any. */
struct t2_civil t2_civil_from_ns(uint64_t wall_ns);

/* Append "YYYYMMDDThhmmss.uuuuuuZ", the form of a session id. Context: any. */
void t2_civil_put_compact(struct t2_buf *out, uint64_t wall_ns);

/* Append "YYYY-MM-DDThh:mm:ss.uuuuuuZ", the form of an EVENT line. Context: any. */
void t2_civil_put_iso(struct t2_buf *out, uint64_t wall_ns);

/* Append "hh:mm:ss.uuuuuu", @offset_s seconds east of UTC. Context: any. */
void t2_civil_put_clock(struct t2_buf *out, uint64_t wall_ns, int offset_s);

#endif
