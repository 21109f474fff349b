/* SPDX-License-Identifier: MIT */
/*
 * t2 tree: who started whom.
 *
 * Processes are in preorder, so one walk over their ids prints the tree as it goes.
 */
#include "command/tree.h"

#include "command/causes.h"
#include "command/columns.h"
#include "command/command.h"
#include "command/key.h"
#include "command/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Shown by default: what has one of both. */
#define MIN_PPM 10000

#define NUMBER_COLUMNS 20 /* before the tree */
#define INDENT 2

static const char help[] =
	"usage: t2 tree [OPTION]... [FILE]...\n"
	"\n"
	"The processes of a trace (t2.data), below the one that started each, with their\n"
	"time from start to end and the CPU time of their own. An image that took the\n"
	"place of its parent by exec has => before it.\n"
	"\n"
	"Left out, and counted in the lines with dots, is what took less than 10ms and\n"
	"less than 1 % of the trace and did not fail; with -t, what took less than that.\n"
	"With other filters, what matches is shown with all that is above it.\n"
	"\n"
	"On a terminal or in a pipe the first lines of a large file come before all of it\n"
	"is read, if it is not packed.\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Example:\n"
	"  t2 tree --under '~make -C lib' -D 4 | head -40\n";

static const char fields[] = "id,parent,depth,pid,start,total,cpu,rss,status,cwd,command";

static int64_t total_ns(const struct t2_tree *tree, uint32_t id)
{
	const struct t2_process *process = &tree->view.trace->processes[id];

	return process->end_ns - process->start_ns;
}

/* --- what is shown -------------------------------------------------------------------- */

static int64_t default_min(const struct t2_tree *tree)
{
	const struct t2_options *options = tree->view.options;
	int64_t share_ns = total_ns(tree, tree->view.root) / (1000000 / MIN_PPM);

	/* A filter that was asked for is enough. */
	if (options->min_ns >= 0 || options->nr_only || options->cwd || options->only_failed)
		return 0;
	return share_ns < T2_TREE_MIN_NS ? share_ns : T2_TREE_MIN_NS;
}

bool t2_tree_wants(const struct t2_tree *tree, uint32_t id)
{
	if (!t2_view_shows(&tree->view, id))
		return false;
	return total_ns(tree, id) >= tree->min_ns ||
	       t2_has_failed(&tree->view.trace->processes[id]);
}

bool t2_tree_choose(struct t2_tree *tree)
{
	const struct t2_trace *trace = tree->view.trace;

	tree->min_ns = default_min(tree);
	tree->is_kept = calloc(trace->nr_processes, 1);
	tree->levels = calloc(trace->nr_processes + 1, sizeof(*tree->levels));
	if (!tree->is_kept || !tree->levels)
		return false;
	for (uint32_t id = trace->nr_processes; id-- > 1;) {
		if (t2_tree_wants(tree, id) && (!tree->is_settled || tree->is_settled[id]))
			tree->is_kept[id] = 1;
		if (tree->is_kept[id] && id != tree->view.root)
			tree->is_kept[trace->processes[id].parent] = 1;
	}
	return true;
}

void t2_tree_free(struct t2_tree *tree)
{
	free(tree->is_kept);
	free(tree->levels);
	t2_view_free(&tree->view);
}

/* --- for people ------------------------------------------------------------------------ */

/* A line, unless it is there already. */
__attribute__((format(printf, 2, 3))) static void put_line(struct t2_tree *tree, const char *format,
							   ...)
{
	va_list args;
	char *line;
	int len;

	va_start(args, format);
	len = vasprintf(&line, format, args);
	va_end(args);
	if (len < 0)
		return;
	tree->nr_lines++;
	if (!tree->early || !*tree->early) {
		fputs(line, tree->out);
	} else if (!strncmp(tree->early, line, (size_t)len)) {
		tree->early += len;
	} else {
		tree->is_contradicted = true;
	}
	free(line);
}

/* Deep trees go on at the half of the width. */
static unsigned indent_of(const struct t2_tree *tree, uint32_t level)
{
	unsigned max = (tree->view.options->width - NUMBER_COLUMNS) / 2;

	return level > max / INDENT ? max / INDENT * INDENT : level * INDENT;
}

static void put_end(const struct t2_process *process, char *out, size_t size)
{
	char end[T2_TEXT_MAX];

	*out = '\0';
	if (process->is_unstarted)
		snprintf(out, size, "  [not started]");
	else if (t2_has_failed(process))
		snprintf(out, size, "  [%s]", t2_end_text(process, end));
	else if (process->is_incomplete)
		snprintf(out, size, "  [no end seen]");
}

static void print_process(struct t2_tree *tree, uint32_t id)
{
	const struct t2_options *options = tree->view.options;
	const struct t2_process *process = &tree->view.trace->processes[id];
	unsigned indent = indent_of(tree, tree->nr_levels);
	char end[48];
	char total[T2_TEXT_MAX], cpu[T2_TEXT_MAX], shown[4096];
	enum t2_style style = t2_has_failed(process)	 ? T2_RED
			      : !t2_tree_wants(tree, id) ? T2_DIM
							 : T2_PLAIN;
	bool is_styled = options->is_coloured && style != T2_PLAIN;
	unsigned width, taken;

	put_end(process, end, sizeof(end));
	taken = NUMBER_COLUMNS + indent + (unsigned)strlen(end) + (process->is_exec ? 3 : 0);
	width = options->width > taken + 10 ? options->width - taken : 10;
	t2_key_line(process, width, options->is_unicode, shown, sizeof(shown));
	put_line(tree, "%s%9s %9s %*s%s%s%s%s\n", t2_style(is_styled, style),
		 t2_text_duration(total, total_ns(tree, id)),
		 t2_text_duration(cpu, (int64_t)process->cpu_ns), (int)indent, "",
		 process->is_exec ? "=> " : "", shown, end, t2_style(is_styled, T2_PLAIN));
}

