/* SPDX-License-Identifier: MIT */
#include "command/machine.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

unsigned t2_machine_cpus(void)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof(set), &set))
		return (unsigned)CPU_COUNT(&set);
	return nr > 0 ? (unsigned)nr : 1;
}

/* A number of bytes; 0 if there is none, such as "max". */
static uint64_t read_bytes(const char *path)
{
	unsigned long long bytes = 0;
	FILE *file = fopen(path, "re");

	if (file && fscanf(file, "%llu", &bytes) != 1)
		bytes = 0;
	if (file)
		fclose(file);
	return bytes;
}

uint64_t t2_machine_memory_kb(void)
{
	/* As a container sees its own, of both versions of control groups. */
	static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
					     "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;

	for (unsigned i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		uint64_t limit = read_bytes(limits[i]);

		if (limit && limit < bytes)
			bytes = limit;
	}
	return bytes / 1024;
}
