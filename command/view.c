/* SPDX-License-Identifier: MIT */
#include "command/view.h"

#include "command/key.h"
#include "command/output.h"
#include "command/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COMMAND_ROOM 4096

/* --- progress --------------------------------------------------------------------- */

struct progress {
	int64_t start_ms, shown_ms;
	bool is_wanted, is_shown;
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void end_progress(const struct progress *progress)
{
	if (progress->is_shown)
		fputs("\r\033[K", stderr);
}

static void show_progress(uint64_t done, uint64_t total)
{
	char size[T2_TEXT_MAX];

	if (total) {
		int filled = (int)((double)done / (double)total * 40);

		fprintf(stderr, "\r\033[Kt2: reading [%.*s%*s] %d%%", filled,
			"########################################", 40 - filled, "",
			(int)((double)done / (double)total * 100));
	} else {
		fprintf(stderr, "\r\033[Kt2: reading %s", t2_text_bytes(size, done / 1024));
	}
}

static void on_progress(void *arg, uint64_t done, uint64_t total)
{
	struct progress *progress = arg;
	int64_t now = now_ms();

	if (t2_output_is_over()) {
		end_progress(progress);
		t2_output_end();
	}
	if (!progress->is_wanted || now - progress->start_ms < 1000 ||
	    now - progress->shown_ms < 100)
		return;
	progress->shown_ms = now;
	progress->is_shown = true;
	show_progress(done, total);
}

/* --- loading ---------------------------------------------------------------------- */

static int find_root(struct t2_view *view)
{
	const struct t2_trace *trace = view->trace;
	int32_t pid = view->options->pid;

	if (pid < 0)
		return T2_VIEW_OK;
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		if (trace->processes[id].pid != pid)
			continue;
		view->root = id;
		return T2_VIEW_OK;
	}
	fprintf(stderr, "t2: no process %d in this trace\n", (int)pid);
	return T2_VIEW_USAGE;
}

static bool read_trace(struct t2_view *view, const char *const *files, size_t nr)
{
	struct progress progress = {.start_ms = now_ms()};
	struct t2_source_opts opts = {
		.messages = stderr, .progress = on_progress, .progress_arg = &progress};
	struct t2_source *source;

	progress.is_wanted = isatty(STDERR_FILENO) && !t2_output_has_left();
	source = t2_source_open(files, nr, &opts);
	if (!source)
		return false;
	view->trace = t2_trace_read(source, NULL);
	t2_source_get_stats(source, &view->source);
	end_progress(&progress);
	t2_source_close(source);
	return view->trace;
}

static int no_memory(void)
{
	fputs("t2: out of memory\n", stderr);
	return T2_VIEW_USAGE;
}

static int say_empty(const struct t2_view *view, const char *file, size_t nr)
{
	/* What could not be read was complained of. */
	if (view->source.nr_unreadable < nr)
		fprintf(stderr, "t2: %s: no process in it; t2 run records one\n", file);
	else if (!strcmp(file, T2_DEFAULT_FILE))
		fputs("t2: name a trace, or record one: t2 run -- COMMAND\n", stderr);
	return T2_VIEW_USAGE;
}

int t2_view_load(struct t2_view *view, const struct t2_options *options, const char *const *files,
		 size_t nr, unsigned wants)
{
	struct t2_analysis_opts opts = {.nr_cpus = options->nr_cpus};
	int status;

	*view = (struct t2_view){.options = options, .out = stdout};
	if (!read_trace(view, files, nr))
		return no_memory();
	if (view->trace->nr_processes < 2 &&
	    (!(wants & T2_VIEW_EVEN_EMPTY) || !view->source.nr_files))
		return say_empty(view, files[0], nr);
	status = find_root(view);
	if (status)
		return status;
	opts.root = view->root;
	if (wants & T2_VIEW_ANALYSED) {
		view->analysis = t2_analyse(view->trace, &opts);
		if (!view->analysis)
			return no_memory();
	}
	if (!t2_view_filter(view))
		return no_memory();
	return T2_VIEW_OK;
}

void t2_view_free(struct t2_view *view)
{
	t2_analysis_free(view->analysis);
	t2_trace_free(view->trace);
	free(view->is_shown);
}

int t2_view_run(const struct t2_view_spec *spec, int argc, char **argv, FILE *out)
{
	struct t2_view view = {0};
	struct t2_options options;
	int status;

	status = t2_options_parse(&options, &spec->options, argc, argv);
	if (!status)
		status =
			t2_view_load(&view, &options, options.files, options.nr_files, spec->wants);
	if (!status) {
		view.out = out;
		status = spec->print(&view, spec->options.arg);
	}
	if (status == T2_VIEW_NO_MEMORY)
		status = no_memory();
	t2_view_free(&view);
	t2_options_free(&options);
	return status;
}

/* --- what views share -------------------------------------------------------------- */

/* Equal arguments of a trace have equal addresses. */
bool t2_view_is_fork(const struct t2_view *view, uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];
	const struct t2_process *parent = &view->trace->processes[process->parent];

	return process->argv && process->argv == parent->argv && process->exe == parent->exe &&
	       !process->is_exec && !process->is_outside;
}

static size_t key_of(const struct t2_view *view, uint32_t id, char *out, size_t size)
{
	const struct t2_process *process = &view->trace->processes[id];

	switch (view->options->by) {
	case T2_BY_CMD:
		return t2_key_command(process, out, size);
	case T2_BY_OUTPUT:
		return t2_key_output(process, out, size);
	case T2_BY_SOURCE:
		return t2_key_source(process, out, size);
	case T2_BY_DIR:
		return (size_t)snprintf(out, size, "%s", process->cwd ? process->cwd : "?");
	case T2_BY_EXE:
	default:
		return t2_key_name(process, out, size);
	}
}

size_t t2_view_key(const struct t2_view *view, uint32_t id, char *out, size_t size)
{
	size_t len = key_of(view, id, out, size);

	/* A shell that forks a hundred times did not run a hundred times. */
	if (view->options->by != T2_BY_DIR && t2_view_is_fork(view, id) && len < size)
		len += (size_t)snprintf(out + len, size - len, " (fork)");
	return len;
}

char *t2_view_command(const struct t2_view *view, uint32_t id)
{
	const struct t2_process *process = &view->trace->processes[id];
	size_t room = COMMAND_ROOM, len;
	char *out = malloc(room);

	if (!out)
		return NULL;
	len = t2_key_command(process, out, room);
	if (len < room)
		return out;
	free(out);
	out = malloc(len + 1);
	if (out)
		t2_key_command(process, out, len + 1);
	return out;
}

struct t2_table_opts t2_view_table_opts(const struct t2_view *view, const char *fields)
{
	const struct t2_options *options = view->options;

	return (struct t2_table_opts){
		.format = options->format,
		.width = options->width,
		.is_unicode = options->is_unicode,
		.is_coloured = options->is_coloured,
		.fields = options->fields ? options->fields : fields,
		.may_drop = !options->fields,
	};
}

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
