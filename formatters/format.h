/* SPDX-License-Identifier: MIT */
/*
 * A format turns one event into bytes: a pure function that opens nothing and
 * reads no clock, no environment and no global. What it needs to know of the
 * settings comes as an argument.
 */
#ifndef T2_FORMATTERS_FORMAT_H
#define T2_FORMATTERS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/setting.h"

struct t2_buf;
struct t2_event;

struct t2_format_opts {
	bool is_brief;
	int utc_offset_s;  /* local time minus UTC, for the formats with a local clock */
	int event_nesting; /* EVENT leaves out regions deeper than that; 0: git's default, 2 */
	bool redacts;	   /* leaves out secrets of command lines (formatters/redact.h) */
};

struct t2_format {
	const char *name;
	enum t2_setting target; /* names the destination */
	enum t2_setting brief;	/* asks for the brief form */
	bool has_local_time;	/* shows the clock of the local time zone */

	/*
	 * Append @event as complete lines, or nothing if this format does not
	 * show its kind. Cannot fail: what did not fit shows in @out.
	 * Context: any.
	 */
	void (*render)(const struct t2_event *event, const struct t2_format_opts *opts,
		       struct t2_buf *out);
};

/* All formats, in the order in which git offers an event to its targets. */
#define T2_FORMAT_NR 3
extern const struct t2_format *const t2_formats[T2_FORMAT_NR];

#endif
