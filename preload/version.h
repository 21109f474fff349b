/* SPDX-License-Identifier: MIT */
/*
 * The one place that knows which t2shim this is. It goes out as "exe" of the
 * version event, because a foreign program has no Trace2 version of its own.
 */
#ifndef T2_PRELOAD_VERSION_H
#define T2_PRELOAD_VERSION_H

#define T2_VERSION "0.1.0"

/* The event format we write: git's number for the same set of events. */
#define T2_EVENT_FORMAT "4"

#endif
