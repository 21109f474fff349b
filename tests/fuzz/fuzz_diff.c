/* SPDX-License-Identifier: MIT */
/*
 * Two traces out of one input, parted by a line of a single "-": nothing of a trace differs
 * from itself; the sides sum up to what their traces have; and seen from the other side
 * what was slower is faster and what was new is gone.
 */
#include "command/diff.h"
#include "command/diff_print.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

struct side {
	const uint8_t *bytes;
	size_t len;
};

struct verdicts {
	size_t nr[T2_VERDICT_SAME + 1];
};

static int64_t median_of(const struct t2_diff *diff, uint32_t entry, enum t2_metric metric,
			 bool is_base)
{
	struct t2_diff_stat stat;

	t2_diff_stat(diff, entry, metric, is_base, &stat);
	hold(stat.min <= stat.median && stat.median <= stat.max);
	return stat.median;
}

static void check_sums(const struct t2_diff *diff, enum t2_metric metric, bool is_base)
{
	int64_t sum = 0;

	for (uint32_t i = T2_DIFF_WHOLE + 1; i < diff->nr; i++) {
		if (!diff->entries[i].is_merged)
			sum += median_of(diff, i, metric, is_base);
	}
	hold(sum == median_of(diff, T2_DIFF_WHOLE, metric, is_base));
}

static void print_every_way(const struct t2_diff_changes *changes, struct t2_options *options)
{
	for (int format = T2_OUTPUT_TEXT; format <= T2_OUTPUT_MD; format++) {
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		options->format = (enum t2_output_format)format;
		hold(t2_diff_print(changes, options, out));
		fclose(out);
		hold(size > 0);
		free(text);
	}
}

static struct verdicts compare(struct side base, struct side now)
{
	const struct side sides[] = {base, now};
	struct verdicts verdicts = {{0}};
	struct t2_diff_changes changes = {.metric = T2_METRIC_SELF, .threshold = {0, 1}};
	struct t2_options options;
	struct t2_diff diff;

	hold(t2_diff_init(&diff, 1, 2));
	for (uint32_t run = 0; run < 2; run++) {
		struct t2_view view;

		fuzz_view(&view, &options, T2_OUTPUT_TEXT, sides[run].bytes, sides[run].len);
		hold(t2_diff_add(&diff, run, &view));
		t2_view_free(&view);
	}
	hold(t2_diff_match(&diff));
	changes.diff = &diff;
	hold(t2_diff_collect(&changes));
	for (size_t i = 0; i < changes.nr; i++)
		verdicts.nr[changes.items[i].more]++;
	for (int is_base = 0; is_base < 2; is_base++) {
		check_sums(&diff, T2_METRIC_SELF, is_base);
		check_sums(&diff, T2_METRIC_CPU, is_base);
		check_sums(&diff, T2_METRIC_COUNT, is_base);
	}
	print_every_way(&changes, &options);
	free(changes.items);
	t2_diff_free(&diff);
	return verdicts;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const uint8_t *cut = memmem(bytes, len, "\n-\n", 3);
	struct side one = {bytes, cut ? (size_t)(cut - bytes) + 1 : len / 2}, other;
	struct verdicts there, back;

	other.bytes = cut ? cut + 3 : bytes + one.len;
	other.len = len - (size_t)(other.bytes - bytes);
	there = compare(one, one);
	for (int verdict = T2_VERDICT_SLOWER; verdict < T2_VERDICT_SAME; verdict++)
		hold(!there.nr[verdict]);
	there = compare(one, other);
	back = compare(other, one);
	hold(there.nr[T2_VERDICT_SLOWER] == back.nr[T2_VERDICT_FASTER]);
	hold(there.nr[T2_VERDICT_FASTER] == back.nr[T2_VERDICT_SLOWER]);
	hold(there.nr[T2_VERDICT_NEW] == back.nr[T2_VERDICT_GONE]);
	hold(there.nr[T2_VERDICT_GONE] == back.nr[T2_VERDICT_NEW]);
	return 0;
}
