/* SPDX-License-Identifier: MIT */
/*
 * Every file of the configuration fuzzer's corpus once through its target,
 * without the fuzzer.
 */
#define LLVMFuzzerTestOneInput fuzz_config
#include "tests/fuzz/fuzz_config.c"
#undef LLVMFuzzerTestOneInput

#include <criterion/criterion.h>
#include <dirent.h>

#define CORPUS "tests/fuzz/corpus/config"

Test(corpus_config, every_input_is_taken_in_its_stride)
{
	static uint8_t bytes[1 << 16];
	DIR *dir = opendir(CORPUS);
	struct dirent *entry;
	int nr = 0;

	cr_assert_not_null(dir, "tests run from the root of the project");
	while ((entry = readdir(dir)) != NULL) {
		char path[512];
		FILE *file;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), CORPUS "/%s", entry->d_name);
		file = fopen(path, "r");
		cr_assert_not_null(file, "%s", path);
		fuzz_config(bytes, fread(bytes, 1, sizeof(bytes), file));
		fclose(file);
		nr++;
	}
	closedir(dir);
	cr_assert_gt(nr, 5);
}
