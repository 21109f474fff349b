/* SPDX-License-Identifier: MIT */
/*
 * The events every session begins and ends with, for t2_assert_kinds().
 */
#ifndef T2_E2E_KINDS_H
#define T2_E2E_KINDS_H

/* The first process of a tree names its ancestors, the others their parent session. */
#define FIRST "version cmd_path cmd_ancestry start cmd_name def_param"
#define LATER "version cmd_path start cmd_name def_param"
#define END "exit data_json atexit"

#endif
