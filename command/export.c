/* SPDX-License-Identifier: MIT */
/*
 * t2 export: a trace in another form, for other tools.
 */
#include "command/export.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "command/columns.h"
#include "command/command.h"
#include "command/view.h"

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
	"        markdown  a table of the commands that took the most time (20, or -n)\n"
	"        folded    stacks \"make;sh;cc 1234\", for flamegraph.pl and speedscope\n"
	"        normal    as GIT_TRACE2 writes it\n"
	"        perf      as GIT_TRACE2_PERF writes it\n"
	"        event     as GIT_TRACE2_EVENT writes it: several files as one\n"
	"  -o, --output OUT      write to OUT, not to standard output\n"
	"      --weight WEIGHT   of folded: self (wall clock without children, in us),\n"
	"                        cpu (in us) or count (processes)\n"
	"      --brief           of normal, perf, event: without clock, file and line\n"
	"      --no-redact       of these: leave in what looks like a password\n"
	"\n"
	"The first four take the options below, except that -F and --format are the\n"
	"above; the last three write every line.\n"
	"\n" T2_OPTIONS_HELP "\n"
	"EVENT does not hold all that perf shows: some times since the start are\n"
	"worked out from the clock, and are right to some microseconds.\n"
	"Exit status: 0 all was read and written, 1 something was not, 2 wrong usage or\n"
	"no trace.\n"
	"\n"
	"Example:\n"
	"  t2 export -F folded t2.data | flamegraph.pl --countname us >build.svg\n";

struct format {
	const char *name;
	/* What is shown of a trace, or all lines. */
	bool (*view)(const struct t2_view *view, const struct t2_export_opts *opts);
	bool (*lines)(struct t2_source *source, const struct t2_export_opts *opts);
	const struct t2_column *columns;
};

static const struct format formats[] = {
	{"json", t2_export_json, NULL, t2_process_columns},
	{"csv", t2_export_csv, NULL, t2_process_columns},
	{"markdown", t2_export_markdown, NULL, t2_group_columns},
	{"md", t2_export_markdown, NULL, t2_group_columns},
	{"folded", t2_export_folded, NULL, NULL},
	{"normal", NULL, t2_export_normal, NULL},
	{"perf", NULL, t2_export_perf, NULL},
	{"event", NULL, t2_export_event, NULL},
};

struct request {
	struct t2_options options;
	struct t2_options_spec spec;
	struct t2_export_opts opts;
	const struct format *format;
	const char *output;
};

/* --- the command line --------------------------------------------------------- */

enum { WEIGHT = 256, BRIEF, NO_REDACT };

static bool take_format(struct request *request, const char *name)
{
	request->format = NULL;
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (!strcmp(formats[i].name, name))
			request->format = &formats[i];
	}
	if (!request->format) {
		fprintf(stderr, "t2 export: no such format: %s\n", name);
		return false;
	}
	request->spec.columns = request->format->columns;
	request->spec.is_sorted = request->format->columns == t2_group_columns;
	return true;
}

static bool take_weight(struct t2_export_opts *opts, const char *value)
{
	static const char *const names[] = {"self", "cpu", "count", NULL};
	int weight = t2_option_name("export", names, value, strlen(value));

	opts->weight = weight < 0 ? T2_EXPORT_SELF : (enum t2_export_weight)weight;
	return weight >= 0;
}

static bool take(void *arg, int val, const char *value)
{
	struct request *request = arg;

	switch (val) {
	case 'F':
		return take_format(request, value);
	case 'o':
		request->output = value;
		return true;
	case WEIGHT:
		return take_weight(&request->opts, value);
	case BRIEF:
		request->opts.is_brief = true;
		return true;
	default:
		request->opts.keeps_secrets = true;
		return true;
	}
}

