/* SPDX-License-Identifier: MIT */
/*
 * A diff for people and for programs.
 */
#include "command/diff_print.h"

#include <inttypes.h>

#include "command/text.h"
#include "command/view.h"

#define ROWS 30
/* Of the command, beside columns that fit into a line of 80. */
#define COMMAND_MIN 16
#define LINE_ROOM 256

static const char *const verdicts[] = {"slower", "faster", "new", "gone", "same"};

/* --- columns ------------------------------------------------------------------ */

struct row {
	const struct t2_diff *diff;
	uint32_t entry;
	enum t2_metric metric;
	enum t2_verdict verdict;
};

/* Parts of a million; rounded as far down for less as up for more. */
static int64_t share_of(int64_t change, int64_t base)
{
	return change < 0 ? -t2_text_ppm(-change, base) : t2_text_ppm(change, base);
}

static int64_t median(const struct row *row, enum t2_metric metric, bool is_base)
{
	struct t2_diff_stat stat;

	t2_diff_stat(row->diff, row->entry, metric, is_base, &stat);
	return stat.is_there ? stat.median : T2_UNKNOWN;
}

static int64_t spread(const struct row *row, bool is_base)
{
	struct t2_diff_stat stat;

	t2_diff_stat(row->diff, row->entry, row->metric, is_base, &stat);
	return stat.is_there ? stat.max - stat.min : T2_UNKNOWN;
}

static int64_t change(const struct row *row)
{
	int64_t base = median(row, row->metric, true), now = median(row, row->metric, false);

	return (now == T2_UNKNOWN ? 0 : now) - (base == T2_UNKNOWN ? 0 : base);
}

static int64_t change_share(const struct row *row)
{
	int64_t base = median(row, row->metric, true), now = median(row, row->metric, false);

	if (base == T2_UNKNOWN || now == T2_UNKNOWN || !base)
		return T2_UNKNOWN;
	return share_of(now - base, base);
}

/* A function for a column. */
#define NUMBER(name, expression)                                                                   \
	static int64_t name(const void *row)                                                       \
	{                                                                                          \
		return expression;                                                                 \
	}

NUMBER(get_change, change(row))
NUMBER(get_share, change_share(row))
NUMBER(get_base, median(row, ((const struct row *)row)->metric, true))
NUMBER(get_new, median(row, ((const struct row *)row)->metric, false))
NUMBER(get_base_spread, spread(row, true))
NUMBER(get_new_spread, spread(row, false))
NUMBER(get_base_self, median(row, T2_METRIC_SELF, true))
NUMBER(get_new_self, median(row, T2_METRIC_SELF, false))
NUMBER(get_base_total, median(row, T2_METRIC_TOTAL, true))
NUMBER(get_new_total, median(row, T2_METRIC_TOTAL, false))
NUMBER(get_base_cpu, median(row, T2_METRIC_CPU, true))
NUMBER(get_new_cpu, median(row, T2_METRIC_CPU, false))
NUMBER(get_base_rss, median(row, T2_METRIC_RSS, true))
NUMBER(get_new_rss, median(row, T2_METRIC_RSS, false))
NUMBER(get_base_count, median(row, T2_METRIC_COUNT, true))
NUMBER(get_new_count, median(row, T2_METRIC_COUNT, false))

static const char *get_what(void *arg)
{
	const struct row *row = arg;

	return verdicts[row->verdict];
}

static const char *get_command(void *arg)
{
	const struct row *row = arg;

	return row->diff->entries[row->entry].command;
}

