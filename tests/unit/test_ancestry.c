/* SPDX-License-Identifier: MIT */
/* preload/ancestry.c: /proc/<pid>/stat under names made to mislead, and the real thing. */
#include "preload/ancestry.h"
#include "preload/limits.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *stat, *name; /* NULL: cannot be read */
	pid_t parent;
} stats[] = {
	{"7 (sh) S 1 7 7 0", "sh", 1},
	{"4194304 (averylongprogra) R 4194303 1", "averylongprogra", 4194303},
	{"1 (systemd) S 0 1", "systemd", 0},
	{"7 (a b) S 42 7", "a b", 42},
	{"7 (a) S 1 (b) R 42 7", "a) S 1 (b", 42},
	{"7 ((sd-pam)) S 42 7", "(sd-pam)", 42},
	{"7 ()) S 42 7", ")", 42},
	{"7 (() S 42 7", "(", 42},
	{"7 () S 42 7", "", 42},
	{"7 (a\nb) S 42 7", "a\nb", 42},
	{"7 (7 (x) S 99) S 42 7", "7 (x) S 99", 42},
	{"7 (\") D 42", "\"", 42},
	{"7 (cut) S 4", "cut", 4},
	{"7 (cut) S ", NULL, 0},
	{"7 (cut) S", NULL, 0},
	{"7 (cut) ", NULL, 0},
	{"7 (cut)", NULL, 0},
	{"7 (cut", NULL, 0},
	{"7 ", NULL, 0},
	{"", NULL, 0},
	{"7 )( S 1", NULL, 0},
	{"7 (x) S y 1", NULL, 0},
	{"7 (x) S -1 1", NULL, 0},
};

Test(ancestry, the_name_is_between_the_first_and_the_last_bracket)
{
	for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++) {
		char *stat = strdup(stats[i].stat);
		pid_t parent = -7;
		const char *name = t2_ancestry_parse(stat, &parent);

		if (!stats[i].name) {
			cr_assert_null(name, "expected nothing of \"%s\", not \"%s\"",
				       stats[i].stat, name);
			cr_assert_eq(parent, -7, "a failure set the parent of \"%s\"",
				     stats[i].stat);
		} else {
			cr_assert_not_null(name, "nothing of \"%s\"", stats[i].stat);
			cr_assert_str_eq(name, stats[i].name);
			cr_assert_eq(parent, stats[i].parent, "expected %d of \"%s\", not %d",
				     stats[i].parent, stats[i].stat, parent);
		}
		free(stat);
	}
}

/* Name and parent's pid of process @pid, from a file meant for people. */
static bool read_status(pid_t pid, char name[64], pid_t *ret_parent)
{
	char path[64], line[256];
	bool has_parent = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "Name:\t%63[^\n]", name);
		has_parent = has_parent || sscanf(line, "PPid:\t%d", ret_parent) == 1;
	}
	fclose(file);
	return has_parent;
}

static _Alignas(16) char memory[16384];

Test(ancestry, is_that_of_proc_nearest_first)
{
	const char *const *list = t2_ancestry_read(memory, sizeof(memory));
	pid_t pid = getppid();
	char name[64] = "";
	size_t nr = 0;

	cr_assert_not_null(list);
	for (; pid > 0 && nr < T2_ANCESTRY_MAX && read_status(pid, name, &pid); nr++) {
		cr_assert_not_null(list[nr], "%s is missing", name);
		cr_assert_str_eq(list[nr], name);
	}
	cr_assert_gt(nr, 0);
	cr_assert_null(list[nr], "expected %zu ancestors", nr);
}

Test(ancestry, a_parent_cannot_mislead_by_its_name)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_NAME, "x) S 1 (y");
		pid = fork();
		if (!pid) {
			const char *const *list = t2_ancestry_read(memory, sizeof(memory));
			char name[64];
			pid_t parent;

			/* And the one above it is found all the same. */
			_exit(list && !strcmp(list[0], "x) S 1 (y") && list[1] &&
					      read_status(getppid(), name, &parent) &&
					      read_status(parent, name, &parent) &&
					      !strcmp(list[1], name)
				      ? 0
				      : 1);
		}
		waitpid(pid, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
	}
	waitpid(pid, &status, 0);
	cr_assert(WIFEXITED(status) && !WEXITSTATUS(status));
}

Test(ancestry, little_memory_gives_few_names_and_is_not_exceeded)
{
	size_t most = 0, nr;

	for (size_t size = (T2_ANCESTRY_MAX + 1) * sizeof(char *); size < 1024; size++) {
		char *exact = malloc(size);
		const char *const *list = t2_ancestry_read(exact, size);

		for (nr = 0; list && list[nr]; nr++) {
			cr_assert_geq(list[nr], exact);
			cr_assert_lt(list[nr] + strlen(list[nr]), exact + size);
		}
		cr_assert_geq(nr, most, "%zu bytes hold less than fewer did", size);
		most = nr;
		free(exact);
	}
	cr_assert_gt(most, 0);
}
