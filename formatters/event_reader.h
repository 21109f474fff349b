/* SPDX-License-Identifier: MIT */
/*
 * One line of the "event" format, ours or git's, back to a struct t2_event, through
 * the table the writer walks. Unknown keys are passed over, the last of several
 * equal keys counts, null is as if the key were not there.
 *
 * Not linked into the shim.
 */
#ifndef T2_FORMATTERS_EVENT_READER_H
#define T2_FORMATTERS_EVENT_READER_H

#include <stddef.h>

struct t2_event;

enum t2_event_read {
	T2_EVENT_READ_OK,
	T2_EVENT_READ_UNKNOWN,	    /* no kind we know: only what all kinds have is read */
	T2_EVENT_READ_CUT,	    /* the line ends too early: its writer was killed */
	T2_EVENT_READ_NOT_JSON,	    /* nor an object, or nested too deep */
	T2_EVENT_READ_NO_EVENT,	    /* an object, but without "event" */
	T2_EVENT_READ_WRONG_TYPE,   /* a key does not hold what it should */
	T2_EVENT_READ_OUT_OF_RANGE, /* a number or time does not fit */
	T2_EVENT_READ_NO_ROOM,	    /* the scratch memory is too small */
	T2_EVENT_READ_NR
};

/* Scratch memory that is always enough for a line of @len bytes. */
#define T2_EVENT_READER_ROOM(len) (3 * (len) + 64)

struct t2_event_reader {
	/* The caller's, before each line: scratch memory. */
	void *room;
	size_t room_size;

	/* What there is to say of the last line. */
	size_t used;	     /* of the scratch memory, from its start */
	const char *name;    /* value of "event" as far as it was read, or NULL */
	const char *message; /* what is wrong; static; NULL if nothing is */
	size_t offset;	     /* where, in bytes from the start of the line */

	/* The reader's own: kinds by their names. */
	unsigned char kinds[128];
};

/* Context: tool. */
void t2_event_reader_init(struct t2_event_reader *reader);

/*
 * Read the line of @len bytes at @text, with or without a line feed behind them, into
 * *@event. Strings and lists go to the scratch memory and live as long as that is
 * left alone, not as long as the line. What the line does not have is absent:
 * NULL, T2_NO_NUMBER, T2_NO_TIME (also for wall_ns and abs_ns), false, and 1 for
 * the nesting. The depth is taken from the session id.
 *
 * With T2_EVENT_READ_UNKNOWN the kind is T2_EVENT_NR and nothing is in the union.
 * After any other result but OK what *@event holds has no meaning.
 * Context: tool.
 */
enum t2_event_read t2_event_read(struct t2_event_reader *reader, const char *text, size_t len,
				 struct t2_event *event);

#endif
