/* SPDX-License-Identifier: MIT */
/*
 * What the machine has that we run on, as far as we may use it.
 */
#ifndef T2_COMMAND_MACHINE_H
#define T2_COMMAND_MACHINE_H

#include <stdint.h>

/* At least 1. */
unsigned t2_machine_cpus(void);

/* Of the machine or of the container, whichever is less; 0: not known. */
uint64_t t2_machine_memory_kb(void);

#endif
