/* SPDX-License-Identifier: MIT */
/*
 * What a process image says of itself before main.
 */
#include "preload/version.h"
#include "tests/e2e/kinds.h"
#include "tests/support/assert.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Test(start, first_process_says_who_it_is_in_order)
{
	struct t2_told told;

	t2_tell(&told, "return_main");
	t2_assert_kinds(&told, told.root, FIRST " " END);
	t2_told_close(&told);
}

Test(start, process_below_a_session_names_no_ancestors)
{
	struct t2_told told;
	struct t2_launch launch = {
		.argv = (const char *const[]){"return_main", NULL},
		.env = (const char *const[]){"GIT_TRACE2_PARENT_SID=above", NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_kinds(&told, told.root, LATER " " END);
	t2_told_close(&told);
}

Test(start, argv_is_what_the_program_received)
{
	struct t2_told told;
	char *argv;

	t2_tell(&told, "return_main");
	argv = t2_line_list(t2_trace_line(&told.trace, told.root, "start", 0), "argv");
	cr_expect_str_eq(argv, "return_main|a|b c|it's|");
	free(argv);
	t2_told_close(&told);
}

Test(start, bytes_that_are_not_utf8_still_make_a_line_that_parses)
{
	struct t2_told told;
	struct t2_launch launch = {.argv = (const char *const[]){"return_main", "\xff\xfe",
								 "\x01\n\"\\", "\xed\xa0\x80",
								 "\xc3\xa9", NULL}};
	char *argv;

	t2_tell_launch(&told, &launch);
	argv = t2_line_list(t2_trace_line(&told.trace, told.root, "start", 0), "argv");
	cr_expect_not_null(strstr(argv, "return_main|\xef\xbf\xbd"), "%s", argv);
	cr_expect_not_null(strstr(argv, "|\x01\n\"\\|"), "%s", argv);
	cr_expect_not_null(strstr(argv, "|\xc3\xa9"), "%s", argv);
	free(argv);
	t2_told_close(&told);
}

Test(start, path_is_that_of_the_file_whatever_it_was_called_by)
{
	struct t2_told told;
	char *path = realpath(t2_build_path("tests/victims/return_main"), NULL);
	char *link = strdup("/tmp/t2-e2e-link-XXXXXX");
	struct t2_launch launch = {.argv = (const char *const[]){link, NULL}};

	cr_assert_geq(close(mkstemp(link)), 0);
	cr_assert_eq(unlink(link), 0);
	cr_assert_eq(symlink(path, link), 0);
	t2_tell_launch(&told, &launch);
	cr_assert_eq(unlink(link), 0);
	cr_expect_str_eq(t2_line_text(t2_trace_line(&told.trace, told.root, "cmd_path", 0), "path"),
			 path);
	t2_told_close(&told);
	free(path);
	free(link);
}

Test(start, version_name_and_directory_are_told)
{
	struct t2_told told;
	const json_t *param;

	t2_tell(&told, "return_main");
	cr_expect_str_eq(t2_line_text(t2_trace_line(&told.trace, told.root, "version", 0), "exe"),
			 T2_VERSION);
	cr_expect_str_eq(told.trace.sessions[told.root].name, "return_main");
	param = t2_trace_line(&told.trace, told.root, "def_param", 0);
	cr_expect_str_eq(t2_line_text(param, "param"), "cwd");
	cr_expect_str_eq(t2_line_text(param, "value"), t2_run_path(&told.run, "cwd"));
	t2_line_text(param, "scope");
	t2_told_close(&told);
}

Test(start, first_thread_is_called_main)
{
	struct t2_told told;
	size_t i;

	t2_tell(&told, "return_main");
	for (i = 0; i < told.trace.nr_lines; i++)
		cr_expect_str_eq(t2_line_text(told.trace.lines[i].json, "thread"), "main");
	t2_told_close(&told);
}

Test(start, file_and_line_name_our_own_source)
{
	struct t2_told told;
	size_t i;

	t2_tell(&told, "return_main");
	for (i = 0; i < told.trace.nr_lines; i++) {
		const json_t *line = told.trace.lines[i].json;
		const char *file = t2_line_text(line, "file");

		cr_expect_eq(access(file, R_OK), 0, "%s is no file of ours", file);
		cr_expect_gt(t2_line_number(line, "line"), 0);
	}
	t2_told_close(&told);
}

Test(start, session_begins_before_the_constructors_of_the_program)
{
	struct t2_told told;

	t2_tell(&told, "ctor_forks");
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_assert_traced_child(
		&told, told.root,
		&(struct t2_child){.id = 0, .class = "fork", .argv = "sh|-c|exit 6", .code = 6});
	t2_told_close(&told);
}

Test(start, session_begins_before_another_library_that_is_first)
{
	struct t2_told told;
	char *both = t2_format_text("LD_PRELOAD=%s:%s", t2_build_path("libt2shim.so"),
				    t2_build_path("tests/forks_first.so"));
	struct t2_launch launch = {.argv = (const char *const[]){"/bin/cat", "/dev/null", NULL},
				   .env = (const char *const[]){both, NULL}};

	t2_tell_launch(&told, &launch);
	t2_assert_exited(&told.run, 0);
	t2_assert_kinds(&told, told.root, FIRST " child_start child_exit " END);
	t2_assert_child(
		&told, told.root,
		&(struct t2_child){.id = 0, .class = "fork", .argv = "sh|-c|exit 6", .code = 6});
	cr_expect_eq(t2_trace_nr_below(&told.trace, told.root), 1);
	t2_told_close(&told);
	free(both);
}
