/* SPDX-License-Identifier: MIT */
/*
 * What a trace cannot tell, and why.
 */
#include "command/key.h"
#include "command/map.h"
#include "command/strings.h"
#include "command/text.h"
#include "command/view.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_SHOWN 3
#define KEY_ROOM 256
#define NAME_BYTES 128
#define LINE_ROOM 512

/* Names by how often they occur. */
struct tally {
	struct t2_strings strings;
	struct t2_map map; /* from a name's address to its index */
	const char **names;
	uint32_t *counts;
	uint32_t nr;
};

static bool count_name(struct tally *tally, const char *text, size_t len)
{
	const char *name = t2_strings_keep(&tally->strings, text, len);
	uint32_t index;

	if (!name)
		return false;
	index = t2_map_get(&tally->map, (uintptr_t)name);
	if (index == T2_MAP_NONE) {
		index = tally->nr++;
		tally->names[index] = name;
		if (!t2_map_put(&tally->map, (uintptr_t)name, index))
			return false;
	}
	tally->counts[index]++;
	return true;
}

static bool count_outside(struct tally *tally, const struct t2_trace *trace)
{
	uint32_t nr = trace->stats.nr_outside;
	char key[KEY_ROOM];

	tally->names = calloc(nr, sizeof(*tally->names));
	tally->counts = calloc(nr, sizeof(*tally->counts));
	for (uint32_t id = 1; tally->names && tally->counts && id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];
		size_t len;

		if (!process->is_outside || process->is_unstarted || tally->nr == nr)
			continue;
		len = t2_key_name(process, key, sizeof(key));
		if (!count_name(tally, key, len < sizeof(key) ? len : sizeof(key) - 1))
			return false;
	}
	return tally->names && tally->counts;
}

__attribute__((format(printf, 3, 4))) static void append(char *line, size_t size,
							 const char *format, ...)
{
	size_t len = strlen(line);
	va_list args;

	va_start(args, format);
	vsnprintf(line + len, size - len, format, args);
	va_end(args);
}

/* Where it is too narrow, the rest is below it and further in. */
static void print_wrapped(const struct t2_view *view, FILE *out, const char *indent,
			  const char *line)
{
	char deeper[16];

	snprintf(deeper, sizeof(deeper), "%s  ", indent);
	t2_print_wrapped(out, view->options->width, indent, deeper, line);
}

/* The most frequent ones, behind what @line has. */
static void put_names(char *line, size_t size, struct tally *tally, bool is_unicode)
{
	char name[NAME_BYTES], count[T2_TEXT_MAX];

	for (unsigned i = 0; i < NAMES_SHOWN && i < tally->nr; i++) {
		uint32_t best = 0;

		for (uint32_t j = 1; j < tally->nr; j++) {
			if (tally->counts[j] > tally->counts[best])
				best = j;
		}
		t2_text_elide(name, sizeof(name), tally->names[best], 20, is_unicode);
		append(line, size, "%s%s", i ? ", " : ": ", name);
		if (tally->counts[best] > 1)
			append(line, size, " x%s", t2_text_count(count, tally->counts[best]));
		tally->counts[best] = 0;
	}
	if (tally->nr > NAMES_SHOWN)
		append(line, size, ", ...");
}

unsigned t2_view_print_outside(const struct t2_view *view, FILE *out, const char *indent)
{
	const struct t2_trace *trace = view->trace;
	uint32_t nr = trace->stats.nr_outside;
	struct tally tally = {0};
	char count[T2_TEXT_MAX], line[LINE_ROOM];

	if (!nr)
		return 0;
	snprintf(line, sizeof(line), "%s process%s seen only by %s parent",
		 t2_text_count(count, nr), nr == 1 ? "" : "es", nr == 1 ? "its" : "their");
	if (count_outside(&tally, trace))
		put_names(line, sizeof(line), &tally, view->options->is_unicode);
	print_wrapped(view, out, indent, line);
	t2_strings_free(&tally.strings);
	t2_map_free(&tally.map);
	free(tally.names);
	free(tally.counts);
	return 1;
}

static unsigned say(const struct t2_view *view, FILE *out, const char *indent, uint64_t nr,
		    const char *one, const char *many)
{
	char count[T2_TEXT_MAX], line[LINE_ROOM];

	if (!nr)
		return 0;
	snprintf(line, sizeof(line), "%s %s", t2_text_count(count, nr), nr == 1 ? one : many);
	print_wrapped(view, out, indent, line);
	return 1;
}

unsigned t2_view_print_unseen(const struct t2_view *view, FILE *out, const char *indent)
{
	const struct t2_trace_stats *stats = &view->trace->stats;

	return say(view, out, indent, stats->nr_incomplete,
		   "process whose end nobody told: killed, or still running",
		   "processes whose ends nobody told: killed, or still running") +
	       say(view, out, indent, stats->nr_orphans, "process whose parent is missing",
		   "processes whose parents are missing") +
	       say(view, out, indent, stats->nr_broken, "line that is no event",
		   "lines that are no events") +
	       say(view, out, indent, stats->nr_cut, "line without its end: still being written",
		   "lines without their end: still being written") +
	       say(view, out, indent, stats->nr_ignored, "event that contradicts others",
		   "events that contradict others") +
	       say(view, out, indent, stats->nr_discarded, "process told nothing: too many files",
		   "processes told nothing: too many files") +
	       say(view, out, indent, stats->nr_backwards, "process ended before it began",
		   "processes ended before they began") +
	       say(view, out, indent, view->source.nr_unreadable, "file that could not be read",
		   "files that could not be read");
}
