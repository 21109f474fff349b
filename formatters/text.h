/* SPDX-License-Identifier: MIT */
/*
 * What the two formats for people share: shell quoting, and the pieces of wording
 * that are the same in both.
 */
#ifndef T2_FORMATTERS_TEXT_H
#define T2_FORMATTERS_TEXT_H

#include <stdint.h>

struct t2_buf;
struct t2_event;
struct t2_redact;

/*
 * Append @str so that a shell reads it as one word, quoted only if it has to
 * be; NULL is an empty word. Letters are those of ASCII, whatever the locale.
 * Context: any.
 */
void t2_text_put_quoted(struct t2_buf *out, const char *str);

/*
 * Append a NULL-terminated list, less its secrets, as quoted words, one blank
 * between them; NULL is an empty list.
 * Context: any.
 */
void t2_text_put_argv(struct t2_buf *out, struct t2_redact *redact, const char *const *argv);

/*
 * Append an unquoted string that ends a message, without the line feed it may
 * end in: the line brings its own, and a second one would be an empty line.
 * NULL appends nothing.
 * Context: any.
 */
void t2_text_put_last(struct t2_buf *out, const char *str);

/* Append @label and a number. Context: any. */
void t2_text_put_number(struct t2_buf *out, const char *label, int64_t value);

/*
 * Append a key, and unless @value is NULL a separator and the value less its
 * secrets, as the end of a message. @redact may be NULL.
 * Context: any.
 */
void t2_text_put_pair(struct t2_buf *out, const char *key, char separator, struct t2_redact *redact,
		      const char *value);

/* Append the name and, in brackets, the hierarchy of a cmd_name. Context: any. */
void t2_text_put_cmd_name(struct t2_buf *out, const struct t2_event *event);

/* Append the file, if known, and the arguments of an exec. Context: any. */
void t2_text_put_exec(struct t2_buf *out, struct t2_redact *redact, const struct t2_event *event);

/* Append what a timer or th_timer, a counter or th_counter holds. Context: any. */
void t2_text_put_timer(struct t2_buf *out, const struct t2_event *event);
void t2_text_put_counter(struct t2_buf *out, const struct t2_event *event);

/* Append the code of an exec_result and what it means. Context: any. */
void t2_text_put_exec_result(struct t2_buf *out, const struct t2_event *event);

#endif
