/* SPDX-License-Identifier: MIT */
/*
 * The tree as t2 tree prints it: of a whole trace, and the first lines of one of which
 * only the beginning and the end have been read.
 */
#ifndef T2_COMMAND_TREE_H
#define T2_COMMAND_TREE_H

#include "command/view.h"

#include <stdio.h>

/* Always shown without -t: what took as long. */
#define T2_TREE_MIN_NS INT64_C(10000000)

/* A process whose descendants are being printed. */
struct t2_tree_level {
	uint32_t id;
	uint32_t nr_hidden; /* processes below it that are not shown */
	int64_t hidden_ns;  /* their time, of the topmost ones */
};

struct t2_tree {
	struct t2_view view;
	FILE *out;
	uint8_t *is_kept; /* by id: shown, or something below it is */
	struct t2_tree_level *levels;
	uint32_t nr_levels;
	uint32_t nr_lines; /* the title is one */
	int64_t min_ns;

	/* What was printed early and has not come again; NULL: nothing was. */
	const char *early;
	bool is_contradicted; /* something else came */

	/*
	 * Of an excerpt, by id: what will be said of the process, and what of it and all
	 * below it, also by the whole trace. NULL: this is the whole trace.
	 */
	const uint8_t *is_settled, *is_closed;
};

/* Whether a process is to be shown for itself. */
bool t2_tree_wants(const struct t2_tree *tree, uint32_t id);

/* Decide what is shown of tree->view. Returns false without memory. */
bool t2_tree_choose(struct t2_tree *tree);

/* Print it, of an excerpt as far as is known. */
void t2_tree_print(struct t2_tree *tree);

/* Free the view, too. */
void t2_tree_free(struct t2_tree *tree);

/*
 * Print the first lines of the tree of a large file, if somebody may be waiting for
 * them, before it is read. Returns what was printed, which the caller frees, or NULL.
 */
char *t2_tree_print_early(const struct t2_options *options);

#endif
