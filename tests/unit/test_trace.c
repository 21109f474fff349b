/* SPDX-License-Identifier: MIT */
/*
 * command/trace*.c: small traces whose every number was worked out by hand; they
 * begin at midnight.
 */
#include "tests/unit/model.h"

#define MIDNIGHT INT64_C(1767225600000000000) /* 2026-01-01 */

struct wanted {
	const char *name;			      /* argv[0] */
	const char *parent;			      /* its argv[0]; "" is the root */
	double start_ms, image_ms, end_ms, reaped_ms; /* reaped 0: never */
	int code, signo;
	enum t2_end end;
	double cpu_ms, total_cpu_ms;
	unsigned max_rss_kb, nr_children;
};

static int64_t at(double ms)
{
	return MIDNIGHT + (int64_t)(ms * (double)MS);
}

static void check(const struct t2_trace *trace, const struct wanted *wanted)
{
	uint32_t id = model_find(trace, wanted->name);
	const struct t2_process *process = &trace->processes[id];
	const struct t2_process *parent = &trace->processes[process->parent];

	cr_expect_str_eq(parent->argv ? parent->argv : "", wanted->parent, "%s", wanted->name);
	cr_expect_eq(process->start_ns, at(wanted->start_ms), "%s start", wanted->name);
	cr_expect_eq(process->image_ns, at(wanted->image_ms), "%s image", wanted->name);
	cr_expect_eq(process->end_ns, at(wanted->end_ms), "%s end", wanted->name);
	cr_expect_eq(process->reaped_ns, wanted->reaped_ms ? at(wanted->reaped_ms) : 0, "%s reaped",
		     wanted->name);
	cr_expect_eq(process->code, wanted->code, "%s code %d", wanted->name, process->code);
	cr_expect_eq(process->signo, wanted->signo, "%s signo", wanted->name);
	cr_expect_eq((int)process->end, (int)wanted->end, "%s how", wanted->name);
	cr_expect_eq(process->cpu_ns, (uint64_t)(wanted->cpu_ms * (double)MS), "%s CPU",
		     wanted->name);
	cr_expect_eq(process->total_cpu_ns, (uint64_t)(wanted->total_cpu_ms * (double)MS),
		     "%s total CPU", wanted->name);
	cr_expect_eq(process->self.max_rss_kb, wanted->max_rss_kb, "%s RSS", wanted->name);
	cr_expect_eq(process->nr_children, wanted->nr_children, "%s children", wanted->name);
}

/* In preorder, which is the order of the ids. */
static void check_all(const struct t2_trace *trace, const struct wanted *wanted, size_t nr)
{
	cr_assert_eq(trace->nr_processes, nr + 1, "%u processes", trace->nr_processes);
	for (size_t i = 0; i < nr; i++) {
		check(trace, &wanted[i]);
		cr_expect_eq(model_find(trace, wanted[i].name), i + 1, "%s", wanted[i].name);
	}
	cr_expect_str_eq(model_messages, "");
}

#define CHECK_ALL(trace, wanted) check_all(trace, wanted, sizeof(wanted) / sizeof(*(wanted)))

