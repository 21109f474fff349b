/* SPDX-License-Identifier: MIT */
/* preload/argv.c: the kernel's command line, split and read back at every size. */
#include "preload/argv.h"
#include "preload/limits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *text;
	size_t len;
	const char *expected[5];
} texts[] = {
	{"a\0b\0", 4, {"a", "b"}},
	{"a\0b", 3, {"a", "b"}},
	{"prog\0", 5, {"prog"}},
	{"a b\0'c'\n\0", 8, {"a b", "'c'\n"}},
	{"a\0\0\0b\0", 6, {"a", "", "", "b"}},
	{"\0", 1, {""}},
	{"\0\0", 2, {"", ""}},
	{"\0x\0", 3, {"", "x"}},
	{"", 0, {NULL}},
};

Test(argv, text_is_split_at_its_zeros)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *vector[8];
		size_t nr = t2_argv_split(texts[i].text, texts[i].len, vector, 8);
		size_t at = 0;

		for (; texts[i].expected[at]; at++) {
			cr_assert_not_null(vector[at], "argument %zu of text %zu", at, i);
			cr_assert_str_eq(vector[at], texts[i].expected[at]);
		}
		cr_assert_null(vector[at], "too many in text %zu", i);
		cr_assert_eq(nr, at + 1, "text %zu needs %zu pointers, not %zu", i, at + 1, nr);
	}
}

Test(argv, every_capacity_gives_a_terminated_beginning_and_the_same_need)
{
	static const char text[] = "one\0two\0three\0four";
	const char *const words[] = {"one", "two", "three", "four"};

	cr_assert_eq(t2_argv_split(text, sizeof(text), NULL, 0), 5);
	for (size_t cap = 1; cap < 8; cap++) {
		const char **vector = malloc(cap * sizeof(*vector));
		size_t nr = cap < 5 ? cap - 1 : 4;

		cr_assert_eq(t2_argv_split(text, sizeof(text), vector, cap), 5);
		for (size_t i = 0; i < nr; i++)
			cr_assert_str_eq(vector[i], words[i]);
		cr_assert_null(vector[nr], "not terminated with room for %zu", cap);
		free(vector);
	}
}

/*
 * A second program in this one: it compares what it is given with what it reads
 * back. The kernel keeps a command line only of a program it started.
 */
#define READ_BACK "--read-back-argv"

static int read_back(int argc, char **given)
{
	struct t2_argv argv = {0};
	int i;

	t2_argv_read(&argv, "fallback", &argv);
	for (i = 0; i < argc; i++) {
		if (!argv.vector[i])
			return argv.vector == argv.fallback ? 2 : 3;
		if (strcmp(argv.vector[i], given[i]))
			return argv.vector == argv.fallback ? 2 : 4;
	}
	i = argv.vector[argc] ? 5 : 0;
	t2_argv_release(&argv);
	return argv.block.mem ? 6 : i;
}

__attribute__((constructor)) static void be_the_second_program(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], READ_BACK))
		_exit(read_back(argc, argv));
}

static const char *const results[] = {
	"",
	"argv is not what was asked for",
	"the fallback",
	"arguments are missing",
	"arguments differ",
	"too many arguments",
	"memory was not given back",
	"exec failed",
};

/* @nr more arguments of @len bytes each; the stack's limit bounds them all. */
static void assert_reads_back(size_t nr, size_t len, size_t stack)
{
	struct rlimit limit;
	int status;
	pid_t pid;
	char **argv = calloc(nr + 3, sizeof(*argv));
	char *text = calloc(nr, len + 1);

	argv[0] = (char *)"unit";
	argv[1] = (char *)READ_BACK;
	for (size_t i = 0; i < nr; i++) {
		argv[i + 2] = text + i * (len + 1);
		memset(argv[i + 2], 'a' + (int)(i % 26), len);
	}
	getrlimit(RLIMIT_STACK, &limit);
	if (stack > limit.rlim_max)
		cr_skip_test("the stack cannot be made %zu bytes large", stack);
	pid = fork();
	if (!pid) {
		if (stack) {
			limit.rlim_cur = stack;
			setrlimit(RLIMIT_STACK, &limit);
		}
		execve("/proc/self/exe", argv, (char *[]){NULL});
		_exit(7);
	}
	waitpid(pid, &status, 0);
	cr_assert(WIFEXITED(status), "the second program was killed by %d", WTERMSIG(status));
	cr_assert_eq(WEXITSTATUS(status), 0, "%zu arguments of %zu bytes: %s", nr, len,
		     results[WEXITSTATUS(status) & 7]);
	free(argv);
	free(text);
}

/* Around what fits into a block with its vector, and around 16 KiB and 64 KiB. */
static const struct {
	size_t nr, len;
} sizes[] = {
	{0, 0},	    {1, 0},	{5, 0},	    {1, 10},	  {100, 10},   {1, 16300},  {1, 16340},
	{1, 16350}, {1, 16383}, {1, 16384}, {1, 70000},	  {10, 7000},  {800, 0},    {1800, 0},
	{1820, 0},  {30000, 0}, {28000, 1}, {1000, 1000}, {1, 131000}, {100000, 1},
};

