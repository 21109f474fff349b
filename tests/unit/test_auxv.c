/* SPDX-License-Identifier: MIT */
/* preload/auxv.c: the same answers as getauxval(3). */
#include "preload/auxv.h"

#include <criterion/criterion.h>
#include <link.h>
#include <sys/auxv.h>

static const unsigned long asked[] = {AT_PHDR, AT_PHNUM, AT_SECURE, AT_EXECFN, AT_MINSIGSTKSZ};

#define NR_ASKED (sizeof(asked) / sizeof(*asked))

/* An initial stack: the words that the kernel puts there. */
struct stack {
	char *argv[3];
	char *envp[3];
	ElfW(auxv_t) auxv[4];
};

static const struct stack usual = {
	.argv = {"true", "x", NULL},
	.envp = {"A=1", "B=2", NULL},
	.auxv = {{AT_SECURE, {1}}, {AT_PAGESZ, {5}}, {AT_PHNUM, {77}}, {AT_NULL, {0}}},
};

Test(auxv, says_what_libc_says_without_having_learned)
{
	for (size_t i = 0; i < NR_ASKED; i++)
		cr_expect_eq(t2_auxv_get(asked[i]), getauxval(asked[i]), "entry %lu", asked[i]);
}

Test(auxv, learns_from_behind_the_environment)
{
	struct stack stack = usual;

	cr_expect(t2_auxv_learn(2, stack.argv, stack.envp));
	cr_expect(t2_auxv_learn(2, stack.argv, stack.envp), "the same once more");
	cr_expect_eq(t2_auxv_get(AT_SECURE), 1);
	cr_expect_eq(t2_auxv_get(AT_PHNUM), 77);
	cr_expect_eq(t2_auxv_get(AT_EXECFN), 0, "what is not there is 0");
	cr_expect_eq(t2_auxv_get(AT_PAGESZ), 0, "nobody asks for it");
}

/* dlopen() hands constructors the environment of today, behind which is anything. */
Test(auxv, learns_nothing_behind_another_vector)
{
	struct stack stack = usual, other = usual;

	cr_expect_not(t2_auxv_learn(2, stack.argv, other.envp));
	cr_expect_not(t2_auxv_learn(1, stack.argv, stack.envp));
	stack.argv[2] = "no end";
	cr_expect_not(t2_auxv_learn(2, stack.argv, stack.envp));
	cr_expect_not(t2_auxv_learn(-1, stack.argv, stack.argv));
	cr_expect_eq(t2_auxv_get(AT_PHNUM), getauxval(AT_PHNUM));
	cr_expect_eq(t2_auxv_get(AT_SECURE), 0);
}

Test(auxv, ends_where_the_vector_has_no_end)
{
	static struct {
		char *argv[2], *envp[1];
		ElfW(auxv_t) auxv[100];
	} stack = {.argv = {"true"}};

	for (int i = 0; i < 100; i++)
		stack.auxv[i] = (ElfW(auxv_t)){AT_PHNUM, {(unsigned)i}};
	t2_auxv_learn(1, stack.argv, stack.envp);
	cr_expect_lt(t2_auxv_get(AT_PHNUM), 99);
}