/* clang-format off */
const struct t2_column t2_diff_columns[] = {
	{"what", "", T2_KIND_WORD, 6, .text = get_what},
	{"change", "change", T2_KIND_DURATION, .number = get_change},
	{"change_share", "%", T2_KIND_PERCENT, .number = get_share},
	{"base", "base", T2_KIND_DURATION, .number = get_base},
	{"new", "new", T2_KIND_DURATION, .number = get_new},
	{"base_spread", "+-base", T2_KIND_DURATION, .number = get_base_spread},
	{"new_spread", "+-new", T2_KIND_DURATION, .number = get_new_spread},
	{"base_self", "self", T2_KIND_DURATION, .number = get_base_self},
	{"new_self", "new self", T2_KIND_DURATION, .number = get_new_self},
	{"base_total", "total", T2_KIND_DURATION, .number = get_base_total},
	{"new_total", "new total", T2_KIND_DURATION, .number = get_new_total},
	{"base_cpu", "base cpu", T2_KIND_DURATION, .number = get_base_cpu},
	{"new_cpu", "cpu", T2_KIND_DURATION, .drop = 2, .number = get_new_cpu},
	{"base_rss", "base rss", T2_KIND_BYTES, .number = get_base_rss},
	{"new_rss", "rss", T2_KIND_BYTES, .drop = 3, .number = get_new_rss},
	{"base_count", "was", T2_KIND_COUNT, .number = get_base_count},
	{"new_count", "count", T2_KIND_COUNT, .drop = 1, .number = get_new_count},
	{"command", "command", T2_KIND_TEXT, .text = get_command},
	{0},
};
/* clang-format on */

/* What people have room for. */
static const char short_fields[] =
	"what,change,change_share,base,new,new_cpu,new_rss,new_count,command";

/* --- the whole ---------------------------------------------------------------- */

static void put_whole(FILE *out, unsigned width, const char *name, const struct t2_diff_stat *base,
		      const struct t2_diff_stat *now, bool has_spread, const char *verdict)
{
	char line[LINE_ROOM], share_text[T2_TEXT_MAX + 8] = "",
						       spread_text[2 * T2_TEXT_MAX + 16] = "";
	char from[T2_TEXT_MAX], to[T2_TEXT_MAX], change[T2_TEXT_MAX], share[T2_TEXT_MAX];
	int64_t difference = now->median - base->median;
	const char *sign = difference > 0 ? "+" : "";

	if (base->median)
		snprintf(share_text, sizeof(share_text), " (%s%s)", sign,
			 t2_text_percent(share, share_of(difference, base->median)));
	if (has_spread)
		snprintf(spread_text, sizeof(spread_text), "  spread %s, %s",
			 t2_text_duration(from, base->max - base->min),
			 t2_text_duration(to, now->max - now->min));
	snprintf(line, sizeof(line), "%-10s %8s -> %8s  %s%s%s%s%s%s", name,
		 t2_text_duration(from, base->median), t2_text_duration(to, now->median), sign,
		 t2_text_duration(change, difference), share_text, spread_text,
		 *verdict ? "  " : "", verdict);
	t2_print_wrapped(out, width, "", "    ", line);
}

/* The runs as a whole. */
static void print_whole(FILE *out, unsigned width, const struct t2_diff *diff,
			enum t2_verdict verdict)
{
	static const char *const names[] = {
		[T2_METRIC_SELF] = "busy", [T2_METRIC_TOTAL] = "wall", [T2_METRIC_CPU] = "cpu"};
	static const enum t2_metric shown[] = {T2_METRIC_TOTAL, T2_METRIC_SELF, T2_METRIC_CPU};
	char from[T2_TEXT_MAX], to[T2_TEXT_MAX];
	struct t2_diff_stat base, now;

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		t2_diff_stat(diff, T2_DIFF_WHOLE, shown[i], true, &base);
		t2_diff_stat(diff, T2_DIFF_WHOLE, shown[i], false, &now);
		put_whole(out, width, names[shown[i]], &base, &now, diff->nr_runs > 2,
			  i || verdict == T2_VERDICT_SAME ? "" : verdicts[verdict]);
	}
	t2_diff_stat(diff, T2_DIFF_WHOLE, T2_METRIC_RSS, true, &base);
	t2_diff_stat(diff, T2_DIFF_WHOLE, T2_METRIC_RSS, false, &now);
	fprintf(out, "%-10s %8s -> %8s\n", "rss max", t2_text_bytes(from, (uint64_t)base.median),
		t2_text_bytes(to, (uint64_t)now.median));
	t2_diff_stat(diff, T2_DIFF_WHOLE, T2_METRIC_COUNT, true, &base);
	t2_diff_stat(diff, T2_DIFF_WHOLE, T2_METRIC_COUNT, false, &now);
	fprintf(out, "%-10s %8s -> %8s\n", "processes", t2_text_count(from, (uint64_t)base.median),
		t2_text_count(to, (uint64_t)now.median));
}

