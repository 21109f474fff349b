/* SPDX-License-Identifier: MIT */
/*
 * The local time zone, for the two formats that show a local clock.
 *
 * localtime() cannot be asked: it allocates, locks, and remembers the zone, so
 * that a host that sets TZ later would not get it. We read the same file.
 */
#ifndef T2_PRELOAD_ZONE_H
#define T2_PRELOAD_ZONE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Seconds that local time is ahead of UTC at @unix_s, by TZ value @tz (NULL:
 * not set) as tzset(3) reads it. 0 if the zone cannot be found.
 * Context: any.
 */
int t2_zone_offset(const char *tz, int64_t unix_s);

/* The same from the bytes of a zone file (RFC 8536). Context: any. */
int t2_zone_offset_of_file(const void *bytes, size_t len, int64_t unix_s);

/* The same from a POSIX rule such as "CET-1CEST,M3.5.0,M10.5.0/3". Context: any. */
int t2_zone_offset_of_rule(const char *rule, int64_t unix_s);

#endif
