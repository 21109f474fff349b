/* SPDX-License-Identifier: MIT */
/*
 * Secrets on command lines, replaced while a line is being written. Nobody's
 * argv is edited or copied: an argument is put out in pieces, some of them from
 * its own memory, some the mark that stands for a secret.
 *
 *	https://user:SECRET@host	where the argument begins, exactly as git has it
 *	--db-password=SECRET		options by their last words (formatters/secret.h),
 *	--db-password SECRET		also with one dash
 *	DB_PASSWORD=SECRET		variables and settings; also behind -D and -e, and
 *	--env=DB_PASSWORD=SECRET	behind the = of an option
 *	-H 'X-Api-Key: SECRET'		headers; those for authorization without -H as well
 *
 * An argument with blanks in it, or one for a shell, is also looked at word by
 * word: that covers the text of `sh -c` and system().
 *
 * Where the value of a secret option should be, --word, -x and -secret-word are
 * taken for the next option. Not found: what only its program knows for a secret (-psecret,
 * -u user:secret), and what stands in the middle of a longer word.
 */
#ifndef T2_FORMATTERS_REDACT_H
#define T2_FORMATTERS_REDACT_H

#include <stdbool.h>
#include <stddef.h>

struct t2_event;

/*
 * What is known of one command line, argument by argument. All zero, nothing is
 * replaced. The members are redact.c's own.
 */
struct t2_redact {
	bool is_on;
	bool keeps_urls;
	bool is_for_shell;	  /* the next argument that is no option */
	bool is_value;		  /* the whole argument, if its beginning names a secret */
	bool has_words;		  /* the argument is looked at word by word */
	char quote;		  /* open at the secret, or where the argument ends */
	char expected;		  /* what the next word is */
	const char *at;		  /* what of the argument comes next */
	const char *secret_begin; /* the next secret, or NULL */
	const char *secret_end;
};

/*
 * Start on the arguments of @event. Unless @is_on nothing will be replaced, nor
 * in the kinds that git leaves alone. In the argv of an alias, which git leaves
 * alone too, URLs stay what they are: without another secret the line is git's,
 * byte for byte.
 * Context: any.
 */
void t2_redact_init(struct t2_redact *redact, const struct t2_event *event, bool is_on);

/* Go on to @arg, the next argument; NULL is an empty one. Context: any. */
void t2_redact_begin(struct t2_redact *redact, const char *arg);

/*
 * The next piece of the argument: sets *@ret_piece and returns its length, or
 * returns 0 behind the last one. A copy of @redact looks ahead.
 * Context: any.
 */
size_t t2_redact_next(struct t2_redact *redact, const char **ret_piece);

#endif