static void print_sides_json(FILE *out, const struct t2_diff *diff, enum t2_verdict verdict)
{
	static const char *const names[] = {"self_ns", "wall_ns", "cpu_ns", "max_rss_kb",
					    "processes"};

	fprintf(out, "{\"verdict\":\"%s\"", verdicts[verdict]);
	for (int side = 0; side < 2; side++) {
		fprintf(out, ",\n\"%s\":{\"runs\":%" PRIu32, side ? "new" : "base",
			side ? diff->nr_runs - diff->nr_base : diff->nr_base);
		for (int i = 0; i < T2_METRIC_NR; i++) {
			struct t2_diff_stat stat;

			t2_diff_stat(diff, T2_DIFF_WHOLE, (enum t2_metric)i, !side, &stat);
			fprintf(out, ",\"%s\":%" PRId64, names[i], stat.median);
		}
		fputc('}', out);
	}
	fputs(",\n\"changes\":", out);
}

/* --- the changes -------------------------------------------------------------- */

static bool print_table(FILE *out, const struct t2_diff_changes *changes,
			const struct t2_options *options, bool is_for_people)
{
	struct t2_view view = {.options = options};
	struct t2_table_opts opts = t2_view_table_opts(&view, is_for_people ? short_fields : NULL);
	size_t max = options->limit == UINT32_MAX && is_for_people ? ROWS : options->limit;
	struct t2_table *table;
	bool is_fine;

	opts.rest_min = COMMAND_MIN;
	table = t2_table_begin(out, &opts, t2_diff_columns);
	is_fine = table;

	if (!max || max > changes->nr)
		max = changes->nr;
	for (size_t i = 0; is_fine && i < max; i++) {
		struct row row = {changes->diff, changes->items[i].value, changes->metric,
				  (enum t2_verdict)changes->items[i].more};

		is_fine = t2_table_row(table, &row, row.verdict == T2_VERDICT_SLOWER);
	}
	t2_table_end(table);
	if (is_fine && is_for_people && changes->nr > max)
		fprintf(out, "\n%zu more; -n 0 shows all\n", changes->nr - max);
	return is_fine;
}

/* What is before the table, which may be all. */
static void print_head(FILE *out, unsigned width, const struct t2_diff_changes *changes,
		       bool is_markdown)
{
	char percent[T2_TEXT_MAX], time[T2_TEXT_MAX];

	fputs(is_markdown ? "```\n" : "", out);
	print_whole(out, is_markdown ? UINT32_MAX : width, changes->diff, changes->whole);
	fputs(is_markdown ? "```\n\n" : "\n", out);
	if (!changes->nr)
		fprintf(out, "No command changed by %s and %s or more.\n",
			t2_text_percent(percent, changes->threshold.ppm),
			t2_text_duration(time, changes->threshold.ns));
}

bool t2_diff_print(const struct t2_diff_changes *changes, const struct t2_options *options,
		   FILE *out)
{
	bool is_json = options->format == T2_OUTPUT_JSON, is_fine;

	if (options->format == T2_OUTPUT_TEXT || options->format == T2_OUTPUT_MD) {
		print_head(out, options->width, changes, options->format == T2_OUTPUT_MD);
		return !changes->nr || print_table(out, changes, options, true);
	}
	if (is_json)
		print_sides_json(out, changes->diff, changes->whole);
	is_fine = print_table(out, changes, options, false);
	fputs(is_json ? "}\n" : "", out);
	return is_fine;
}