static void print_hidden(struct t2_tree *tree, const struct t2_tree_level *level)
{
	char count[T2_TEXT_MAX], time[T2_TEXT_MAX];

	if (!level->nr_hidden)
		return;
	put_line(tree, "%9s %9s %*s... %s more\n", t2_text_duration(time, level->hidden_ns), "",
		 (int)indent_of(tree, tree->nr_levels), "", t2_text_count(count, level->nr_hidden));
}

/* Be done with those of which @id is no descendant. Returns false if one may have more. */
static bool climb(struct t2_tree *tree, uint32_t id)
{
	while (tree->nr_levels) {
		const struct t2_tree_level *level = &tree->levels[tree->nr_levels - 1];

		if (id < tree->view.trace->processes[level->id].end_id)
			return true;
		if (tree->is_closed && !tree->is_closed[level->id])
			return false;
		print_hidden(tree, level);
		tree->nr_levels--;
	}
	return true;
}

/* Whether what is to be said of @id, or of all below it, is known. */
static bool is_known(const struct t2_tree *tree, uint32_t id)
{
	if (!tree->is_settled)
		return true;
	return tree->is_kept[id] ? tree->is_settled[id] : tree->is_closed[id];
}

static void print_lines(struct t2_tree *tree)
{
	const struct t2_trace *trace = tree->view.trace;
	uint32_t limit = tree->view.options->limit;
	uint32_t id = tree->view.root == T2_ROOT ? T2_ROOT + 1 : tree->view.root;
	uint32_t end = trace->processes[tree->view.root].end_id;
	struct t2_tree_level top = {.id = T2_ROOT};

	while (id < end && (!limit || tree->nr_lines <= limit) && !tree->is_contradicted) {
		struct t2_tree_level *level = &top;

		if (!climb(tree, id) || !is_known(tree, id))
			return;
		if (tree->nr_levels)
			level = &tree->levels[tree->nr_levels - 1];
		if (!tree->is_kept[id]) {
			level->nr_hidden += trace->processes[id].end_id - id;
			level->hidden_ns += total_ns(tree, id);
			id = trace->processes[id].end_id;
			continue;
		}
		print_process(tree, id);
		tree->levels[tree->nr_levels++] = (struct t2_tree_level){.id = id};
		id++;
	}
	if (id < end || tree->is_settled)
		return;
	climb(tree, end);
	print_hidden(tree, &top);
}

void t2_tree_print(struct t2_tree *tree)
{
	put_line(tree, "%9s %9s command\n", "total", "cpu");
	print_lines(tree);
}

/* What was printed early does not hold, or more than it was to come. */
static bool is_contradicted(const struct t2_tree *tree)
{
	return tree->is_contradicted || (tree->early && *tree->early);
}

static void print_people(struct t2_tree *tree)
{
	t2_tree_print(tree);
	if (!is_contradicted(tree))
		return;
	fputs("\nThe rest of the trace tells otherwise; the whole tree:\n", tree->out);
	tree->early = NULL;
	tree->is_contradicted = false;
	tree->nr_lines = tree->nr_levels = 0;
	t2_tree_print(tree);
}

/* --- for programs ---------------------------------------------------------------------- */

/* All that the filters leave: a program can do its own pruning. */
static int print_table(struct t2_tree *tree)
{
	const struct t2_table_opts opts = t2_view_table_opts(&tree->view, fields);
	struct t2_table *table = t2_table_begin(stdout, &opts, t2_process_columns);
	struct t2_process_row row = {.view = &tree->view};
	uint32_t limit = tree->view.options->limit;
	bool is_done = table;

	for (uint32_t id = 1; is_done && id < tree->view.trace->nr_processes; id++) {
		if (!t2_view_shows(&tree->view, id) || (limit && tree->nr_lines >= limit))
			continue;
		row.id = id;
		is_done =
			t2_table_row(table, &row, t2_has_failed(&tree->view.trace->processes[id]));
		tree->nr_lines++;
	}
	t2_table_end(table);
	t2_process_row_free(&row);
	return is_done ? T2_VIEW_OK : T2_VIEW_USAGE;
}

static int print(struct t2_tree *tree)
{
	const struct t2_options *options = tree->view.options;

	if (options->format != T2_OUTPUT_TEXT || options->fields)
		return print_table(tree);
	if (!t2_tree_choose(tree)) {
		fputs("t2: out of memory\n", stderr);
		return T2_VIEW_USAGE;
	}
	print_people(tree);
	return T2_VIEW_OK;
}

static int run(int argc, char **argv)
{
	static const struct t2_options_spec spec = {.name = "tree", .columns = t2_process_columns};
	struct t2_tree tree = {.out = stdout};
	struct t2_options options;
	char *early = NULL;
	int status;

	status = t2_options_parse(&options, &spec, argc, argv);
	if (!status)
		tree.early = early = t2_tree_print_early(&options);
	/* Nothing here needs the analysis. */
	if (!status)
		status = t2_view_load(&tree.view, &options, options.files, options.nr_files, 0);
	if (!status)
		status = print(&tree);
	free(early);
	t2_tree_free(&tree);
	t2_options_free(&options);
	return status;
}

const struct t2_command t2_command_tree = {
	.name = "tree",
	.summary = "who started whom",
	.help = help,
	.run = run,
};
