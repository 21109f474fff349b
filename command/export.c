/* SPDX-License-Identifier: MIT */
/*
 * t2 export: a trace in another form, for other tools.
 */
#include "command/export.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/command.h"
#include "command/source.h"

static const char help[] =
	"usage: t2 export -F FORMAT [-o OUT] [OPTION]... [FILE]...\n"
	"\n"
	"Write a trace in another form. FILE is an EVENT stream, a directory of them, or\n"
	"- for standard input; plain, gzip or zstd. Without FILE it is t2.data.\n"
	"\n"
	"  -F, --format FORMAT   one of these:\n"
	"        json      an object: \"trace\" about all of it, \"processes\" an array with an\n"
	"                  object for each process, parents first\n"
	"        csv       a row for each process, with the columns of json\n"
	"        markdown  a table of the programs that took the most time\n"
	"        folded    stacks \"make;sh;cc 1234\", for flamegraph.pl and speedscope\n"
	"        normal    as GIT_TRACE2 writes it\n"
	"        perf      as GIT_TRACE2_PERF writes it\n"
	"        event     as GIT_TRACE2_EVENT writes it: several files as one\n"
	"  -o, --output OUT      write to OUT, not to standard output\n"
	"      --weight WEIGHT   of folded: self (wall clock without children, in us),\n"
	"                        cpu (in us) or count (processes)\n"
	"      --rows N          of markdown: at most N rows (20; 0: all)\n"
	"      --brief           of normal, perf, event: without clock, file and line\n"
	"      --no-redact       of these: leave in what looks like a password\n"
	"      --help            this text\n"
	"\n"
	"EVENT does not hold all that perf shows: some times since the start are\n"
	"worked out from the clock, and are right to some microseconds.\n"
	"Exit status: 0 all was read and written, 1 something was not, 2 wrong usage or\n"
	"no trace.\n"
	"\n"
	"Example:\n"
	"  t2 export -F folded t2.data | flamegraph.pl --countname us >build.svg\n";

struct format {
	const char *name;
	bool (*write)(struct t2_source *source, const struct t2_export_opts *opts);
};

static const struct format formats[] = {
	{"json", t2_export_json},   {"csv", t2_export_csv},	  {"markdown", t2_export_markdown},
	{"md", t2_export_markdown}, {"folded", t2_export_folded}, {"normal", t2_export_normal},
	{"perf", t2_export_perf},   {"event", t2_export_event},
};

struct options {
	struct t2_export_opts opts;
	const struct format *format;
	const char *output;
};

static bool take_format(struct options *options, const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (!strcmp(formats[i].name, name))
			options->format = &formats[i];
	}
	if (!options->format)
		fprintf(stderr, "t2 export: no such format: %s\n", name);
	return options->format;
}

static bool take_weight(struct t2_export_opts *opts, const char *name)
{
	static const char *const names[] = {"self", "cpu", "count"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(names[i], name)) {
			opts->weight = (enum t2_export_weight)i;
			return true;
		}
	}
	fprintf(stderr, "t2 export: --weight %s: self, cpu or count\n", name);
	return false;
}

static bool take_rows(struct t2_export_opts *opts, const char *text)
{
	unsigned long nr;
	char *end;

	errno = 0;
	nr = strtoul(text, &end, 10);
	opts->nr_rows = nr < UINT32_MAX ? (uint32_t)nr : 0;
	if (!errno && *text >= '0' && *text <= '9' && !*end)
		return true;
	fprintf(stderr, "t2 export: --rows %s: not a number\n", text);
	return false;
}

/* Returns whether the option made sense; says so if not. */
static bool take(struct options *options, int letter)
{
	switch (letter) {
	case 'F':
		return take_format(options, optarg);
	case 'w':
		return take_weight(&options->opts, optarg);
	case 'r':
		return take_rows(&options->opts, optarg);
	case 'o':
		options->output = optarg;
		return true;
	case 'b':
		options->opts.is_brief = true;
		return true;
	case 'n':
		options->opts.keeps_secrets = true;
		return true;
	default:
		return false;
	}
}

static bool parse(struct options *options, int argc, char **argv)
{
	static const struct option longs[] = {
		{"format", required_argument, NULL, 'F'},
		{"output", required_argument, NULL, 'o'},
		{"weight", required_argument, NULL, 'w'},
		{"rows", required_argument, NULL, 'r'},
		{"brief", no_argument, NULL, 'b'},
		{"no-redact", no_argument, NULL, 'n'},
		{NULL, 0, NULL, 0},
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "F:o:", longs, NULL)) != -1) {
		if (take(options, letter))
			continue;
		fputs("t2 export: t2 export --help tells the options\n", stderr);
		return false;
	}
	if (!options->format)
		fputs("t2 export: no format given: -F json, csv, markdown, folded, normal, perf or "
		      "event\n",
		      stderr);
	return options->format;
}

/* Writing to what is being read would never end. */
static bool is_input(const char *output, const char *const *paths, size_t nr)
{
	struct stat out, in;

	if (stat(output, &out) || !S_ISREG(out.st_mode))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (!stat(paths[i], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return true;
	}
	return false;
}

static bool open_output(struct options *options, const char *const *paths, size_t nr)
{
	options->opts.out = stdout;
	if (!options->output || !strcmp(options->output, "-"))
		return true;
	if (is_input(options->output, paths, nr)) {
		fprintf(stderr, "t2 export: %s is read as well; choose another -o\n",
			options->output);
		return false;
	}
	options->opts.out = fopen(options->output, "we");
	if (!options->opts.out)
		fprintf(stderr, "t2 export: %s: %s\n", options->output, strerror(errno));
	return options->opts.out;
}

/* Standard output is the caller's to finish. */
static bool close_output(const struct options *options)
{
	FILE *out = options->opts.out;
	bool has_failed = ferror(out);

	if (out == stdout)
		return true;
	if (!fclose(out) && !has_failed)
		return true;
	fprintf(stderr, "t2 export: cannot write to %s\n", options->output);
	return false;
}

static int export(struct options *options, const char *const *paths, size_t nr)
{
	const struct t2_source_opts opts = {.messages = stderr};
	struct t2_source *source;
	struct t2_source_stats stats = {0};
	bool is_fine;

	if (!open_output(options, paths, nr))
		return EXIT_FAILURE;
	source = t2_source_open(paths, nr, &opts);
	is_fine = source && options->format->write(source, &options->opts);
	if (!is_fine)
		fputs("t2 export: out of memory\n", stderr);
	if (source)
		t2_source_get_stats(source, &stats);
	t2_source_close(source);
	if (!close_output(options))
		is_fine = false;
	if (!stats.nr_files)
		return 2;
	return is_fine && !stats.nr_unreadable ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run(int argc, char **argv)
{
	static const char *const defaults[] = {"t2.data"};
	struct options options = {.opts = {.nr_rows = 20}};

	if (!parse(&options, argc, argv))
		return 2;
	if (optind == argc)
		return export(&options, defaults, 1);
	return export(&options, (const char *const *)argv + optind, (size_t)(argc - optind));
}

const struct t2_command t2_command_export = {
	.name = "export",
	.summary = "write a trace in another form",
	.help = help,
	.run = run,
};
