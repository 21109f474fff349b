/* SPDX-License-Identifier: MIT */
/*
 * What the writers of t2 export share.
 */
#ifndef T2_COMMAND_EXPORT_H
#define T2_COMMAND_EXPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct t2_source;
struct t2_view;

enum t2_export_weight {
	T2_EXPORT_SELF,	 /* wall clock without children, in microseconds */
	T2_EXPORT_CPU,	 /* own CPU time, in microseconds */
	T2_EXPORT_COUNT, /* processes */
};

struct t2_export_opts {
	FILE *out;
	bool is_brief, keeps_secrets; /* of git's formats */
	enum t2_export_weight weight; /* of folded stacks */
};

/*
 * Each writes to the output in its format and returns false without memory; whether
 * the output took it is the caller's to ask.
 */

/* What an analysed @view shows. */
bool t2_export_json(const struct t2_view *view, const struct t2_export_opts *opts);
bool t2_export_csv(const struct t2_view *view, const struct t2_export_opts *opts);
bool t2_export_markdown(const struct t2_view *view, const struct t2_export_opts *opts);
bool t2_export_folded(const struct t2_view *view, const struct t2_export_opts *opts);

/* All lines of @source, in the formats of git; in the same memory for any number of them. */
bool t2_export_normal(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_perf(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_event(struct t2_source *source, const struct t2_export_opts *opts);

#endif
