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
 * glibc passes argc, argv and envp to constructors, other C libraries pass
 * nothing; t2_start(), too, looks at the library before it looks at them.
 */
__attribute__((constructor)) static void begin(int argc, char **argv, char **envp)
{
	if (t2_elf_is_glibc() && t2_auxv_learn(argc, argv, envp))
		t2_argv_learn(argc, argv);
	t2_start(argv, envp);
}
