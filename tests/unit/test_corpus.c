/* SPDX-License-Identifier: MIT */
/*
 * Every file of the fuzzers' corpus once through its target, without the fuzzer:
 * what was found once stays found.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LLVMFuzzerTestOneInput fuzz_reader
#include "tests/fuzz/fuzz_reader.c"
#undef LLVMFuzzerTestOneInput

#define LLVMFuzzerTestOneInput fuzz_redact
#include "tests/fuzz/fuzz_redact.c"
#undef LLVMFuzzerTestOneInput

#define LLVMFuzzerTestOneInput fuzz_trace
#include "tests/fuzz/fuzz_trace.c"
#undef LLVMFuzzerTestOneInput

#define LLVMFuzzerTestOneInput fuzz_check
#include "tests/fuzz/fuzz_check.c"
#undef LLVMFuzzerTestOneInput

#define LLVMFuzzerTestOneInput fuzz_diff
#include "tests/fuzz/fuzz_diff.c"
#undef LLVMFuzzerTestOneInput

#define LLVMFuzzerTestOneInput fuzz_export
#include "tests/fuzz/fuzz_export.c"
#undef LLVMFuzzerTestOneInput

typedef int fuzz_target(const uint8_t *bytes, size_t len);

static void replay_file(const char *path, fuzz_target *target)
{
	static char bytes[1 << 20];
	FILE *file = fopen(path, "r");
	uint8_t *exact;
	size_t len;

	cr_assert_not_null(file, "no %s", path);
	len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	exact = malloc(len);
	memcpy(exact, bytes, len);
	target(exact, len);
	free(exact);
}

static void replay(const char *name, fuzz_target *target)
{
	struct dirent *dirent;
	unsigned nr = 0;
	char path[512];
	DIR *dir;

	snprintf(path, sizeof(path), "tests/fuzz/corpus/%s", name);
	dir = opendir(path);
	cr_assert_not_null(dir, "no %s; the tests run from the root of the project", path);
	while ((dirent = readdir(dir))) {
		if (*dirent->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "tests/fuzz/corpus/%s/%s", name, dirent->d_name);
		replay_file(path, target);
		nr++;
	}
	closedir(dir);
	cr_assert(nr, "%s has no corpus", name);
}

Test(corpus, of_the_reader)
{
	replay("reader", fuzz_reader);
}

Test(corpus, of_the_redaction)
{
	replay("redact", fuzz_redact);
}

Test(corpus, of_traces)
{
	replay("trace", fuzz_trace);
}

Test(corpus, of_checks)
{
	replay("check", fuzz_check);
}

Test(corpus, of_diffs)
{
	replay("diff", fuzz_diff);
}

Test(corpus, of_exports)
{
	replay("export", fuzz_export);
}
