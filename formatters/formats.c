/* SPDX-License-Identifier: MIT */
/*
 * The list of formats. The only file that names them together: a format is
 * reached through this list and nowhere else.
 */
#include "formatters/format.h"

extern const struct t2_format t2_format_normal;
extern const struct t2_format t2_format_perf;
extern const struct t2_format t2_format_event;

const struct t2_format *const t2_formats[T2_FORMAT_NR] = {
	&t2_format_normal,
	&t2_format_perf,
	&t2_format_event,
};
