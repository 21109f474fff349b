/* SPDX-License-Identifier: MIT */
/*
 * JSON values, written the way git writes them: no white space between tokens,
 * nothing escaped that need not be.
 *
 * In one thing we differ. git passes bytes on unread, so one argument that is
 * not UTF-8 costs strict readers the whole line; here each such piece becomes
 * U+FFFD. What is valid comes out byte for byte as git has it.
 */
#ifndef T2_FORMATTERS_JSON_H
#define T2_FORMATTERS_JSON_H

struct t2_buf;
struct t2_redact;

/*
 * Append @str as a JSON string with its quotes; NULL is an empty string. What is
 * not UTF-8 is replaced (formatters/utf8.h).
 * Context: any.
 */
void t2_json_put_string(struct t2_buf *out, const char *str);

/* The same for the next argument of a command line, less its secrets. Context: any. */
void t2_json_put_argument(struct t2_buf *out, struct t2_redact *redact, const char *arg);

/*
 * Append a NULL-terminated list, less its secrets, as an array of strings; NULL
 * is an empty list.
 * Context: any.
 */
void t2_json_put_list(struct t2_buf *out, struct t2_redact *redact, const char *const *list);

/*
 * Append @json, which is JSON already, on one line: a line feed and the spaces
 * after it, which can only be layout, are left out. NULL appends nothing.
 * Context: any.
 */
void t2_json_put_squeezed(struct t2_buf *out, const char *json);

#endif
