/* SPDX-License-Identifier: MIT */
/*
 * t2 failures: what made it fail.
 */
#include "command/causes.h"
#include "command/columns.h"
#include "command/command.h"
#include "command/key.h"
#include "command/text.h"

#include <stdlib.h>

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

static const char fields[] = "status,counts,pid,total,cwd,ancestry,command";
/* What people have room for. */
static const char short_fields[] = "status,counts,pid,total,command";

struct failures {
	const struct t2_view *view;
	struct t2_causes causes;
	bool is_all;
	uint32_t nr_printed;
	struct t2_process_row row;
};

static bool is_over(const struct failures *failures)
{
	uint32_t limit = failures->view->options->limit;

	return limit && failures->nr_printed >= limit;
}

/* --- for people --------------------------------------------------------------------- */

static void print_people(struct failures *failures)
{
	const struct t2_view *view = failures->view;
	char count[T2_TEXT_MAX];
	uint32_t nr = failures->causes.nr, nr_left_out = 0;

	for (uint32_t i = 0; i < nr; i++) {
		if (!t2_view_shows(view, failures->causes.ids[i]) || is_over(failures)) {
			nr_left_out++;
			continue;
		}
		t2_causes_print_one(view, view->out, failures->causes.ids[i]);
		failures->nr_printed++;
	}
	if (nr_left_out)
		fprintf(view->out, "%s not shown\n", t2_text_count(count, nr_left_out));
	if (!nr)
		fputs("nothing failed in the end\n", view->out);
	if (failures->causes.nr_failed && !nr)
		fprintf(view->out, "%s failed on the way and %s handled: t2 failures --all\n",
			t2_text_count(count, failures->causes.nr_failed),
			failures->causes.nr_failed == 1 ? "was" : "were");
}

/* --- tables ------------------------------------------------------------------------- */

static bool put(struct t2_table *table, struct failures *failures, uint32_t id)
{
	failures->row.id = id;
	failures->nr_printed++;
	return t2_table_row(table, &failures->row, failures->causes.is_counted[id]);
}

static bool print_causes(struct t2_table *table, struct failures *failures)
{
	for (uint32_t i = 0; i < failures->causes.nr && !is_over(failures); i++) {
		if (!t2_view_shows(failures->view, failures->causes.ids[i]))
			continue;
		if (!put(table, failures, failures->causes.ids[i]))
			return false;
	}
	return true;
}

static bool print_all(struct t2_table *table, struct failures *failures)
{
	const struct t2_trace *trace = failures->view->trace;

	for (uint32_t id = 1; id < trace->nr_processes && !is_over(failures); id++) {
		if (!t2_view_shows(failures->view, id) || !t2_has_failed(&trace->processes[id]))
			continue;
		if (!put(table, failures, id))
			return false;
	}
	return true;
}

static bool print_table(struct failures *failures)
{
	bool is_text = failures->view->options->format == T2_OUTPUT_TEXT;
	struct t2_table_opts opts =
		t2_view_table_opts(failures->view, is_text ? short_fields : fields);
	struct t2_table *table = t2_table_begin(failures->view->out, &opts, t2_process_columns);
	bool is_done = table;

	failures->row =
		(struct t2_process_row){.view = failures->view, .causes = &failures->causes};
	if (table)
		is_done = failures->is_all ? print_all(table, failures)
					   : print_causes(table, failures);
	t2_table_end(table);
	t2_process_row_free(&failures->row);
	return is_done;
}

/* --- the command --------------------------------------------------------------------- */

static int print(struct t2_view *view, void *arg)
{
	const struct t2_options *options = view->options;
	struct failures *failures = arg;
	uint32_t nr;
	bool is_done;

	failures->view = view;
	is_done = t2_causes_find(&failures->causes, view);
	if (is_done && (failures->is_all || options->format != T2_OUTPUT_TEXT || options->fields))
		is_done = print_table(failures);
	else if (is_done)
		print_people(failures);
	nr = failures->causes.nr;
	t2_causes_free(&failures->causes);
	if (!is_done)
		return T2_VIEW_NO_MEMORY;
	return nr ? T2_VIEW_NO : T2_VIEW_OK;
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
	const struct t2_view_spec spec = {
		.options = {.name = "failures",
			    .columns = t2_process_columns,
			    .extra = extra,
			    .on_extra = on_extra,
			    .arg = &failures},
		.wants = T2_VIEW_ANALYSED,
		.print = print,
	};

	return t2_view_run(&spec, argc, argv, stdout);
}

const struct t2_command t2_command_failures = {
	.name = "failures",
	.summary = "what made it fail",
	.help = help,
	.run = run,
};
