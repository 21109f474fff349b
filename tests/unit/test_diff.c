/* SPDX-License-Identifier: MIT */
/*
 * command/diff_match.c: what counts as a change, at the very edge of the thresholds.
 */
#include "command/diff.h"

#include <criterion/criterion.h>
#include <string.h>

#define MS INT64_C(1000000)

static const struct t2_diff_threshold five_percent = {.ppm = 50000, .ns = 50 * MS};

/* The runs of both sides, in milliseconds; -1: the command is not in it. */
static struct t2_diff make(uint32_t nr_base, const int *base_ms, uint32_t nr_new, const int *new_ms)
{
	struct t2_diff diff;

	cr_assert(t2_diff_init(&diff, nr_base, nr_base + nr_new));
	for (uint32_t run = 0; run < nr_base + nr_new; run++) {
		int ms = run < nr_base ? base_ms[run] : new_ms[run - nr_base];

		if (ms < 0)
			continue;
		diff.sums[run].values[T2_METRIC_SELF] = ms * MS;
		diff.sums[run].values[T2_METRIC_COUNT] = 1;
	}
	return diff;
}

static enum t2_verdict judge(struct t2_diff diff)
{
	enum t2_verdict verdict =
		t2_diff_judge(&diff, T2_DIFF_WHOLE, T2_METRIC_SELF, &five_percent);

	t2_diff_free(&diff);
	return verdict;
}

static enum t2_verdict judge_two(int base_ms, int new_ms)
{
	return judge(make(1, &base_ms, 1, &new_ms));
}

Test(diff, both_thresholds_have_to_be_reached)
{
	cr_expect_eq(judge_two(1000, 1000), T2_VERDICT_SAME);
	/* 5 % of a second are 50 ms. */
	cr_expect_eq(judge_two(1000, 1050), T2_VERDICT_SLOWER);
	cr_expect_eq(judge_two(1000, 1049), T2_VERDICT_SAME);
	cr_expect_eq(judge_two(1000, 950), T2_VERDICT_FASTER);
	cr_expect_eq(judge_two(1000, 951), T2_VERDICT_SAME);
	/* Of two seconds 100 ms. */
	cr_expect_eq(judge_two(2000, 2099), T2_VERDICT_SAME);
	cr_expect_eq(judge_two(2000, 2100), T2_VERDICT_SLOWER);
	/* Ten times as much, but nothing that anyone waits for. */
	cr_expect_eq(judge_two(4, 40), T2_VERDICT_SAME);
	cr_expect_eq(judge_two(0, 50), T2_VERDICT_SLOWER);
}

Test(diff, what_one_side_lacks_is_new_or_gone_if_it_is_large_enough)
{
	cr_expect_eq(judge_two(-1, 50), T2_VERDICT_NEW);
	cr_expect_eq(judge_two(-1, 49), T2_VERDICT_SAME);
	cr_expect_eq(judge_two(50, -1), T2_VERDICT_GONE);
	cr_expect_eq(judge_two(49, -1), T2_VERDICT_SAME);
	cr_expect_eq(judge_two(-1, -1), T2_VERDICT_SAME);
}

Test(diff, several_runs_must_agree)
{
	const int base[] = {300, 320, 310}, slow[] = {420, 400, 410}, wide[] = {320, 500, 490};

	cr_expect_eq(judge(make(3, base, 3, slow)), T2_VERDICT_SLOWER);
	cr_expect_eq(judge(make(3, slow, 3, base)), T2_VERDICT_FASTER);
	/* The fastest of the one is as fast as the slowest of the other. */
	cr_expect_eq(judge(make(3, base, 3, wide)), T2_VERDICT_SAME);
	cr_expect_eq(judge(make(3, wide, 3, base)), T2_VERDICT_SAME);
}

Test(diff, the_median_is_the_middle_or_between_the_middle_two)
{
	const int base[] = {9, 1, 5}, now[] = {40, 10, 20, -1};
	struct t2_diff diff = make(3, base, 4, now);
	struct t2_diff_stat stat;

	t2_diff_stat(&diff, T2_DIFF_WHOLE, T2_METRIC_SELF, true, &stat);
	cr_expect(stat.is_there);
	cr_expect_eq(stat.min, 1 * MS);
	cr_expect_eq(stat.median, 5 * MS);
	cr_expect_eq(stat.max, 9 * MS);
	/* A run without it is a run in which it took nothing. */
	t2_diff_stat(&diff, T2_DIFF_WHOLE, T2_METRIC_SELF, false, &stat);
	cr_expect_eq(stat.min, 0);
	cr_expect_eq(stat.median, 15 * MS);
	cr_expect_eq(stat.max, 40 * MS);
	t2_diff_free(&diff);
}

Test(diff, more_runs_than_fit_on_the_stack)
{
	int base[40], now[1] = {20};
	struct t2_diff_stat stat;
	struct t2_diff diff;

	for (int i = 0; i < 40; i++)
		base[i] = (i * 7) % 40;
	diff = make(40, base, 1, now);
	t2_diff_stat(&diff, T2_DIFF_WHOLE, T2_METRIC_SELF, true, &stat);
	cr_expect_eq(stat.median, 19 * MS + MS / 2);
	cr_expect_eq(stat.max, 39 * MS);
	t2_diff_free(&diff);
}
