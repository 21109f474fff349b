/* SPDX-License-Identifier: MIT */
/*
 * t2 failures: what made it fail.
 */
#include "command/causes.h"
#include "command/command.h"
#include "command/key.h"
#include "command/text.h"

#include <stdlib.h>

#define ANCESTRY_ROOM 1024

enum { ALL = 256 };

static const char help[] =
	"usage: t2 failures [OPTION]... [FILE]...\n"
	"\n"
	"The commands that made a trace (t2.data) fail: those that ended with another\n"
	"status than 0 or were killed, and after which everything above them failed, too.\n"
	"A failure after which its parent went on to start others was handled and does\n"
	"not count, unless the parent is one that finishes the rest first (make, ninja).\n"
	"That one was because of the other is inferred.\n"
	"\n"
	"      --all             also failures that were handled\n"
	"\n"
	"The exit status is 1 if a failure counts, also one that is not shown.\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Example:\n"
	"  t2 failures --all -F conftest\n";

static const struct t2_column columns[] = {
	{.name = "status", .title = "status", .kind = T2_KIND_TEXT, .width_max = 12},
	{.name = "counts", .title = "counts", .kind = T2_KIND_TEXT, .width_max = 7},
	{.name = "pid", .title = "pid", .kind = T2_KIND_TEXT, .width_max = 10},
	{.name = "total", .title = "total", .kind = T2_KIND_DURATION},
	{.name = "start", .title = "start", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "cwd", .title = "cwd", .kind = T2_KIND_TEXT, .width_max = 40},
	{.name = "ancestry", .title = "ancestry", .kind = T2_KIND_TEXT, .width_max = 60},
	{.name = "command", .title = "command", .kind = T2_KIND_TEXT},
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

struct failures {
	struct t2_view view;
	struct t2_causes causes;
	bool is_all;
	uint32_t nr_printed;
};

static bool is_over(const struct failures *failures)
{
	uint32_t limit = failures->view.options->limit;

	return limit && failures->nr_printed >= limit;
}

/* --- for people --------------------------------------------------------------------- */

void t2_print_line(const struct t2_view *view, FILE *out, const char *indent, const char *text)
{
	unsigned width = view->options->width - t2_text_columns(indent);
	size_t size = t2_text_clean(NULL, 0, text, view->options->is_unicode) + 8;
	char *line = malloc(size);

	if (!line)
		return;
	t2_text_elide(line, size, text, width, view->options->is_unicode);
	fprintf(out, "%s%s\n", indent, line);
	free(line);
}

void t2_causes_print_one(const struct t2_view *view, FILE *out, uint32_t id)
{
	uint32_t shown = t2_cause_shown(view, id);
	const struct t2_process *process = &view->trace->processes[id];
	const char *red = t2_style(view->options->is_coloured, T2_RED);
	char command[4 * ANCESTRY_ROOM], end[T2_TEXT_MAX], took[T2_TEXT_MAX];
	char ancestry[ANCESTRY_ROOM], head[64], line[ANCESTRY_ROOM * 2];

	snprintf(head, sizeof(head), "  [%s] ", t2_end_text(process, end));
	fputs(red, out);
	t2_key_line(&view->trace->processes[shown], view->options->width - t2_text_columns(head),
		    view->options->is_unicode, command, sizeof(command));
	fprintf(out, "%s%s\n", head, command);
	fputs(*red ? t2_style(true, T2_PLAIN) : "", out);
	t2_ancestry(view, id, 8, ancestry, sizeof(ancestry));
	t2_print_line(view, out, "      ", ancestry);
	snprintf(line, sizeof(line), "after %s, pid %d, in %s",
		 t2_text_duration(took, process->end_ns - process->start_ns), (int)process->pid,
		 process->cwd ? process->cwd : "?");
	t2_print_line(view, out, "      ", line);
	if (process->error)
		t2_print_line(view, out, "      said: ", process->error);
}

static void print_people(struct failures *failures)
{
	const struct t2_view *view = &failures->view;
	char count[T2_TEXT_MAX];
	uint32_t nr = failures->causes.nr, nr_left_out = 0;

	for (uint32_t i = 0; i < nr; i++) {
		if (!t2_view_shows(view, failures->causes.ids[i]) || is_over(failures)) {
			nr_left_out++;
			continue;
		}
		t2_causes_print_one(view, stdout, failures->causes.ids[i]);
		failures->nr_printed++;
	}
	if (nr_left_out)
		printf("%s not shown\n", t2_text_count(count, nr_left_out));
	if (!nr)
		puts("nothing failed in the end");
	if (failures->causes.nr_failed && !nr)
		printf("%s failed on the way and %s handled: t2 failures --all\n",
		       t2_text_count(count, failures->causes.nr_failed),
		       failures->causes.nr_failed == 1 ? "was" : "were");
}

/* --- tables ------------------------------------------------------------------------- */

static bool put(struct t2_table *table, const struct failures *failures, uint32_t id)
{
	const struct t2_view *view = &failures->view;
	const struct t2_process *process = &view->trace->processes[id];
	char *command = t2_view_command(view, id), text[T2_TEXT_MAX], ancestry[ANCESTRY_ROOM];

	t2_table_text(table, t2_end_text(process, text));
	t2_table_text(table, failures->causes.is_counted[id] ? "yes" : "handled");
	snprintf(text, sizeof(text), "%d", (int)process->pid);
	t2_table_text(table, text);
	t2_table_number(table, process->end_ns - process->start_ns);
	t2_table_number(table, process->start_ns - view->analysis->start_ns);
	t2_table_text(table, process->cwd);
	t2_ancestry(view, id, 8, ancestry, sizeof(ancestry));
	t2_table_text(table, ancestry);
	t2_table_text(table, command);
	free(command);
	return t2_table_row(table, failures->causes.is_counted[id]);
}

static bool print_causes(struct t2_table *table, struct failures *failures)
{
	for (uint32_t i = 0; i < failures->causes.nr && !is_over(failures); i++) {
		if (!t2_view_shows(&failures->view, failures->causes.ids[i]))
			continue;
		if (!put(table, failures, failures->causes.ids[i]))
			return false;
		failures->nr_printed++;
	}
	return true;
}

static bool print_all(struct t2_table *table, struct failures *failures)
{
	const struct t2_trace *trace = failures->view.trace;

	for (uint32_t id = 1; id < trace->nr_processes && !is_over(failures); id++) {
		if (!t2_view_shows(&failures->view, id) || !t2_has_failed(&trace->processes[id]))
			continue;
		if (!put(table, failures, id))
			return false;
		failures->nr_printed++;
	}
	return true;
}

static int print_table(struct failures *failures)
{
	struct t2_table_opts opts = t2_view_table_opts(&failures->view);
	struct t2_table *table;
	bool is_done;

	if (!opts.fields && opts.format == T2_FORMAT_TEXT)
		opts.fields = "status,counts,pid,total,command";
	table = t2_table_begin(stdout, &opts, columns, NR_COLUMNS, "failures");
	if (!table)
		return T2_VIEW_USAGE;
	is_done = failures->is_all ? print_all(table, failures) : print_causes(table, failures);
	t2_table_end(table);
	return is_done ? T2_VIEW_OK : T2_VIEW_USAGE;
}

/* --- the command --------------------------------------------------------------------- */

static int print(struct failures *failures)
{
	const struct t2_options *options = failures->view.options;
	int status = T2_VIEW_OK;

	if (!t2_causes_find(&failures->causes, &failures->view))
		return T2_VIEW_USAGE;
	if (failures->is_all || options->format != T2_FORMAT_TEXT || options->fields)
		status = print_table(failures);
	else
		print_people(failures);
	return status ? status : failures->causes.nr ? T2_VIEW_NO : T2_VIEW_OK;
}

static bool on_extra(void *arg, int val, const char *value)
{
	struct failures *failures = arg;

	(void)value;
	failures->is_all = val == ALL;
	return true;
}

static int run(int argc, char **argv)
{
	static const struct option extra[] = {{"all", no_argument, NULL, ALL}, {0}};
	struct failures failures = {0};
	struct t2_options_spec spec = {
		.name = "failures", .extra = extra, .on_extra = on_extra, .arg = &failures};
	struct t2_options options;
	int status;

	status = t2_options_parse(&options, &spec, argc, argv);
	if (!status)
		status = t2_view_load(&failures.view, &options, options.files, options.nr_files,
				      true);
	if (!status)
		status = print(&failures);
	t2_causes_free(&failures.causes);
	t2_view_free(&failures.view);
	t2_options_free(&options);
	return status;
}

const struct t2_command t2_command_failures = {
	.name = "failures",
	.summary = "what made it fail",
	.help = help,
	.run = run,
};
