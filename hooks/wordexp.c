/* SPDX-License-Identifier: MIT */
/*
 * wordexp() makes and reaps its shells inside libc, one per command, and nobody
 * tells their pids: announced together, never reported as ended. They record
 * themselves all the same.
 */
#include "hooks/handover.h"
#include "hooks/hook.h"
#include "hooks/offspring.h"
#include "hooks/real.h"

/* Whether a shell will be needed: for $(command) and `command`. */
static bool has_command(const char *words, int flags)
{
	if (flags & WRDE_NOCMD)
		return false;
	for (; words && *words; words++) {
		if (*words == '`' || (words[0] == '$' && words[1] == '(' && words[2] != '('))
			return true;
	}
	return false;
}

T2_HOOK(int, wordexp, (const char *words, wordexp_t *expansion, int flags))
{
	const char *const argv[] = {words, NULL};
	struct t2_offspring offspring;
	struct t2_guard guard;
	struct t2_loan loan;
	int ret;

	if (!t2_guard_enter(&guard))
		return t2_real_wordexp()(words, expansion, flags);
	if (!has_command(words, flags)) {
		t2_guard_leave(&guard);
		return t2_real_wordexp()(words, expansion, flags);
	}
	t2_offspring_begin(&offspring, &guard, T2_CHILD_SYSTEM, true, argv);
	t2_loan_begin(&loan, guard.stream);

	t2_guard_before_real(&guard);
	ret = t2_real_wordexp()(words, expansion, flags);
	t2_guard_after_real(&guard);

	t2_loan_end(&loan);
	t2_offspring_end(&offspring, &guard, 0);
	t2_guard_leave(&guard);
	return ret;
}
