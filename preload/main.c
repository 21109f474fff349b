/* SPDX-License-Identifier: MIT */
/*
 * The constructor. Everything it does is in hooks/start.c, because a hook that
 * another library's constructor calls first has to do the same.
 */
#include "hooks/start.h"
#include "preload/argv.h"
#include "preload/auxv.h"
#include "preload/elf.h"

/*
 * What every process reads and runs at its start: from the first constant (early.ld) to
 * the last function of early.list. Those are sorted by name, and so comes this mark
 * behind them.
 */
extern const char t2_early_begin[] __attribute__((visibility("hidden")));
extern const char t2_early_end[] __attribute__((visibility("hidden")));
__asm__(".pushsection .text.hot.~, \"ax\", %progbits\n"
	".globl t2_early_end\n"
	".hidden t2_early_end\n"
	"t2_early_end:\n"
	".popsection");

/* Of the processor's cache; where it is longer some are asked for twice. */
#define LINE_SIZE 64

/*
 * It is about to be run once, and each line of it would be waited for when its turn
 * comes: asked for all at once they take an eighth of the time. What is not mapped is
 * not fetched, so its other end is touched first.
 */
static void fetch_early(void)
{
	(void)*(volatile const char *)t2_early_end;
	for (const char *at = t2_early_begin; at < t2_early_end; at += LINE_SIZE)
		__builtin_prefetch(at, 0, 2);
}

/*
 * glibc passes argc, argv and envp to constructors, other C libraries pass
 * nothing; t2_start(), too, looks at the library before it looks at them.
 */
__attribute__((constructor)) static void begin(int argc, char **argv, char **envp)
{
	fetch_early();
	if (t2_elf_is_glibc()) {
		t2_auxv_learn(argc, argv, envp);
		t2_argv_learn(argc, argv, envp);
	}
	t2_start(argv, envp);
}
