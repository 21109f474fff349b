/* SPDX-License-Identifier: MIT */
/*
 * Traces for the tests of command/: from files in tests/traces/, and from text.
 */
#ifndef T2_TESTS_MODEL_H
#define T2_TESTS_MODEL_H

#include "command/source.h"
#include "command/trace.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MS INT64_C(1000000)

/* All complaints of the last source; the caller's to free. */
static char *model_messages;

static inline struct t2_trace *model_read(const char *const *paths, size_t nr)
{
	size_t len;
	FILE *messages = open_memstream(&model_messages, &len);
	const struct t2_source_opts opts = {.messages = messages};
	struct t2_source *source = t2_source_open(paths, nr, &opts);
	struct t2_trace *trace = t2_trace_read(source, NULL);

	t2_source_close(source);
	fclose(messages);
	cr_assert_not_null(trace);
	return trace;
}

static inline struct t2_trace *model_load(const char *name)
{
	char path[256];
	const char *paths[] = {path};

	snprintf(path, sizeof(path), "tests/traces/%s.jsonl", name);
	return model_read(paths, 1);
}

/* A file without a name that holds the bytes; its path in @path. */
static inline int model_file(const void *bytes, size_t len, char path[64])
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, bytes, len), (ssize_t)len);
	lseek(fd, 0, SEEK_SET);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

static inline struct t2_trace *model_text(const char *text, size_t len)
{
	char path[64];
	const char *paths[] = {path};
	int fd = model_file(text, len, path);
	struct t2_trace *trace = model_read(paths, 1);

	close(fd);
	return trace;
}

/* The process whose argv[0] it is. */
static inline uint32_t model_find(const struct t2_trace *trace, const char *name)
{
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];

		if (process->argc && !strcmp(process->argv, name))
			return id;
	}
	cr_assert_fail("no process %s", name);
	return T2_NO_PROCESS;
}

static inline void model_free(struct t2_trace *trace)
{
	t2_trace_free(trace);
	free(model_messages);
	model_messages = NULL;
}

#endif
