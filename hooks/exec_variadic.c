/* SPDX-License-Identifier: MIT */
/*
 * execl, execlp, execle: gather the arguments and hand over to exec.c.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "hooks/exec.h"
#include "hooks/hook.h"
#include "hooks/real.h"
#include "preload/libc.h"

static size_t count(const char *first, va_list args)
{
	size_t nr = 1;

	if (!first)
		return 0;
	while (va_arg(args, const char *))
		nr++;
	return nr;
}

/*
 * The array is the one variable length of the shim: as large as what the caller
 * already has on this stack.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvla"
static int exec_list(enum t2_exec_kind kind, const char *name, const char *first, va_list args,
		     bool has_envp)
{
	struct t2_exec exec = {.kind = kind, .name = name, .envp = *t2_environ()};
	va_list counted;
	size_t nr;

	va_copy(counted, args);
	nr = count(first, counted);
	va_end(counted);

	const char *argv[nr + 1];

	argv[0] = first;
	for (size_t i = 0; i < nr; i++)
		argv[i + 1] = va_arg(args, const char *);
	exec.argv = (char *const *)argv;
	if (has_envp)
		exec.envp = va_arg(args, char *const *);
	return t2_exec(&exec);
}
#pragma GCC diagnostic pop

T2_HOOK(int, execl, (const char *path, const char *first, ...))
{
	va_list args;
	int ret;

	va_start(args, first);
	ret = exec_list(T2_EXEC_PATH, path, first, args, false);
	va_end(args);
	return ret;
}

T2_HOOK(int, execlp, (const char *file, const char *first, ...))
{
	va_list args;
	int ret;

	va_start(args, first);
	ret = exec_list(T2_EXEC_SEARCH, file, first, args, false);
	va_end(args);
	return ret;
}

T2_HOOK(int, execle, (const char *path, const char *first, ...))
{
	va_list args;
	int ret;

	va_start(args, first);
	ret = exec_list(T2_EXEC_PATH, path, first, args, true);
	va_end(args);
	return ret;
}
