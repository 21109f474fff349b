/* SPDX-License-Identifier: MIT */
/*
 * t2 critical: what the end was waiting for, and when nothing else ran.
 */
#include "command/critical.h"

#include "command/command.h"
#include "command/key.h"
#include "command/map.h"
#include "command/strings.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 512
#define LINE_ROOM 256
#define SHORT_LINKS 5
#define NAME_COLUMNS 28
#define SHORT_STRETCHES 3
/* Shown are links and stretches that have so much of the wall clock. */
#define SHARE_SHOWN_PPM 10000

static const char help[] =
	"usage: t2 critical [OPTION]... [FILE]...\n"
	"\n"
	"The gating chain of a trace (t2.data): walking back from the end, always the\n"
	"process that ended last before that moment under the same parent, and what the\n"
	"parent did in between. Making one of these shorter may make the whole shorter;\n"
	"making another one shorter does not. That one waited for the other is inferred.\n"
	"\n"
	"Then the serial stretches: the times with at most one busy process.\n"
	"\n"
	"What has less than 1 % of the wall clock is left out, unless -t says otherwise.\n"
	"For programs, --format prints the chain, or with --stretches the stretches.\n"
	"\n"
	"      --stretches       only the serial stretches\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Example:\n"
	"  t2 critical -t 0 --format csv >chain.csv\n";

enum { STRETCHES = 256 };

void t2_critical_name(const struct t2_view *view, uint32_t id, char *out, size_t size)
{
	if (id == T2_ROOT)
		snprintf(out, size, "(nobody busy)");
	else
		t2_key_source(&view->trace->processes[id], out, size);
}

/* --- all of it -------------------------------------------------------------------- */

/* Either kind: a time, and who had it. */
struct span {
	int64_t start_ns, end_ns;
	uint32_t process;
};

static struct span link_at(const struct t2_analysis *analysis, uint32_t i)
{
	const struct t2_link *link = &analysis->links[i];

	return (struct span){link->start_ns, link->end_ns, link->process};
}

static struct span stretch_at(const struct t2_analysis *analysis, uint32_t i)
{
	const struct t2_stretch *stretch = &analysis->stretches[i];

	return (struct span){stretch->start_ns, stretch->end_ns, stretch->process};
}

static bool is_shown(const struct t2_view *view, const struct span *span)
{
	int64_t ns = span->end_ns - span->start_ns;
	int64_t start_ns = view->analysis->start_ns;

	if (span->end_ns - start_ns <= view->options->from_ns ||
	    span->start_ns - start_ns >= view->options->to_ns)
		return false;
	if (span->process != T2_ROOT && !t2_view_shows(view, span->process))
		return false;
	if (view->options->min_ns >= 0)
		return ns >= view->options->min_ns;
	return t2_text_ppm(ns, view->analysis->wall_ns) >= SHARE_SHOWN_PPM;
}

struct row {
	const struct t2_view *view;
	struct span span;
	char text[NAME_ROOM];
	char *command; /* of the last one that was asked for */
};

static int64_t at_of(const void *arg)
{
	const struct row *row = arg;

	return row->span.start_ns - row->view->analysis->start_ns;
}

static int64_t time_of(const void *arg)
{
	const struct row *row = arg;

	return row->span.end_ns - row->span.start_ns;
}

static int64_t share_of(const void *arg)
{
	const struct row *row = arg;

	return t2_text_ppm(time_of(row), row->view->analysis->wall_ns);
}

static int64_t pid_of(const void *arg)
{
	const struct row *row = arg;
	int32_t pid = row->view->trace->processes[row->span.process].pid;

	return row->span.process == T2_ROOT || pid < 0 ? T2_UNKNOWN : pid;
}

static const char *name_of(void *arg)
{
	struct row *row = arg;

	t2_critical_name(row->view, row->span.process, row->text, sizeof(row->text));
	return row->text;
}

static const char *command_of(void *arg)
{
	struct row *row = arg;

	free(row->command);
	row->command = NULL;
	if (row->span.process != T2_ROOT)
		row->command = t2_view_command(row->view, row->span.process);
	return row->command;
}

/* clang-format off */
static const struct t2_column columns[] = {
	{"at", "at", T2_KIND_DURATION, .number = at_of},
	{"time", "time", T2_KIND_DURATION, .number = time_of},
	{"share", "%", T2_KIND_PERCENT, .number = share_of},
	{"pid", "pid", T2_KIND_ID, .number = pid_of},
	{"name", "name", T2_KIND_TEXT, .text = name_of},
	{"command", "command", T2_KIND_TEXT, .text = command_of},
	{0},
};
/* clang-format on */

static bool put(struct t2_table *table, struct row *row)
{
	uint32_t process = row->span.process;

	return t2_table_row(table, row,
			    process != T2_ROOT &&
				    t2_has_failed(&row->view->trace->processes[process]));
}

