/* SPDX-License-Identifier: MIT */
/*
 * What CI systems understand in a log, and the summary page that some of them show.
 * All of it is text in the log or in a file; nothing is sent anywhere.
 */
#ifndef T2_COMMAND_CI_H
#define T2_COMMAND_CI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct t2_digest;

enum t2_ci {
	T2_CI_NONE,
	T2_CI_GITHUB,
	T2_CI_GITLAB,
	T2_CI_BUILDKITE,
	T2_CI_JENKINS,
	T2_CI_NR,
	T2_CI_AUTO = T2_CI_NR, /* for t2_ci_detect() to say */
};

/* "github", ..., "none", "auto". Returns false if @name is none of them. */
bool t2_ci_parse(const char *name, enum t2_ci *ret_ci);

/* Where we run, by the environment. */
enum t2_ci t2_ci_detect(void);

/* A section of the log around what the command prints, titled @title. */
void t2_ci_open_group(enum t2_ci ci, FILE *out, const char *title);
void t2_ci_close_group(enum t2_ci ci, FILE *out, bool has_failed);

/* What failed, where the system has a place for it. */
void t2_ci_annotate(enum t2_ci ci, FILE *out, const struct t2_digest *digest);

/* The name of the file for the summary page that @ci asks for, or NULL. */
const char *t2_ci_summary_file(enum t2_ci ci);

/*
 * Append the summary page to the file called @name, unless it would then be too
 * large to be shown. Says on stderr why, if it could not.
 */
void t2_ci_write_summary(const char *name, const struct t2_digest *digest);

/* The page itself, in Markdown, of at most T2_CI_PAGE_MAX bytes. */
#define T2_CI_PAGE_MAX 60000
void t2_ci_print_page(FILE *out, const struct t2_digest *digest);

#endif