/* Returns 0, or the exit status after having said what is wrong. */
static int parse(struct request *request, int argc, char **argv)
{
	static const struct option extra[] = {
		{"format", required_argument, NULL, 'F'},
		{"output", required_argument, NULL, 'o'},
		{"weight", required_argument, NULL, WEIGHT},
		{"brief", no_argument, NULL, BRIEF},
		{"no-redact", no_argument, NULL, NO_REDACT},
		{0},
	};
	int status;

	request->spec = (struct t2_options_spec){
		.name = "export", .extra = extra, .on_extra = take, .arg = request};
	status = t2_options_parse(&request->options, &request->spec, argc, argv);
	if (status)
		return status;
	if (!request->format) {
		fputs("t2 export: no format given: -F json, csv, markdown, folded, normal, perf or "
		      "event\n",
		      stderr);
		return T2_VIEW_USAGE;
	}
	if (request->format->lines &&
	    (t2_options_have_filter(&request->options) || request->options.pid >= 0)) {
		fprintf(stderr, "t2 export: -F %s writes every line, and takes no filters\n",
			request->format->name);
		return T2_VIEW_USAGE;
	}
	return T2_VIEW_OK;
}

/* --- the output --------------------------------------------------------------- */

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

static bool open_output(struct request *request)
{
	const struct t2_options *options = &request->options;

	request->opts.out = stdout;
	if (!request->output || !strcmp(request->output, "-"))
		return true;
	if (is_input(request->output, options->files, options->nr_files)) {
		fprintf(stderr, "t2 export: %s is read as well; choose another -o\n",
			request->output);
		return false;
	}
	request->opts.out = fopen(request->output, "we");
	if (!request->opts.out)
		fprintf(stderr, "t2 export: %s: %s\n", request->output, strerror(errno));
	return request->opts.out;
}

/* Standard output is the caller's to finish. */
static bool close_output(const struct request *request)
{
	FILE *out = request->opts.out;
	bool has_failed = ferror(out);

	if (out == stdout)
		return true;
	if (!fclose(out) && !has_failed)
		return true;
	fprintf(stderr, "t2 export: cannot write to %s\n", request->output);
	return false;
}

/* --- all of it ---------------------------------------------------------------- */

static int conclude(bool is_fine, const struct t2_source_stats *stats)
{
	if (!is_fine)
		fputs("t2 export: out of memory\n", stderr);
	if (!stats->nr_files)
		return T2_VIEW_USAGE;
	return is_fine && !stats->nr_unreadable ? T2_VIEW_OK : T2_VIEW_NO;
}

static int export_lines(const struct request *request)
{
	const struct t2_source_opts opts = {.messages = stderr};
	struct t2_source *source =
		t2_source_open(request->options.files, request->options.nr_files, &opts);
	struct t2_source_stats stats = {0};
	bool is_fine = source && request->format->lines(source, &request->opts);

	if (source)
		t2_source_get_stats(source, &stats);
	t2_source_close(source);
	return conclude(is_fine, &stats);
}

static int export_view(const struct request *request)
{
	const struct t2_options *options = &request->options;
	struct t2_view view;
	int status = t2_view_load(&view, options, options->files, options->nr_files,
				  T2_VIEW_ANALYSED | T2_VIEW_EVEN_EMPTY);

	if (!status)
		status = conclude(request->format->view(&view, &request->opts), &view.source);
	t2_view_free(&view);
	return status;
}

static int export(struct request *request)
{
	int status;

	if (!open_output(request))
		return T2_VIEW_NO;
	status = request->format->lines ? export_lines(request) : export_view(request);
	return close_output(request) || status ? status : T2_VIEW_NO;
}

static int run(int argc, char **argv)
{
	struct request request = {0};
	int status = parse(&request, argc, argv);

	if (!status)
		status = export(&request);
	t2_options_free(&request.options);
	return status;
}

const struct t2_command t2_command_export = {
	.name = "export",
	.summary = "write a trace in another form",
	.help = help,
	.run = run,
};