Test(argv, command_lines_of_all_sizes_are_read_back, .timeout = 60)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		assert_reads_back(sizes[i].nr, sizes[i].len, 0);
}

/* The kernel takes up to 6 MiB, pointers included, if the stack may be large. */
Test(argv, the_longest_arguments_the_kernel_takes_are_read_back, .timeout = 60)
{
	assert_reads_back(40, 131000, 64 << 20);
}

Test(argv, the_most_arguments_the_kernel_takes_are_read_back, .timeout = 60)
{
	assert_reads_back(600000, 1, 64 << 20);
}

Test(argv, is_what_proc_says)
{
	char text[4096];
	const char *expected = text;
	struct t2_argv argv = {0};
	FILE *file = fopen("/proc/self/cmdline", "re");
	size_t len, nr = 0;

	cr_assert_not_null(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	t2_argv_read(&argv, "fallback", &argv);
	for (; expected < text + len; expected += strlen(expected) + 1, nr++) {
		cr_assert_not_null(argv.vector[nr]);
		cr_assert_str_eq(argv.vector[nr], expected);
	}
	cr_assert_gt(nr, 0);
	cr_assert_null(argv.vector[nr]);
	t2_argv_release(&argv);
}

/* Takes all static blocks, so that what is claimed next has to be mapped. */
static void exhaust_pool(void)
{
	struct t2_block block;

	while (!t2_pool_claim(&block, 1, &block) && block.index >= 0)
		;
}

Test(argv, without_memory_it_is_the_name)
{
	struct rlimit limit, none;
	struct t2_argv argv = {0};

	exhaust_pool();
	getrlimit(RLIMIT_AS, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &none);
	t2_argv_read(&argv, "fallback", &argv);
	setrlimit(RLIMIT_AS, &limit);
	cr_assert_str_eq(argv.vector[0], "fallback");
	cr_assert_null(argv.vector[1]);
	t2_argv_release(&argv);
}

Test(argv, released_memory_is_free_again)
{
	for (int i = 0; i < 3 * T2_BLOCKS; i++) {
		struct t2_argv argv = {0};

		t2_argv_read(&argv, "fallback", &argv);
		cr_assert_eq(argv.block.index, 4 * T2_BLOCK_PAGES, "in round %d", i);
		t2_argv_release(&argv);
	}
}

Test(argv, an_empty_one_can_be_released)
{
	struct t2_argv argv = {0};

	t2_argv_release(&argv);
	cr_assert_null(argv.block.mem);
}

/* --- without /proc: an initial stack as the kernel makes it ------------------------ */

static struct {
	char *argv[5], *envp[2];
	char text[64];
} stack;

static void lay_out(const char *text, size_t len)
{
	size_t nr = 0;

	memset(&stack, 0, sizeof(stack));
	memcpy(stack.text, text, len);
	for (size_t i = 0; i < len; i++) {
		if (!i || !text[i - 1])
			stack.argv[nr++] = stack.text + i;
	}
	stack.argv[nr] = NULL;
}

static void expect_argv(const char *const *expected)
{
	struct t2_argv argv = {0};
	size_t i;

	t2_argv_read(&argv, "fallback", &argv);
	for (i = 0; expected[i]; i++) {
		cr_assert_not_null(argv.vector[i]);
		cr_expect_str_eq(argv.vector[i], expected[i]);
	}
	cr_expect_null(argv.vector[i]);
	t2_argv_release(&argv);
}

Test(argv, learned_text_is_read_where_it_stands)
{
	static const char text[] = "one\0two\0\0three";

	lay_out(text, sizeof(text));
	t2_argv_learn(4, stack.argv);
	expect_argv((const char *const[]){"one", "two", "", "three", NULL});

	/* getopt(3) turns the vector around, and the program changes its name. */
	stack.argv[0] = stack.argv[2];
	memcpy(stack.text, "1 1", 3);
	expect_argv((const char *const[]){"1 1", "two", "", "three", NULL});
}

Test(argv, nothing_is_learned_of_a_vector_out_of_order)
{
	static const char text[] = "one\0two\0three\0four";
	struct t2_argv argv = {0};

	lay_out(text, sizeof(text));
	t2_argv_learn(0, stack.argv + 4);
	stack.argv[3] = stack.text - 1; /* before the first */
	t2_argv_learn(4, stack.argv);
	t2_argv_read(&argv, "fallback", &argv);
	cr_expect_str_neq(argv.vector[0], "one", "that of the tests, from /proc");
	t2_argv_release(&argv);
}

/* Longer ones than a small block has room for, to the end of the largest arguments. */
Test(argv, learned_text_of_every_size_is_read)
{
	enum { MAX = 40000 };
	static char text[MAX];
	static struct {
		char *argv[2], *envp[1];
	} words = {.argv = {text}};

	memset(text, 'x', sizeof(text) - 1);
	t2_argv_learn(1, words.argv);
	for (size_t len = 1; len < MAX; len = len * 5 / 4 + 1) {
		struct t2_argv argv = {0};

		memset(text, 'x', sizeof(text) - 1);
		text[len - 1] = '\0';
		t2_argv_read(&argv, "fallback", &argv);
		cr_assert_eq(strlen(argv.vector[0]), len - 1);
		t2_argv_release(&argv);
	}
}
