/* SPDX-License-Identifier: MIT */
/*
 * Executes itself in children with an empty environment, and with what was
 * preloaded alone. Each looks for the auxiliary vector where the kernel put it,
 * behind the NULL of envp, as Go's runtime does. Confirms: it is found there
 * whether an even or an odd number of variables was put back and taken out.
 */
#include <elf.h>
#include <sys/auxv.h>

#include "victim.h"

static unsigned long page_size_behind(char **envp)
{
	const Elf64_auxv_t *at;

	while (*envp)
		envp++;
	for (at = (const void *)(envp + 1); at->a_type != AT_NULL; at++) {
		if (at->a_type == AT_PAGESZ)
			return at->a_un.a_val;
	}
	return 0;
}

static void run_child(char **argv, char *entry)
{
	char *args[] = {argv[0], (char[]){"child"}, NULL};
	char *env[] = {entry, NULL};
	pid_t pid = fork();

	if (pid == 0) {
		execve("/proc/self/exe", args, env);
		_exit(VICTIM_FAILED);
	}
	victim_reap(pid, 0);
}

int main(int argc, char **argv, char **envp)
{
	const char *preload = getenv("LD_PRELOAD");
	char entry[4096];

	(void)argc;
	if (victim_asked(argv, "child")) {
		CHECK(page_size_behind(envp) == getauxval(AT_PAGESZ));
		return 0;
	}
	snprintf(entry, sizeof(entry), "LD_PRELOAD=%s", preload ? preload : "");
	run_child(argv, NULL);
	run_child(argv, entry);
	return 0;
}