Test(trace, matches_children_with_their_sessions)
{
	struct t2_trace *trace = model_load("nested");
	const struct wanted wanted[] = {
		{"sh", "", 0, 0, 100, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 1},
		{"cc", "sh", 10, 10, 80, 80, 0, 0, T2_END_EXIT, 0, 0, 0, 2},
		{"cc1", "cc", 20, 20, 50, 50, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"as", "cc", 60, 60, 75, 75, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"ls", "", 120, 120, 150, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
	};
	char sid[200];

	CHECK_ALL(trace, wanted);
	cr_expect_eq(trace->processes[3].depth, 3);
	cr_expect_eq(trace->processes[3].child_id, 0);
	cr_expect_str_eq(t2_child_class(trace, trace->processes[3].child_class), "fork");
	cr_expect_eq(trace->processes[2].end_id, 5);
	cr_expect_eq(t2_next_sibling(trace, 1), 5);
	cr_expect_eq(t2_trace_sid(trace, 3, sid, sizeof(sid)), 131);
	cr_expect_eq(t2_trace_find(trace, sid), 3);
	cr_expect_eq(t2_trace_sid(trace, 3, sid, 44), 131);
	cr_expect_eq(strlen(sid), 43);
	cr_expect_eq(t2_trace_find(trace, sid), 1);
	cr_expect_eq(t2_trace_find(trace, "none"), T2_NO_PROCESS);
	model_free(trace);
}

/* The wait of the parent saw 1 ms more of each child than that did. */
Test(trace, counts_all_cpu_time_once)
{
	struct t2_trace *trace = model_load("overlap");
	const struct t2_process *processes = trace->processes;

	cr_assert_eq(trace->nr_processes, 4);
	cr_expect_eq(processes[1].cpu_ns, 6 * MS);
	cr_expect_eq(processes[2].cpu_ns, 43 * MS);
	cr_expect_eq(processes[3].cpu_ns, 54 * MS);
	cr_expect_eq(processes[1].total_cpu_ns, 103 * MS);
	cr_expect_eq(processes[2].self.user_ns, 40 * MS);
	cr_expect_eq(processes[2].reaped_user_ns, 41 * MS);
	cr_expect_str_eq(processes[1].exe, "/usr/bin/make");
	cr_expect_eq(processes[1].argc, 2);
	cr_expect_str_eq(t2_process_arg(&processes[2], 2), "a.c");
	cr_expect_null(t2_process_arg(&processes[2], 3));
	model_free(trace);
}

Test(trace, follows_a_process_from_image_to_image)
{
	struct t2_trace *trace = model_load("exec");
	const struct wanted wanted[] = {
		{"sh", "", 0, 0, 100, 0, 0, 0, T2_END_EXIT, 2, 38, 100, 1},
		{"env", "sh", 10, 12, 20, 0, -1, 0, T2_END_EXEC, 0, 0, 0, 0},
		{"prog", "env", 20, 21, 70, 71, 3, 0, T2_END_EXIT, 36, 36, 700, 0},
	};

	CHECK_ALL(trace, wanted);
	cr_expect(trace->processes[3].is_exec && !trace->processes[2].is_exec);
	cr_expect_eq(trace->processes[2].next_exec, 3);
	cr_expect_eq(trace->processes[2].nr_failed_execs, 1);
	cr_expect_eq(trace->processes[3].pid, 2);
	model_free(trace);
}

/* gcc was started by what is outside, and passed on no word of itself. */
Test(trace, knows_what_is_outside)
{
	struct t2_trace *trace = model_load("outside");
	const struct wanted wanted[] = {
		{"sh", "", 0, 0, 100, 0, 0, 0, T2_END_EXIT, 2, 40, 100, 3},
		{"/static/go", "sh", 10, 10, 50, 50, 1, 0, T2_END_EXIT, 25, 30, 500, 1},
		{"gcc", "/static/go", 20, 20, 30, 0, 0, 0, T2_END_EXIT, 5, 5, 50, 0},
		{"env", "sh", 55, 56, 60, 0, -1, 0, T2_END_EXEC, 0, 0, 0, 0},
		{"static", "env", 60, 60, 90, 90, 0, 0, T2_END_EXIT, 8, 8, 600, 0},
		{"nosuch", "sh", 92, 92, 93, 0, -1, 0, T2_END_UNKNOWN, 0, 0, 0, 0},
	};
	char sid[200];

	CHECK_ALL(trace, wanted);
	cr_expect(trace->processes[2].is_outside && !trace->processes[3].is_outside);
	cr_expect(trace->processes[5].is_outside && trace->processes[5].is_exec);
	cr_expect_str_eq(trace->processes[5].exe, "/static/prog");
	cr_expect(trace->processes[6].is_unstarted);
	cr_expect_eq(trace->stats.nr_outside, 2);
	cr_expect_eq(trace->stats.nr_unstarted, 1);
	t2_trace_sid(trace, 3, sid, sizeof(sid));
	cr_expect_eq(t2_trace_find(trace, sid), 3);
	model_free(trace);
}

/* One was born while two were alive that may have been its parent. */
Test(trace, does_not_guess_between_two_outside)
{
	struct t2_trace *trace = model_load("hidden");
	const struct wanted wanted[] = {
		{"sh", "", 0, 0, 50, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 3},
		{"static1", "sh", 10, 10, 30, 30, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"static2", "sh", 20, 20, 40, 40, 0, 0, T2_END_EXIT, 0, 0, 0, 1},
		{"second's", "static2", 35, 35, 38, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"whose", "sh", 25, 25, 28, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
	};

	CHECK_ALL(trace, wanted);
	model_free(trace);
}

/* Half a second ahead, exactly; there is no other time that fits. */
Test(trace, tells_children_on_other_hosts_apart)
{
	struct t2_trace *trace = model_load("hosts-pids");
	const struct wanted wanted[] = {
		{"ssh", "", 0, 0, 50, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 2},
		{"a", "ssh", 10, 10, 20, 20, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"b", "ssh", 30, 30, 40, 40, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
	};

	CHECK_ALL(trace, wanted);
	cr_expect_eq(trace->hosts[1].offset_ns, -500 * MS);
	model_free(trace);
}

Test(trace, hangs_orphans_below_the_nearest_that_is_known)
{
	struct t2_trace *trace = model_load("orphans");
	const struct wanted wanted[] = {
		{"lost", "", 0, 0, 30, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"root", "", 5, 5, 60, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 2},
		{"child", "root", 10, 10, 20, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"parent-of-late", "root", 35, 35, 50, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 1},
		{"late", "parent-of-late", 40, 40, 45, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
	};
	char sid[200];

	CHECK_ALL(trace, wanted);
	cr_expect(trace->processes[1].is_orphan && trace->processes[3].is_orphan);
	cr_expect(!trace->processes[5].is_orphan);
	cr_expect_eq(trace->stats.nr_orphans, 2);
	for (uint32_t id = 1; id <= 5; id++) {
		t2_trace_sid(trace, id, sid, sizeof(sid));
		cr_expect_eq(t2_trace_find(trace, sid), id);
	}
	model_free(trace);
}

Test(trace, takes_the_last_that_was_heard_for_an_end)
{
	struct t2_trace *trace = model_load("incomplete");
	const struct wanted wanted[] = {
		{"make", "", 0, 0, 75, 0, -1, 0, T2_END_UNKNOWN, 0, 4, 0, 3},
		{"killed", "make", 10, 11, 40, 40, 137, 9, T2_END_SIGNAL, 4, 4, 10, 0},
		{"segv", "make", 41, 42, 50, 51, 139, 11, T2_END_SIGNAL, 0, 0, 0, 0},
		{"running", "make", 60, 61, 75, 0, -1, 0, T2_END_UNKNOWN, 0, 0, 0, 0},
	};

	cr_expect_str_eq(model_messages, "t2: tests/traces/incomplete.jsonl:16: "
					 "the line has no end: cut, or still written\n");
	*model_messages = '\0';
	CHECK_ALL(trace, wanted);
	cr_expect(trace->processes[1].is_incomplete && trace->processes[4].is_incomplete);
	cr_expect(!trace->processes[2].is_incomplete);
	cr_expect_eq(trace->stats.nr_incomplete, 2);
	cr_expect_eq(trace->stats.nr_cut, 1);
	cr_expect_eq(trace->stats.nr_broken, 0);
	cr_expect_str_eq(trace->processes[4].name, "running");
	model_free(trace);
}

/* Its clock is an hour ahead; in 10..61 there is room for 12..55, and 4 to spare. */
Test(trace, moves_other_hosts_to_the_clock_of_the_first)
{
	struct t2_trace *trace = model_load("hosts");
	const struct wanted wanted[] = {
		{"ssh", "", 0, 0, 100, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 1},
		{"remote", "ssh", 10, 14, 57, 61, 0, 0, T2_END_EXIT, 0, 0, 0, 1},
		{"below", "remote", 22, 22, 32, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 0},
	};

	CHECK_ALL(trace, wanted);
	cr_assert_eq(trace->nr_hosts, 2);
	cr_expect_str_eq(trace->hosts[0].name, "H00000001");
	cr_expect_eq(trace->hosts[0].offset_ns, 0);
	cr_expect_eq(trace->hosts[1].offset_ns, -3599998 * MS);
	cr_expect(trace->processes[2].is_clock_fixed && !trace->processes[1].is_clock_fixed);
	model_free(trace);
}

Test(trace, keeps_threads_and_regions)
{
	struct t2_trace *trace = model_load("threads");
	const struct t2_region *regions = trace->regions;

	cr_assert_eq(trace->nr_processes, 2);
	cr_assert_eq(trace->nr_regions, 3);
	cr_expect_eq(trace->processes[1].nr_threads, 3);
	cr_expect_eq(trace->processes[1].nr_regions, 3);
	cr_expect_eq(trace->processes[1].first_region, 0);
	cr_expect_str_eq(regions[0].label, "refresh");
	cr_expect_eq(regions[0].start_ns, at(10));
	cr_expect_eq(regions[0].end_ns, at(50));
	cr_expect_str_eq(regions[1].label, "preload");
	cr_expect_str_eq(regions[1].thread, "th01:a");
	cr_expect_eq(regions[1].end_ns, at(80));
	cr_expect(regions[1].is_incomplete && !regions[0].is_incomplete);
	cr_expect_str_eq(regions[2].msg, "x");
	cr_expect_eq(regions[2].end_ns, at(40));
	cr_expect_eq(regions[2].nesting, 2);
	model_free(trace);
}

Test(trace, does_not_let_time_run_backwards)
{
	struct t2_trace *trace = model_load("backwards");

	cr_assert_eq(trace->nr_processes, 3);
	cr_expect(trace->processes[1].is_backwards && trace->processes[2].is_backwards);
	cr_expect_eq(trace->processes[1].end_ns, at(1250));
	cr_expect_eq(trace->processes[2].end_ns, at(1000));
	cr_expect_eq(trace->stats.nr_backwards, 2);
	model_free(trace);
}

/* Two had pid 7, two were never waited for: one by its arguments, one as it is left. */
Test(trace, tells_children_apart)
{
	struct t2_trace *trace = model_load("pids");
	const struct wanted wanted[] = {
		{"sh", "", 0, 0, 80, 0, 0, 0, T2_END_EXIT, 0, 0, 0, 4},
		{"first", "sh", 10, 11, 19, 20, 1, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"second", "sh", 30, 31, 39, 40, 2, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"third", "sh", 50, 52, 71, 0, 4, 0, T2_END_EXIT, 0, 0, 0, 0},
		{"/bin/sh", "sh", 55, 56, 70, 0, 3, 0, T2_END_EXIT, 0, 0, 0, 0},
	};

	CHECK_ALL(trace, wanted);
	cr_expect_eq(trace->processes[4].child_id, 2);
	cr_expect_eq(trace->processes[5].child_id, 3);
	model_free(trace);
}

Test(trace, takes_the_same_thing_twice_for_one)
{
	struct t2_trace *trace = model_load("repeated");

	cr_assert_eq(trace->nr_processes, 3);
	cr_expect(trace->processes[1].is_repeated);
	cr_expect_eq(trace->processes[1].nr_children, 1);
	cr_expect_eq(trace->stats.nr_repeated, 1);
	cr_expect_eq(trace->stats.nr_ignored, 2);
	model_free(trace);
}

Test(trace, says_which_lines_make_no_sense)
{
	struct t2_trace *trace = model_load("garbage");

	cr_expect_str_eq(model_messages,
			 "t2: tests/traces/garbage.jsonl:5: not an object\n"
			 "t2: tests/traces/garbage.jsonl:6: the event is of no session\n"
			 "t2: tests/traces/garbage.jsonl:7: not a string\n"
			 "t2: tests/traces/garbage.jsonl:8: not a number\n"
			 "t2: tests/traces/garbage.jsonl:10: not an object\n"
			 "t2: tests/traces/garbage.jsonl:11: not an object\n");
	cr_expect_eq(trace->stats.nr_broken, 6);
	cr_expect_eq(trace->stats.nr_unknown, 1);
	cr_expect_eq(trace->stats.nr_events, 3);
	cr_assert_eq(trace->nr_processes, 2);
	cr_expect_eq(trace->processes[1].code, 4);
	model_free(trace);
}

Test(trace, of_nothing_is_only_a_root)
{
	struct t2_trace *trace = model_text("", 0);

	cr_expect_eq(trace->nr_processes, 1);
	cr_expect_eq(trace->processes[T2_ROOT].end_id, 1);
	cr_expect_eq(trace->processes[T2_ROOT].start_ns, trace->processes[T2_ROOT].end_ns);
	model_free(trace);
}

/* Brief: no time but at the beginning and the end. The child took 1.870 ms. */
Test(trace, reads_streams_of_git)
{
	const char *const killed[] = {"tests/samples/git-2.39.5/child-killed/event.txt"};
	const char *const forked[] = {"tests/samples/git-2.55/fork-no-exec/event.txt"};
	struct t2_trace *trace = model_read(killed, 1);
	const struct t2_process *child = &trace->processes[3];

	cr_assert_eq(trace->nr_processes, 4);
	cr_expect(child->is_outside && trace->processes[2].is_unstarted);
	cr_expect_eq(child->code, 137);
	cr_expect(!child->has_reaped_rusage && !trace->processes[1].has_rusage);
	model_free(trace);
	trace = model_read(forked, 1);
	cr_assert_eq(trace->nr_processes, 3);
	cr_expect_eq(trace->processes[2].parent, 1);
	cr_expect(!trace->processes[2].is_outside);
	cr_expect_eq(trace->processes[2].pid, 310);
	cr_expect_eq(trace->processes[2].reaped_ns - trace->processes[2].start_ns, 3189000);
	model_free(trace);
}

Test(trace, survives_session_ids_of_any_form)
{
	static const char text[] =
		"{\"event\":\"version\",\"sid\":\"/\"}\n{\"event\":\"version\",\"sid\":\"//\"}\n"
		"{\"event\":\"version\",\"sid\":\"a/a/a\"}\n{\"event\":\"version\",\"sid\":\"a\"}\n"
		"{\"event\":\"version\",\"sid\":\"a/"
		"\"}\n{\"event\":\"version\",\"sid\":\"repo-Z-P0000000a\"}\n";
	struct t2_trace *trace = model_text(text, strlen(text));
	char sid[32];

	cr_expect_eq(trace->nr_processes, 7);
	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		t2_trace_sid(trace, id, sid, sizeof(sid));
		cr_expect_eq(t2_trace_find(trace, sid), id, "%s", sid);
		cr_expect_lt(trace->processes[id].parent, id);
	}
	cr_expect_eq(trace->processes[t2_trace_find(trace, "repo-Z-P0000000a")].pid, 10);
	model_free(trace);
}
