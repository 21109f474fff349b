/* SPDX-License-Identifier: MIT */
/*
 * A cause as people are told of it.
 */
#include "command/causes.h"
#include "command/key.h"
#include "command/text.h"

#include <stdio.h>

#define ANCESTRY_ROOM 1024
#define ANCESTORS_SHOWN 8

void t2_causes_print_one(const struct t2_view *view, FILE *out, uint32_t id)
{
	uint32_t shown = t2_cause_shown(view, id);
	const struct t2_process *process = &view->trace->processes[id];
	const char *red = t2_style(view->options->is_coloured, T2_RED);
	char command[4 * ANCESTRY_ROOM], end[T2_TEXT_MAX], took[T2_TEXT_MAX];
	char ancestry[ANCESTRY_ROOM], head[64], line[ANCESTRY_ROOM * 2];

	snprintf(head, sizeof(head), "  [%s] ", t2_end_text(process, end));
	t2_key_line(&view->trace->processes[shown], view->options->width - t2_text_columns(head),
		    view->options->is_unicode, command, sizeof(command));
	fprintf(out, "%s%s%s%s\n", red, head, command,
		t2_style(view->options->is_coloured, T2_PLAIN));
	t2_ancestry(view, id, ANCESTORS_SHOWN, ancestry, sizeof(ancestry));
	t2_print_line(view, out, "      ", ancestry);
	snprintf(line, sizeof(line), "after %s, pid %d, in %s",
		 t2_text_duration(took, process->end_ns - process->start_ns), (int)process->pid,
		 process->cwd ? process->cwd : "?");
	t2_print_line(view, out, "      ", line);
	if (process->error)
		t2_print_line(view, out, "      said: ", process->error);
}
