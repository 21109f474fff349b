/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzers of the command share: bytes as a file, and what is made of it.
 */
#ifndef T2_TESTS_FUZZ_H
#define T2_TESTS_FUZZ_H

#include "command/analysis.h"
#include "command/options.h"
#include "command/source.h"
#include "command/trace.h"
#include "command/view.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static inline void hold(int is_true)
{
	if (!is_true)
		abort();
}

/* The bytes as a file; close *@ret_fd after the source. */
static inline struct t2_source *fuzz_source(const uint8_t *bytes, size_t len, int *ret_fd)
{
	const struct t2_source_opts opts = {.line_max = 1 << 16};
	const char *paths[1];
	char path[64];

	*ret_fd = memfd_create("trace", MFD_CLOEXEC);
	hold(*ret_fd >= 0 && write(*ret_fd, bytes, len) == (ssize_t)len);
	lseek(*ret_fd, 0, SEEK_SET);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *ret_fd);
	paths[0] = path;
	return t2_source_open(paths, 1, &opts);
}

static inline struct t2_trace *fuzz_trace_of(const uint8_t *bytes, size_t len)
{
	int fd;
	struct t2_source *source = fuzz_source(bytes, len, &fd);
	struct t2_trace *trace = t2_trace_read(source, NULL);

	t2_source_close(source);
	close(fd);
	return trace;
}

/* A view of all of the bytes, in @format; free with t2_view_free(). */
static inline void fuzz_view(struct t2_view *view, struct t2_options *options,
			     enum t2_output_format format, const uint8_t *bytes, size_t len)
{
	*options = (struct t2_options){
		.max_depth = UINT32_MAX,
		.min_ns = -1,
		.pid = -1,
		.format = format,
		.width = 80,
		.nr_cpus = 2,
	};
	*view = (struct t2_view){.options = options, .trace = fuzz_trace_of(bytes, len)};
	view->analysis = t2_analyse(view->trace, NULL);
	hold(view->analysis != NULL);
}

#endif
