/* SPDX-License-Identifier: MIT */
/* preload/search.c: which file an exec will run, in a directory made for it. */
#include "preload/limits.h"
#include "preload/search.h"
#include "tests/unit/dir.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_file(const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);

	cr_assert_geq(fd, 0);
	fchmod(fd, mode);
	close(fd);
}

/*
 *   ./tool            runs          a/tool, b/tool    run
 *   a/plain           does not run  b/plain           runs
 *   a/folder          a directory   b/folder          runs
 *   a/link -> tool                  a/broken -> nothing
 */
static void set_up(void)
{
	open_dir();
	cr_assert_eq(chdir(dir), 0);
	mkdir("a", 0755);
	mkdir("b", 0755);
	make_file("tool", 0755);
	make_file("a/tool", 0755);
	make_file("b/tool", 0755);
	make_file("a/plain", 0644);
	make_file("b/plain", 0755);
	mkdir("a/folder", 0755);
	make_file("b/folder", 0755);
	cr_assert_eq(symlink("tool", "a/link"), 0);
	cr_assert_eq(symlink("nothing", "a/broken"), 0);
	make_file("b/broken", 0755);
}

static void tear_down(void)
{
	cr_assert_eq(chdir("/"), 0);
	remove_dir();
}

TestSuite(search, .init = set_up, .fini = tear_down);

static void assert_finds(const char *path_var, const char *name, const char *expected)
{
	struct t2_search search = {.fd = AT_FDCWD, .name = name, .uses_path = path_var != NULL};

	if (path_var)
		setenv("PATH", path_var, 1);
	t2_search_find(&search, &search);
	if (!expected) {
		cr_assert_null(search.file, "found \"%s\" as \"%s\" by \"%s\"", name, search.file,
			       path_var);
	} else {
		cr_assert_not_null(search.file, "\"%s\" is not found by \"%s\"", name, path_var);
		cr_assert_str_eq(search.file, expected);
		cr_assert_eq(search.dirfd, AT_FDCWD);
	}
	t2_search_release(&search);
	cr_assert_eq(!search.file, !expected, "whether there was one has to remain");
	cr_assert_null(search.block.mem);
}

Test(search, a_name_with_a_slash_is_itself)
{
	assert_finds(NULL, "a/tool", "a/tool");
	assert_finds("b", "a/tool", "a/tool");
	assert_finds("a", "./tool", "./tool");
	assert_finds("a", "./plain", NULL);
	assert_finds("b", "a/plain", NULL);
	assert_finds("b", "a/folder", NULL);
	assert_finds("b", "a/broken", NULL);
	assert_finds("b", "a/link", "a/link");
}

Test(search, without_path_a_plain_name_is_in_the_working_directory)
{
	assert_finds(NULL, "tool", "tool");
	assert_finds(NULL, "plain", NULL);
}

Test(search, the_first_directory_of_the_path_wins)
{
	assert_finds("a:b", "tool", "a/tool");
	assert_finds("b:a", "tool", "b/tool");
	assert_finds("nowhere:b:a", "tool", "b/tool");
	assert_finds("b", "tool", "b/tool");
}

Test(search, what_cannot_run_is_passed_over)
{
	assert_finds("a:b", "plain", "b/plain");
	assert_finds("a", "plain", NULL);
}

Test(search, a_directory_of_that_name_is_passed_over)
{
	assert_finds("a:b", "folder", "b/folder");
	assert_finds("a", "folder", NULL);
}

Test(search, links_are_followed)
{
	assert_finds("a", "link", "a/link");
	assert_finds("a:b", "broken", "b/broken");
}

Test(search, an_empty_part_of_the_path_is_the_working_directory)
{
	assert_finds("", "tool", "tool");
	assert_finds(":a", "tool", "tool");
	assert_finds("nowhere:", "tool", "tool");
	assert_finds("nowhere::a", "tool", "tool");
	assert_finds("a:", "tool", "a/tool");
	assert_finds("nowhere:.", "tool", "./tool");
}

