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

enum t2_export_weight {
	T2_EXPORT_SELF,	 /* wall clock without children, in microseconds */
	T2_EXPORT_CPU,	 /* own CPU time, in microseconds */
	T2_EXPORT_COUNT, /* processes */
};

struct t2_export_opts {
	FILE *out;
	bool is_brief, keeps_secrets;
	enum t2_export_weight weight;
	uint32_t nr_rows; /* of the Markdown table; 0: all */
};

/*
 * Each writes all of @source to the output in its format. Returns false without
 * memory; whether the output took it is the caller's to ask. The formats of git need the
 * same memory for any number of lines, the others a model of the trace.
 */
bool t2_export_normal(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_perf(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_event(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_json(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_csv(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_markdown(struct t2_source *source, const struct t2_export_opts *opts);
bool t2_export_folded(struct t2_source *source, const struct t2_export_opts *opts);

#endif
