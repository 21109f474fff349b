/* SPDX-License-Identifier: MIT */
/*
 * t2 diff: what got slower, faster, new and gone.
 */
#include "command/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/sort.h"
#include "command/table.h"
#include "command/text.h"
#include "command/view.h"

#define THRESHOLD_PPM 50000 /* 5 % */
#define THRESHOLD_NS INT64_C(50000000)
#define ROWS 30
#define WHOLE 0
#define RUNS_MAX 1000

static const char help[] =
	"usage: t2 diff [OPTION]... BASE NEW...\n"
	"       t2 diff [OPTION]... BASE... -- NEW...\n"
	"       t2 diff [OPTION]... --base BASE [--base BASE]... NEW...\n"
	"\n"
	"Compare two runs of the same work, or several runs of each: what got slower,\n"
	"faster, new and gone. Commands are the same if they are below the same programs\n"
	"and differ at most in temporary names, numbers of processes, hashes and the\n"
	"directory of the build. What is left is compared by the file that is compiled,\n"
	"then by program. With several runs medians are compared, and only what differs\n"
	"in all runs is a change.\n"
	"\n"
	"      --base FILE       a run to compare with; repeatable\n"
	"      --threshold T,... smaller changes are none: a share of what it was and a\n"
	"                        time, both must be reached (5%,50ms)\n"
	"      --metric METRIC   what is compared: self (the default: wall clock without\n"
	"                        children), total (wall clock) or cpu\n"
	"      --fail-on-regression\n"
	"                        exit with 1 if something, or the whole, is slower\n"
	"\n" T2_OPTIONS_HELP "\n"
	"Exit status: 0, 1 if --fail-on-regression and something is slower, 2 wrong\n"
	"usage or no trace.\n"
	"\n"
	"Example:\n"
	"  t2 diff --fail-on-regression --threshold 10%,200ms t2.data.old t2.data\n";

enum { BASE = 256, THRESHOLD, METRIC, FAIL };

struct request {
	struct t2_options options;
	const char **files; /* the base first */
	uint32_t nr_base, nr_files;
	struct t2_diff_threshold threshold;
	enum t2_metric metric;
	bool fails;
};

static const struct t2_column columns[] = {
	{.name = "what", .title = "", .kind = T2_KIND_TEXT, .width_max = 6},
	{.name = "change", .title = "change", .kind = T2_KIND_DURATION},
	{.name = "change_share", .title = "%", .kind = T2_KIND_PERCENT},
	{.name = "base", .title = "base", .kind = T2_KIND_DURATION},
	{.name = "new", .title = "new", .kind = T2_KIND_DURATION},
	{.name = "base_spread", .title = "+-base", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "new_spread", .title = "+-new", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "base_self", .title = "self", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "new_self", .title = "new self", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "base_total", .title = "total", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "new_total", .title = "new total", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "base_cpu", .title = "base cpu", .kind = T2_KIND_DURATION, .is_hidden = true},
	{.name = "new_cpu", .title = "cpu", .kind = T2_KIND_DURATION},
	{.name = "base_rss", .title = "base rss", .kind = T2_KIND_BYTES, .is_hidden = true},
	{.name = "new_rss", .title = "rss", .kind = T2_KIND_BYTES},
	{.name = "base_count", .title = "was", .kind = T2_KIND_COUNT, .is_hidden = true},
	{.name = "new_count", .title = "count", .kind = T2_KIND_COUNT},
	{.name = "command", .title = "command", .kind = T2_KIND_TEXT},
};

/* For programs everything. */
static const char all_fields[] =
	"what,change,change_share,base,new,base_spread,new_spread,base_self,new_self,base_total,"
	"new_total,base_cpu,new_cpu,base_rss,new_rss,base_count,new_count,command";

static const char *const verdicts[] = {"slower", "faster", "new", "gone", "same"};

/* --- the command line --------------------------------------------------------- */

static bool take_threshold(struct request *request, const char *value)
{
	char part[64];
	char *end;
	double percent;

	while (*value) {
		size_t len = strcspn(value, ",");

		snprintf(part, sizeof(part), "%.*s", (int)len, value);
		value += len + (value[len] == ',');
		percent = strtod(part, &end);
		if (end != part && !strcmp(end, "%") && percent >= 0 && percent <= 1e6) {
			request->threshold.ppm = (int64_t)(percent * 10000 + 0.5);
		} else if (!t2_text_parse_duration(part, &request->threshold.ns)) {
			fprintf(stderr, "t2 diff: --threshold %s: not like 5%% or 50ms\n", part);
			return false;
		}
	}
	return true;
}

