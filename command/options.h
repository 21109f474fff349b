/* SPDX-License-Identifier: MIT */
/*
 * The options that all views have in common.
 *
 * A filter is over processes: the analysis is of the whole trace, whatever is shown
 * of it, and --pid makes another trace of a process and what is below it.
 */
#ifndef T2_COMMAND_OPTIONS_H
#define T2_COMMAND_OPTIONS_H

#include "command/table.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define T2_DEFAULT_FILE "t2.data"

/* Exit statuses of views. */
#define T2_VIEW_OK 0
#define T2_VIEW_NO 1	/* the answer is no: failures were found, a check failed */
#define T2_VIEW_USAGE 2 /* wrong usage, or no trace to read */

enum t2_by {
	T2_BY_EXE,    /* program and subcommand */
	T2_BY_CMD,    /* the whole command line */
	T2_BY_OUTPUT, /* compilers by what they make */
	T2_BY_SOURCE, /* compilers by what they read */
	T2_BY_DIR,    /* where it was started */
};

/* An expression of -F, -N, --under. */
struct t2_match {
	const char *text;
	void *regex; /* compiled, if it began with '~' */
	bool is_glob;
};

struct t2_options {
	const char **files;
	size_t nr_files; /* at least 1 */

	/* What is shown. */
	struct t2_match *only, *without, *under;
	size_t nr_only, nr_without, nr_under;
	int64_t from_ns, to_ns; /* since the start of the trace; to_ns INT64_MAX: to its end */
	const char *cwd;	/* NULL: any */
	uint32_t max_depth;	/* UINT32_MAX: any */
	int64_t min_ns;		/* -1: not given */
	int32_t pid;		/* -1: any */
	bool only_failed;
	uint32_t limit; /* of rows; UINT32_MAX: not given; 0: all */

	/* How. */
	enum t2_by by;
	unsigned sort[8]; /* indices of the columns */
	unsigned nr_sort;
	const char *fields; /* names of columns; NULL: the default */
	const char *keys;   /* the same of -s, before they are sort[] */
	enum t2_output_format format;
	bool is_coloured;
	bool is_unicode;
	unsigned width;
	unsigned nr_cpus;   /* of the machine of the trace; as given, or of this one */
	bool has_cpus;	    /* given */
	uint64_t memory_kb; /* the same; 0: not known */
	bool has_memory;
	bool has_pager; /* wanted, if standard output is a terminal */
};

/* What a view has of its own. */
struct t2_options_spec {
	const char *name;		 /* of the view, for messages */
	const struct t2_column *columns; /* that -f takes, when all options are taken;
					  * NULL: there is no table */
	bool is_sorted;			 /* -s takes them, too, where they are numbers */
	/*
	 * Ended by zeros; val is from 256 on, or the letter of a short form. They are in
	 * place of common ones of the same name or letter. NULL: none.
	 */
	const struct option *extra;
	bool (*on_extra)(void *arg, int val, const char *value); /* false: said so */
	void *arg;
	size_t max_files; /* 0: any number */
	bool needs_files; /* no default */
	bool is_stderr;	  /* what is printed goes there, and not through a pager */
};

/* The part of --help about them; the view puts its own before. */
#define T2_OPTIONS_HELP                                                                            \
	"Show:\n"                                                                                  \
	"  -F, --filter EXPR     only commands that match: a part of the command line;\n"          \
	"                        with one of *?[ a glob of all of it; after ~ an extended\n"       \
	"                        regular expression. Repeatable: any of them\n"                    \
	"  -N, --notrace EXPR    leave out what matches; repeatable\n"                             \
	"  -D, --depth N         only the first N levels of processes\n"                           \
	"  -t, --min TIME        only what took at least TIME (10ms, 1.5s, 2m)\n"                  \
	"  -r, --range A~B       only what was there from A to B of the time (10s~20s);\n"         \
	"                        without A from the start, without B to the end\n"                 \
	"      --only-failed     only what ended with a failure\n"                                 \
	"      --cwd GLOB        only what was started in such a directory or below it\n"          \
	"      --pid N           process N and all below it, as if that were the trace\n"          \
	"      --under EXPR      what matches EXPR, and all below it; repeatable\n"                \
	"How:\n"                                                                                   \
	"      --by WHAT         count by exe, cmd, output, source or dir\n"                       \
	"  -s, --sort KEY,...    in this order\n"                                                  \
	"  -f, --fields NAME,... these columns; an unknown name lists them\n"                      \
	"  -n, --limit N         at most N rows; 0: all\n"                                         \
	"      --format FORMAT   text, json, csv or md\n"                                          \
	"      --color WHEN      auto, always or never\n"                                          \
	"      --no-pager        on a terminal, not through $T2_PAGER, $PAGER or less\n"           \
	"      --cpus N          of the machine of the trace; default: of this one\n"              \
	"      --memory SIZE     the same (16G)\n"                                                 \
	"  -h, --help            this text\n"

/*
 * Read the options. Returns 0, or the exit status after having said what is wrong.
 * Free with t2_options_free() in either case.
 */
int t2_options_parse(struct t2_options *options, const struct t2_options_spec *spec, int argc,
		     char **argv);

void t2_options_free(struct t2_options *options);

/*
 * The index of the @len bytes at @value in @names, ended by NULL; or -1 after having said
 * which there are. @name is of the view.
 */
int t2_option_name(const char *name, const char *const *names, const char *value, size_t len);

/* Whether something is to be left out, beyond --pid. */
bool t2_options_have_filter(const struct t2_options *options);

/* Whether @text matches. */
bool t2_match(const struct t2_match *match, const char *text);

#endif