static int print_spans(const struct t2_view *view, uint32_t nr,
		       struct span (*at)(const struct t2_analysis *, uint32_t))
{
	const struct t2_table_opts opts = t2_view_table_opts(view, "at,time,share,pid,name");
	struct t2_table *table = t2_table_begin(view->out, &opts, columns);
	struct row row = {.view = view};
	uint32_t nr_shown = 0, nr_short = 0, limit = view->options->limit;
	int64_t short_ns = 0;
	char count[T2_TEXT_MAX], time[T2_TEXT_MAX];

	if (!table)
		return T2_VIEW_NO_MEMORY;
	for (uint32_t i = 0; i < nr; i++) {
		row.span = at(view->analysis, i);
		if (is_shown(view, &row.span) && (!limit || nr_shown < limit)) {
			nr_shown++;
			if (!put(table, &row))
				break;
			continue;
		}
		nr_short++;
		short_ns += time_of(&row);
	}
	t2_table_end(table);
	free(row.command);
	if (nr_short && opts.format == T2_OUTPUT_TEXT)
		printf("... %s more, %s together\n", t2_text_count(count, nr_short),
		       t2_text_duration(time, short_ns));
	return T2_VIEW_OK;
}

static int print_all(const struct t2_view *view)
{
	const struct t2_analysis *analysis = view->analysis;
	char serial[T2_TEXT_MAX], wall[T2_TEXT_MAX], share[T2_TEXT_MAX], line[LINE_ROOM];
	int status;

	printf("GATING CHAIN (inferred), of %s\n", t2_text_duration(wall, analysis->wall_ns));
	status = print_spans(view, analysis->nr_links, link_at);
	if (status)
		return status;
	snprintf(line, sizeof(line), "SERIAL STRETCHES (at most one busy), %s of %s (%s)",
		 t2_text_duration(serial, analysis->serial_ns), wall,
		 t2_text_percent(share, t2_text_ppm(analysis->serial_ns, analysis->wall_ns)));
	putchar('\n');
	t2_print_wrapped(stdout, view->options->width, "", "  ", line);
	return print_spans(view, analysis->nr_stretches, stretch_at);
}

/* --- a few lines ------------------------------------------------------------------- */

/* The @max longest of @nr spans, in the order of time. Returns how many. */
static uint32_t pick(const struct t2_analysis *analysis, uint32_t nr, struct span *picked,
		     uint32_t max, struct span (*at)(const struct t2_analysis *, uint32_t))
{
	uint32_t nr_picked = 0;

	for (uint32_t i = 0; i < nr; i++) {
		struct span span = at(analysis, i);
		uint32_t shortest = 0;

		if (nr_picked < max) {
			picked[nr_picked++] = span;
			continue;
		}
		for (uint32_t j = 1; j < max; j++) {
			if (picked[j].end_ns - picked[j].start_ns <
			    picked[shortest].end_ns - picked[shortest].start_ns)
				shortest = j;
		}
		if (span.end_ns - span.start_ns <=
		    picked[shortest].end_ns - picked[shortest].start_ns)
			continue;
		memmove(&picked[shortest], &picked[shortest + 1],
			(max - shortest - 1) * sizeof(*picked));
		picked[max - 1] = span;
	}
	return nr_picked;
}

/* Those that have hardly any of the wall clock tell nothing. */
static uint32_t drop_short(const struct t2_analysis *analysis, struct span *picked, uint32_t nr)
{
	uint32_t nr_kept = 0;

	for (uint32_t i = 0; i < nr; i++) {
		if (t2_text_ppm(picked[i].end_ns - picked[i].start_ns, analysis->wall_ns) >=
		    SHARE_SHOWN_PPM)
			picked[nr_kept++] = picked[i];
	}
	return nr_kept;
}

static void print_picked(const struct t2_view *view, FILE *out, const struct span *picked,
			 uint32_t nr, const char *between)
{
	bool is_unicode = view->options->is_unicode;
	unsigned width = view->options->width, used = 4;

	fputs("   ", out);
	for (uint32_t i = 0; i < nr; i++) {
		char name[NAME_ROOM], shown[NAME_ROOM], time[T2_TEXT_MAX];
		unsigned wide;

		t2_critical_name(view, picked[i].process, name, sizeof(name));
		if (t2_text_columns(name) > NAME_COLUMNS)
			t2_key_without_directory(name);
		t2_text_elide(shown, sizeof(shown), name, NAME_COLUMNS, is_unicode);
		t2_text_duration(time, picked[i].end_ns - picked[i].start_ns);
		wide = (unsigned)strlen(time) + t2_text_columns(shown) + 5;
		if (used + wide > width && i) {
			fputs("\n     ", out);
			used = 6;
		}
		used += wide;
		fprintf(out, " %s %s%s", time, shown, i + 1 < nr ? between : "");
	}
	fputc('\n', out);
}

/* The chain by names, where its links are too many for single ones to tell anything. */
struct names {
	struct t2_strings strings;
	struct t2_map map; /* from a name's address to its span, which has its time */
	struct span *spans;
	uint32_t nr;
};