static bool take_metric(struct request *request, const char *value)
{
	static const char *const names[] = {"self", "total", "cpu"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(names[i], value)) {
			request->metric = (enum t2_metric)i;
			return true;
		}
	}
	fprintf(stderr, "t2 diff: --metric %s: self, total or cpu\n", value);
	return false;
}

static bool take(void *arg, int val, const char *value)
{
	struct request *request = arg;

	switch (val) {
	case BASE:
		request->files[request->nr_base++] = value;
		return true;
	case THRESHOLD:
		return take_threshold(request, value);
	case METRIC:
		return take_metric(request, value);
	default:
		request->fails = true;
		return true;
	}
}

static int find_dashes(int argc, char **argv)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	return i;
}

/* Which of the files belong to which side. Returns 0 or an exit status. */
static int sort_files(struct request *request, int argc, char **argv, int dashes)
{
	const struct t2_options *options = &request->options;
	bool has_base = request->nr_base;

	for (size_t i = 0; i < options->nr_files; i++)
		request->files[request->nr_base + i] = options->files[i];
	request->nr_files = request->nr_base + (uint32_t)options->nr_files;
	if (dashes < argc && !has_base)
		request->nr_base = request->nr_files;
	else if (!has_base)
		request->nr_base = 1;
	for (int i = dashes + 1; i < argc; i++)
		request->files[request->nr_files++] = argv[i];
	if (request->nr_files > request->nr_base && request->nr_files <= RUNS_MAX)
		return 0;
	fputs("t2 diff: two traces are needed, BASE and NEW; t2 diff --help tells more\n", stderr);
	return T2_VIEW_USAGE;
}

static int parse(struct request *request, int argc, char **argv)
{
	static const struct option extra[] = {
		{"base", required_argument, NULL, BASE},
		{"threshold", required_argument, NULL, THRESHOLD},
		{"metric", required_argument, NULL, METRIC},
		{"fail-on-regression", no_argument, NULL, FAIL},
		{NULL, 0, NULL, 0},
	};
	const struct t2_options_spec spec = {
		.name = "diff",
		.extra = extra,
		.on_extra = take,
		.arg = request,
		.needs_files = true,
	};
	int dashes = find_dashes(argc, argv);
	int status;

	request->files = calloc((size_t)argc + 1, sizeof(*request->files));
	if (!request->files)
		return T2_VIEW_USAGE;
	status = t2_options_parse(&request->options, &spec, dashes, argv);
	return status ? status : sort_files(request, argc, argv, dashes);
}

/* --- what is printed ---------------------------------------------------------- */

/* Parts of a million; rounded as far down for less as up for more. */
static int64_t share_of(int64_t change, int64_t base)
{
	return change < 0 ? -t2_text_ppm(-change, base) : t2_text_ppm(change, base);
}

static void put_pair(struct t2_table *table, const struct t2_diff *diff, uint32_t entry,
		     enum t2_metric metric)
{
	struct t2_diff_stat base, now;

	t2_diff_stat(diff, entry, metric, true, &base);
	t2_diff_stat(diff, entry, metric, false, &now);
	t2_table_number(table, base.is_there ? base.median : T2_UNKNOWN);
	t2_table_number(table, now.is_there ? now.median : T2_UNKNOWN);
}

static bool put_row(struct t2_table *table, const struct t2_diff *diff, uint32_t entry,
		    enum t2_metric metric, enum t2_verdict verdict)
{
	struct t2_diff_stat base, now;

	t2_diff_stat(diff, entry, metric, true, &base);
	t2_diff_stat(diff, entry, metric, false, &now);
	t2_table_text(table, verdicts[verdict]);
	t2_table_number(table, now.median - base.median);
	t2_table_number(table, base.is_there && now.is_there && base.median
				       ? share_of(now.median - base.median, base.median)
				       : T2_UNKNOWN);
	put_pair(table, diff, entry, metric);
	t2_table_number(table, base.is_there ? base.max - base.min : T2_UNKNOWN);
	t2_table_number(table, now.is_there ? now.max - now.min : T2_UNKNOWN);
	for (int i = T2_METRIC_SELF; i < T2_METRIC_NR; i++)
		put_pair(table, diff, entry, (enum t2_metric)i);
	t2_table_text(table, diff->entries[entry].command);
	return t2_table_row(table, verdict == T2_VERDICT_SLOWER);
}

