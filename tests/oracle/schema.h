/* SPDX-License-Identifier: MIT */
/* What one EVENT line has to look like, whoever wrote it. */
#ifndef T2_ORACLE_SCHEMA_H
#define T2_ORACLE_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Report what is wrong with @line; false if it is of no use at all. */
bool t2_schema_check(const json_t *line, size_t line_nr);

/* Is @sid a session id whose last component is of the usual form? */
bool t2_schema_is_sid(const char *sid);

#endif
