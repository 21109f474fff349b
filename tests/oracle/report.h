/* SPDX-License-Identifier: MIT */
/* The one place that speaks: a line for each disagreement. */
#ifndef T2_ORACLE_REPORT_H
#define T2_ORACLE_REPORT_H

#include <stddef.h>

/* Say one disagreement on standard output. */
void t2_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How many were said. */
size_t t2_report_count(void);

#endif