static void put_whole(const char *name, const struct t2_diff_stat *base,
		      const struct t2_diff_stat *now, bool has_spread, const char *verdict)
{
	char from[T2_TEXT_MAX], to[T2_TEXT_MAX], change[T2_TEXT_MAX], share[T2_TEXT_MAX];
	int64_t difference = now->median - base->median;
	const char *sign = difference > 0 ? "+" : "";

	printf("%-10s %8s -> %8s  %s%s", name, t2_text_duration(from, base->median),
	       t2_text_duration(to, now->median), sign, t2_text_duration(change, difference));
	if (base->median)
		printf(" (%s%s)", sign, t2_text_percent(share, share_of(difference, base->median)));
	if (has_spread)
		printf("  spread %s, %s", t2_text_duration(from, base->max - base->min),
		       t2_text_duration(to, now->max - now->min));
	printf("%s%s\n", *verdict ? "  " : "", verdict);
}

/* The runs as a whole. */
static void print_whole(const struct t2_diff *diff, enum t2_verdict verdict)
{
	static const char *const names[] = {
		[T2_METRIC_SELF] = "busy", [T2_METRIC_TOTAL] = "wall", [T2_METRIC_CPU] = "cpu"};
	static const enum t2_metric shown[] = {T2_METRIC_TOTAL, T2_METRIC_SELF, T2_METRIC_CPU};
	char from[T2_TEXT_MAX], to[T2_TEXT_MAX];
	struct t2_diff_stat base, now;

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		t2_diff_stat(diff, WHOLE, shown[i], true, &base);
		t2_diff_stat(diff, WHOLE, shown[i], false, &now);
		put_whole(names[shown[i]], &base, &now, diff->nr_runs > 2,
			  i || verdict == T2_VERDICT_SAME ? "" : verdicts[verdict]);
	}
	t2_diff_stat(diff, WHOLE, T2_METRIC_RSS, true, &base);
	t2_diff_stat(diff, WHOLE, T2_METRIC_RSS, false, &now);
	printf("%-10s %8s -> %8s\n", "rss max", t2_text_bytes(from, (uint64_t)base.median),
	       t2_text_bytes(to, (uint64_t)now.median));
	t2_diff_stat(diff, WHOLE, T2_METRIC_COUNT, true, &base);
	t2_diff_stat(diff, WHOLE, T2_METRIC_COUNT, false, &now);
	printf("%-10s %8s -> %8s\n", "processes", t2_text_count(from, (uint64_t)base.median),
	       t2_text_count(to, (uint64_t)now.median));
}

static void print_sides_json(const struct t2_diff *diff, enum t2_verdict verdict)
{
	static const char *const names[] = {"self_ns", "wall_ns", "cpu_ns", "max_rss_kb",
					    "processes"};

	printf("{\"verdict\":\"%s\"", verdicts[verdict]);
	for (int side = 0; side < 2; side++) {
		printf(",\n\"%s\":{\"runs\":%" PRIu32, side ? "new" : "base",
		       side ? diff->nr_runs - diff->nr_base : diff->nr_base);
		for (int i = 0; i < T2_METRIC_NR; i++) {
			struct t2_diff_stat stat;

			t2_diff_stat(diff, WHOLE, (enum t2_metric)i, !side, &stat);
			printf(",\"%s\":%" PRId64, names[i], stat.median);
		}
		putchar('}');
	}
	fputs(",\n\"changes\":", stdout);
}

/* Slower ones first, then what there is most of. */
static bool collect(const struct t2_diff *diff, const struct request *request,
		    struct t2_sort_item *items, size_t *ret_nr)
{
	size_t nr = 0;

	for (int wanted = T2_VERDICT_SLOWER; wanted < T2_VERDICT_SAME; wanted++) {
		size_t begin = nr;

		for (uint32_t i = WHOLE + 1; i < diff->nr; i++) {
			struct t2_diff_stat base, now;
			int64_t change;

			if (diff->entries[i].is_merged ||
			    (int)t2_diff_judge(diff, i, request->metric, &request->threshold) !=
				    wanted)
				continue;
			t2_diff_stat(diff, i, request->metric, true, &base);
			t2_diff_stat(diff, i, request->metric, false, &now);
			change = now.median - base.median;
			items[nr++] = (struct t2_sort_item){
				.key = change < 0 ? change : -change, .value = i, .more = wanted};
		}
		if (!t2_sort(items + begin, nr - begin))
			return false;
	}
	*ret_nr = nr;
	return true;
}

