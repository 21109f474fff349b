/* SPDX-License-Identifier: MIT */
/*
 * Processes of one name counted together.
 */
#ifndef T2_COMMAND_GROUPS_H
#define T2_COMMAND_GROUPS_H

#include "command/strings.h"
#include "command/view.h"

enum t2_group_key {
	T2_GROUP_SELF,
	T2_GROUP_TOTAL,
	T2_GROUP_CPU,
	T2_GROUP_RSS,
	T2_GROUP_COUNT,
	T2_GROUP_AVG,
	T2_GROUP_MAX,
	T2_GROUP_WEIGHTED,
	T2_GROUP_FAIL,
	T2_GROUP_IO,
};

struct t2_group {
	const char *name;
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

/* The names of the keys, in the order of the enum, for t2_options_spec. */
extern const char *const t2_group_keys[];

/*
 * Count what @view, which is analysed, shows, by its --by. What never started is not
 * counted. Returns false without memory; free in either case.
 */
bool t2_groups_count(struct t2_groups *groups, const struct t2_view *view);

/* The largest first, by @keys one after the other, then by name. */
void t2_groups_sort(struct t2_groups *groups, const unsigned *keys, unsigned nr_keys);

void t2_groups_free(struct t2_groups *groups);

#endif
