/* SPDX-License-Identifier: MIT */
/*
 * Processes of one name counted together.
 */
#ifndef T2_COMMAND_GROUPS_H
#define T2_COMMAND_GROUPS_H

#include "command/strings.h"
#include "command/view.h"

struct t2_group {
	const char *name;
	const char *brief; /* by command lines: t2_key_brief(); else NULL */
	int64_t self_ns, total_ns, weighted_ns, cpu_ns;
	int64_t max_ns;	  /* the longest life of one */
	uint32_t longest; /* whose */
	uint32_t count, nr_failed;
	uint32_t max_rss_kb;
	uint64_t io_kb; /* read from and written to disks */
};

struct t2_groups {
	struct t2_group *groups;
	uint32_t nr;
	int64_t hidden_ns; /* of the wall clock, of processes that are not shown */
	uint32_t nr_hidden;
	struct t2_strings strings; /* the names */
};

/*
 * Count what @view, which is analysed, shows, by its --by. What never started is not
 * counted. Returns false without memory; free in either case.
 */
bool t2_groups_count(struct t2_groups *groups, const struct t2_view *view);

/*
 * The largest first, by the columns of -s one after the other, or by weighted time,
 * then by name.
 */
void t2_groups_sort(struct t2_groups *groups, const struct t2_options *options);

void t2_groups_free(struct t2_groups *groups);

#endif
