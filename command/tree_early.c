/* SPDX-License-Identifier: MIT */
/*
 * The first lines of the tree, while most of a large file is still unread: the whole
 * process that they begin with is told of at both ends of the file, and the first of
 * its children have ended near the beginning.
 *
 * Of such an excerpt only that is printed which the lines between cannot change, if
 * they are in the order of their times but for SLACK_NS: processes that ended and were
 * waited for, below others of which that is so. Should the whole trace tell otherwise
 * after all, t2 tree says so and prints everything.
 */
#include "command/output.h"
#include "command/tree.h"
#include "preload/event.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MB ((uint64_t)1 << 20)
#define FILE_MIN (32 * MB) /* what is smaller is read at once */
#define TAIL MB
#define SHARE 32	 /* of the file, for an excerpt to be worth it */
#define LINES_ENOUGH 100 /* more than a screen */
#define SLACK_NS INT64_C(100000000)

struct excerpt {
	struct t2_tree tree;
	struct t2_source *source;
	uint8_t *is_settled, *is_closed;
	int64_t head_ns; /* when the last event before the gap was */
};

/* --- what is known ----------------------------------------------------------------- */

static void on_event(void *arg, const struct t2_event *event)
{
	struct excerpt *excerpt = arg;

	if (!t2_source_has_gap(excerpt->source) && event->wall_ns <= INT64_MAX &&
	    (int64_t)event->wall_ns > excerpt->head_ns)
		excerpt->head_ns = (int64_t)event->wall_ns;
}

/* Nothing that starts or ends later is in the gap. */
static bool is_before_gap(const struct excerpt *excerpt, int64_t time_ns)
{
	return time_ns < excerpt->head_ns - SLACK_NS;
}

static bool is_settled_image(const struct excerpt *excerpt, const struct t2_process *process)
{
	if (process->is_orphan || process->is_repeated || process->is_backwards ||
	    !is_before_gap(excerpt, process->start_ns))
		return false;
	if (process->is_unstarted)
		return is_before_gap(excerpt, process->end_ns);
	if (process->is_incomplete || process->end == T2_END_UNKNOWN)
		return false;
	/* Its session may be in the gap, or children whose CPU time is not its own. */
	if (process->is_outside || (process->has_reaped_rusage && !process->has_rusage))
		return is_before_gap(excerpt, process->end_ns);
	return true;
}

/* What it became may have to do with what is known of it, and so has who waited. */
static bool is_settled(const struct excerpt *excerpt, uint32_t id)
{
	const struct t2_process *processes = excerpt->tree.view.trace->processes;
	uint32_t first = id, last = id;

	while (processes[first].is_exec)
		first = processes[first].parent;
	while (is_settled_image(excerpt, &processes[last])) {
		if (processes[last].next_exec == T2_NO_PROCESS)
			return processes[last].reaped_ns || processes[last].is_unstarted ||
			       processes[first].parent == T2_ROOT;
		last = processes[last].next_exec;
	}
	return false;
}

static bool settle(struct excerpt *excerpt)
{
	const struct t2_trace *trace = excerpt->tree.view.trace;

	excerpt->is_settled = calloc(trace->nr_processes, 1);
	excerpt->is_closed = malloc(trace->nr_processes);
	if (!excerpt->is_settled || !excerpt->is_closed)
		return false;
	memset(excerpt->is_closed, 1, trace->nr_processes);
	for (uint32_t id = trace->nr_processes; id-- > 1;) {
		const struct t2_process *process = &trace->processes[id];

		excerpt->is_settled[id] = is_settled(excerpt, id);
		excerpt->is_closed[id] &=
			excerpt->is_settled[id] && is_before_gap(excerpt, process->end_ns);
		excerpt->is_closed[process->parent] &= excerpt->is_closed[id];
	}
	excerpt->tree.is_settled = excerpt->is_settled;
	excerpt->tree.is_closed = excerpt->is_closed;
	return true;
}

/* --- excerpts ---------------------------------------------------------------------- */

static bool read_excerpt(struct excerpt *excerpt, const char *file, uint64_t head)
{
	const struct t2_source_opts opts = {.head = head, .tail = TAIL};
	const struct t2_trace_opts trace_opts = {.on_event = on_event, .on_event_arg = excerpt};
	struct t2_trace *trace;
	bool has_gap;

	excerpt->source = t2_source_open(&file, 1, &opts);
	if (!excerpt->source)
		return false;
	trace = t2_trace_read(excerpt->source, &trace_opts);
	has_gap = t2_source_has_gap(excerpt->source);
	t2_source_close(excerpt->source);
	excerpt->tree.view.trace = trace;
	/* Of several hosts it takes all of the trace to know their clocks. */
	return trace && has_gap && trace->nr_hosts == 1 && excerpt->head_ns > SLACK_NS;
}

/* The lines that are known, on @out. Returns their number. */
static uint32_t print_excerpt(const struct t2_options *options, uint64_t head, FILE *out)
{
	struct excerpt excerpt = {.tree = {.view = {.options = options}, .out = out}};
	struct t2_tree *tree = &excerpt.tree;
	uint32_t nr = 0;

	/* A share of the whole time is not known; what is more than the minimum is. */
	if (read_excerpt(&excerpt, options->files[0], head) && settle(&excerpt) &&
	    t2_view_filter(&tree->view) && t2_tree_choose(tree) &&
	    (!tree->min_ns || tree->min_ns == T2_TREE_MIN_NS)) {
		t2_tree_print(tree);
		nr = tree->nr_lines;
	}
	free(excerpt.is_settled);
	free(excerpt.is_closed);
	t2_tree_free(tree);
	return nr;
}

/* Print what is new of @text. Returns whether it goes on where @printed ends. */
static bool print_new(const char *text, const char *printed)
{
	size_t len = strlen(printed);

	if (strncmp(text, printed, len) != 0)
		return false;
	fputs(text + len, stdout);
	t2_output_flush();
	return true;
}

static uint64_t size_of(const char *file)
{
	struct stat st;

	return !stat(file, &st) && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

static bool is_possible(const struct t2_options *options)
{
	return options->nr_files == 1 && options->format == T2_OUTPUT_TEXT && !options->fields &&
	       options->pid < 0 && t2_output_is_followed();
}

char *t2_tree_print_early(const struct t2_options *options)
{
	uint64_t size = is_possible(options) ? size_of(options->files[0]) : 0;
	char *printed = NULL;
	uint32_t nr = 0;

	if (size < FILE_MIN)
		return NULL;
	for (uint64_t head = MB; head <= size / SHARE && nr < LINES_ENOUGH; head *= 8) {
		char *text = NULL;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		if (!out)
			break;
		nr = print_excerpt(options, head, out);
		if (fclose(out) || !nr || !print_new(text, printed ? printed : "")) {
			free(text);
			break;
		}
		free(printed);
		printed = text;
	}
	return printed;
}