static bool add_link(struct names *names, const struct t2_view *view, const struct t2_link *link)
{
	char key[NAME_ROOM] = "(nobody busy)";
	const char *name;
	uint32_t index;

	if (link->process != T2_ROOT)
		t2_key_name(&view->trace->processes[link->process], key, sizeof(key));
	name = t2_strings_keep(&names->strings, key, strlen(key));
	if (!name)
		return false;
	index = t2_map_get(&names->map, (uintptr_t)name);
	if (index == T2_MAP_NONE) {
		index = names->nr++;
		names->spans[index] = (struct span){.process = link->process};
		if (!t2_map_put(&names->map, (uintptr_t)name, index))
			return false;
	}
	names->spans[index].end_ns += link->end_ns - link->start_ns;
	return true;
}

static int by_time(const void *left, const void *right)
{
	const struct span *a = left, *b = right;

	return a->end_ns < b->end_ns ? 1 : a->end_ns > b->end_ns ? -1 : 0;
}

static void print_names(const struct t2_view *view, FILE *out)
{
	const struct t2_analysis *analysis = view->analysis;
	struct names names = {.spans = calloc(analysis->nr_links, sizeof(*names.spans))};
	char line[NAME_ROOM] = "", name[64], key[NAME_ROOM], time[T2_TEXT_MAX];
	char share[T2_TEXT_MAX];
	bool is_done = names.spans;

	for (uint32_t i = 0; is_done && i < analysis->nr_links; i++)
		is_done = add_link(&names, view, &analysis->links[i]);
	if (is_done)
		qsort(names.spans, names.nr, sizeof(*names.spans), by_time);
	for (uint32_t i = 0; is_done && i < names.nr && i < 3; i++) {
		size_t len = strlen(line);

		snprintf(key, sizeof(key), "(nobody busy)");
		if (names.spans[i].process != T2_ROOT)
			t2_key_name(&view->trace->processes[names.spans[i].process], key,
				    sizeof(key));
		t2_text_elide(name, sizeof(name), key, 14, false);
		snprintf(line + len, sizeof(line) - len, "%s%s %s (%s)", i ? ", " : "",
			 t2_text_duration(time, names.spans[i].end_ns), name,
			 t2_text_percent(share,
					 t2_text_ppm(names.spans[i].end_ns, analysis->wall_ns)));
	}
	if (is_done)
		t2_print_wrapped(out, view->options->width, "    by command: ", "      ", line);
	t2_strings_free(&names.strings);
	t2_map_free(&names.map);
	free(names.spans);
}

void t2_critical_print_short(const struct t2_view *view, FILE *out)
{
	const struct t2_analysis *analysis = view->analysis;
	struct span links[SHORT_LINKS], stretches[SHORT_STRETCHES];
	uint32_t nr = pick(analysis, analysis->nr_links, links, SHORT_LINKS, link_at);
	char shown[T2_TEXT_MAX], wall[T2_TEXT_MAX], count[T2_TEXT_MAX];
	int64_t shown_ns = 0;

	if (!nr)
		return;
	for (uint32_t i = 0; i < nr; i++)
		shown_ns += links[i].end_ns - links[i].start_ns;
	fprintf(out, "\n%sGATING CHAIN%s (inferred; %u of %s links, %s of %s)\n",
		t2_style(view->options->is_coloured, T2_BOLD),
		t2_style(view->options->is_coloured, T2_PLAIN), nr,
		t2_text_count(count, analysis->nr_links), t2_text_duration(shown, shown_ns),
		t2_text_duration(wall, analysis->wall_ns));
	print_picked(view, out, links, nr, " ->");
	if (shown_ns < analysis->wall_ns / 2)
		print_names(view, out);
	if (analysis->nr_at <= 2 || !analysis->nr_stretches)
		return;
	nr = pick(analysis, analysis->nr_stretches, stretches, SHORT_STRETCHES, stretch_at);
	nr = drop_short(analysis, stretches, nr);
	fprintf(out, "  at most one busy for %s%s\n", t2_text_duration(shown, analysis->serial_ns),
		nr ? ":" : ", never for long");
	if (nr)
		print_picked(view, out, stretches, nr, ";");
}

/* --- the command ------------------------------------------------------------------- */

static bool on_extra(void *arg, int val, const char *value)
{
	(void)value;
	*(bool *)arg = val == STRETCHES;
	return true;
}

static int print(struct t2_view *view, void *arg)
{
	const bool *has_stretches_only = arg;

	if (*has_stretches_only)
		return print_spans(view, view->analysis->nr_stretches, stretch_at);
	if (view->options->format != T2_OUTPUT_TEXT)
		return print_spans(view, view->analysis->nr_links, link_at);
	return print_all(view);
}

static int run(int argc, char **argv)
{
	static const struct option extra[] = {{"stretches", no_argument, NULL, STRETCHES}, {0}};
	bool has_stretches_only = false;
	const struct t2_view_spec spec = {
		.options = {.name = "critical",
			    .columns = columns,
			    .extra = extra,
			    .on_extra = on_extra,
			    .arg = &has_stretches_only},
		.wants = T2_VIEW_ANALYSED,
		.print = print,
	};

	return t2_view_run(&spec, argc, argv, stdout);
}

const struct t2_command t2_command_critical = {
	.name = "critical",
	.summary = "what the end waited for",
	.help = help,
	.run = run,
};