Test(search, without_a_path_variable_the_system_s_directories_are_looked_through)
{
	struct t2_search search = {.name = "sh", .uses_path = true};

	unsetenv("PATH");
	t2_search_find(&search, &search);
	cr_assert_not_null(search.file);
	cr_assert_str_eq(search.file, "/bin/sh");
	t2_search_release(&search);
	search = (struct t2_search){.name = "tool", .uses_path = true};
	t2_search_find(&search, &search);
	cr_assert_null(search.file, "the working directory is not among them");
	t2_search_release(&search);
}

Test(search, without_any_environment_the_system_s_directories_are_looked_through)
{
	struct t2_search search = {.name = "sh", .uses_path = true};

	clearenv();
	t2_search_find(&search, &search);
	cr_assert_not_null(search.file);
	cr_assert_str_eq(search.file, "/bin/sh");
	t2_search_release(&search);
}

Test(search, nothing_is_called_nothing)
{
	assert_finds("a:b", "", NULL);
	assert_finds(NULL, "", NULL);
	assert_finds("a:b", "absent", NULL);
	assert_finds(NULL, NULL, NULL);
	assert_finds("a:b", NULL, NULL);
}

Test(search, a_part_of_the_path_that_is_too_long_is_passed_over)
{
	char *path = calloc(1, 3 * T2_PATH_SIZE);

	memset(path, 'x', 2 * T2_PATH_SIZE);
	strcat(path, ":b");
	assert_finds(path, "tool", "b/tool");
	/* Short enough alone, too long with the name. */
	memset(path, '/', T2_PATH_SIZE);
	strcpy(path + T2_PATH_SIZE - 5, ":b");
	assert_finds(path, "tool", "b/tool");
	free(path);
}

Test(search, an_open_descriptor_is_the_file)
{
	struct t2_search search = {.is_fd = true};

	search.fd = open("tool", O_RDONLY | O_CLOEXEC);
	t2_search_find(&search, &search);
	cr_assert_not_null(search.file);
	cr_assert_str_empty(search.file);
	cr_assert_eq(search.dirfd, search.fd);
	t2_search_release(&search);
	cr_assert_not_null(search.file);
	close(search.fd);
	t2_search_find(&search, &search);
	cr_assert_null(search.file, "a closed one is none");
}

Test(search, an_empty_name_can_mean_the_descriptor)
{
	struct t2_search search = {.name = "", .flags = AT_EMPTY_PATH};

	search.fd = open("tool", O_RDONLY | O_CLOEXEC);
	t2_search_find(&search, &search);
	cr_assert_not_null(search.file);
	cr_assert_str_empty(search.file);
	cr_assert(search.is_fd);
	cr_assert_eq(search.dirfd, search.fd);
	t2_search_release(&search);
	close(search.fd);
}

Test(search, a_relative_name_starts_from_the_descriptor)
{
	struct t2_search search = {.name = "plain"};

	search.fd = open("b", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	t2_search_find(&search, &search);
	cr_assert_not_null(search.file);
	cr_assert_str_eq(search.file, "plain");
	cr_assert_eq(search.dirfd, search.fd);
	t2_search_release(&search);
	search = (struct t2_search){.name = "tool", .fd = AT_FDCWD};
	t2_search_find(&search, &search);
	cr_assert_not_null(search.file);
	cr_assert_eq(search.dirfd, AT_FDCWD);
}

/* execveat(0, "tool", ..., 0) with a directory as standard input */
Test(search, a_relative_name_can_start_from_descriptor_0)
{
	struct t2_search search = {.name = "plain", .fd = 0};
	int fd = open("b", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	dup2(fd, 0);
	close(fd);
	t2_search_find(&search, &search);
	close(0);
	cr_assert_not_null(search.file, "\"plain\" is there, seen from descriptor 0");
}

Test(search, gives_back_its_memory)
{
	setenv("PATH", "nowhere:a:b", 1);
	for (int i = 0; i < 3 * T2_BLOCKS; i++) {
		struct t2_search search = {.name = i % 2 ? "tool" : "absent", .uses_path = true};

		t2_search_find(&search, &search);
		cr_assert_eq(search.block.index, 4 * T2_BLOCK_PAGES, "in round %d", i);
		t2_search_release(&search);
	}
}
