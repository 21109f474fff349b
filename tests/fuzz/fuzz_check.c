/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a stream to check: every problem has a place in the stream and one line
 * that says what it is, the counts add up, and the same bytes have the same problems
 * whatever was checked before them.
 */
#include "command/lint.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

struct problems {
	uint64_t nr_lines; /* that there were so far */
	uint64_t nr_errors, nr_warnings;
};

static void take_problem(void *arg, const struct t2_problem *problem)
{
	struct problems *problems = arg;

	hold(problem->line >= 1 && problem->file && *problem->file);
	hold(problem->code < T2_LINT_NR && *t2_lint_name(problem->code));
	hold(problem->message && *problem->message);
	*(problem->is_error ? &problems->nr_errors : &problems->nr_warnings) += 1;
}

/* The same stream @times over, as if in several files. */
static struct problems check_stream(const uint8_t *bytes, size_t len, int times)
{
	struct problems problems = {0};
	struct t2_lint *lint = t2_lint_new(take_problem, &problems);
	struct t2_lint_stats stats;

	while (times--) {
		struct t2_line line;
		int fd;
		struct t2_source *source = fuzz_source(bytes, len, &fd);

		while (t2_source_next(source, &line)) {
			hold(t2_lint_line(lint, &line));
			problems.nr_lines++;
		}
		t2_source_close(source);
		close(fd);
	}
	t2_lint_finish(lint);
	t2_lint_get_stats(lint, &stats);
	hold(stats.nr_lines == problems.nr_lines && stats.nr_events <= stats.nr_lines);
	hold(stats.nr_sessions <= stats.nr_events);
	hold(stats.nr_errors == problems.nr_errors && stats.nr_warnings == problems.nr_warnings);
	t2_lint_free(lint);
	return problems;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct problems once = check_stream(bytes, len, 1);
	struct problems again = check_stream(bytes, len, 1);

	hold(once.nr_errors == again.nr_errors && once.nr_warnings == again.nr_warnings);
	check_stream(bytes, len, 2);
	return 0;
}