static bool print_table(const struct t2_diff *diff, const struct request *request,
			const struct t2_sort_item *items, size_t nr)
{
	const struct t2_options *options = &request->options;
	struct t2_view view = {.options = options};
	struct t2_table_opts opts = t2_view_table_opts(&view);
	bool is_text = options->format == T2_FORMAT_TEXT || options->format == T2_FORMAT_MD;
	size_t max = options->limit == UINT32_MAX ? is_text ? ROWS : nr
		     : options->limit		  ? options->limit
						  : nr;
	struct t2_table *table;
	bool is_fine;

	if (!is_text && !opts.fields)
		opts.fields = all_fields;
	table = t2_table_begin(stdout, &opts, columns, sizeof(columns) / sizeof(*columns),
			       "t2 diff");
	is_fine = table;
	for (size_t i = 0; is_fine && i < nr && i < max; i++)
		is_fine = put_row(table, diff, items[i].value, request->metric,
				  (enum t2_verdict)items[i].more);
	t2_table_end(table);
	if (is_fine && is_text && nr > max)
		printf("\n%zu more; -n 0 shows all\n", nr - max);
	return is_fine;
}

/* What is before the table, which may be all. */
static void print_head(const struct t2_diff *diff, const struct request *request, bool has_rows)
{
	enum t2_verdict verdict = t2_diff_judge(diff, WHOLE, T2_METRIC_TOTAL, &request->threshold);
	bool is_markdown = request->options.format == T2_FORMAT_MD;
	char percent[T2_TEXT_MAX], time[T2_TEXT_MAX];

	if (request->options.format == T2_FORMAT_JSON)
		print_sides_json(diff, verdict);
	if (request->options.format != T2_FORMAT_TEXT && !is_markdown)
		return;
	fputs(is_markdown ? "```\n" : "", stdout);
	print_whole(diff, verdict);
	fputs(is_markdown ? "```\n\n" : "\n", stdout);
	if (!has_rows)
		printf("No command changed by %s and %s or more.\n",
		       t2_text_percent(percent, request->threshold.ppm),
		       t2_text_duration(time, request->threshold.ns));
}

static bool print(const struct t2_diff *diff, const struct request *request,
		  const struct t2_sort_item *items, size_t nr)
{
	bool is_for_people = request->options.format == T2_FORMAT_TEXT ||
			     request->options.format == T2_FORMAT_MD;
	bool is_fine;

	print_head(diff, request, nr);
	if (!nr && is_for_people)
		return true;
	is_fine = print_table(diff, request, items, nr);
	if (request->options.format == T2_FORMAT_JSON)
		fputs("}\n", stdout);
	return is_fine;
}

/* --- all of it ---------------------------------------------------------------- */

static bool is_regression(const struct t2_diff *diff, const struct request *request,
			  const struct t2_sort_item *items, size_t nr)
{
	return (nr && items[0].more == T2_VERDICT_SLOWER) ||
	       t2_diff_judge(diff, WHOLE, T2_METRIC_TOTAL, &request->threshold) ==
		       T2_VERDICT_SLOWER;
}

static int answer(struct t2_diff *diff, const struct request *request)
{
	struct t2_sort_item *items = NULL;
	bool is_fine = t2_diff_match(diff);
	size_t nr = 0;
	int status = T2_VIEW_USAGE;

	if (is_fine)
		items = calloc(diff->nr, sizeof(*items));
	if (items && collect(diff, request, items, &nr) && print(diff, request, items, nr))
		status = request->fails && is_regression(diff, request, items, nr) ? T2_VIEW_NO
										   : T2_VIEW_OK;
	free(items);
	return status;
}

/* Returns 0 or an exit status. */
static int read_run(struct t2_diff *diff, const struct request *request, uint32_t run)
{
	struct t2_view view;
	int status = t2_view_load(&view, &request->options, &request->files[run], 1, true);

	if (!status && !t2_diff_add(diff, run, &view)) {
		fputs("t2 diff: out of memory\n", stderr);
		status = T2_VIEW_USAGE;
	}
	t2_view_free(&view);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request = {.threshold = {.ppm = THRESHOLD_PPM, .ns = THRESHOLD_NS}};
	struct t2_diff diff = {0};
	int status = parse(&request, argc, argv);

	if (!status && !t2_diff_init(&diff, request.nr_base, request.nr_files))
		status = T2_VIEW_USAGE;
	for (uint32_t i = 0; !status && i < request.nr_files; i++)
		status = read_run(&diff, &request, i);
	if (!status)
		status = answer(&diff, &request);
	t2_diff_free(&diff);
	t2_options_free(&request.options);
	free(request.files);
	return status;
}

const struct t2_command t2_command_diff = {
	.name = "diff",
	.summary = "compare runs: what got slower, faster, new and gone",
	.help = help,
	.run = run,
};
