/* SPDX-License-Identifier: MIT */
/* preload/session.c: the session id and its bounds, the depth, the hierarchy. */
#include "preload/session.h"
#include "preload/sha1.h"

#include <criterion/criterion.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 2026-11-20T17:06:52.372883Z, and a bit that is cut off */
static const struct t2_moment now = {1795194412372883999ULL, 5000};

/* With something behind it that nobody may write to. */
static struct {
	struct t2_session session;
	unsigned char guard[64];
} memory;

static struct t2_session *const session = &memory.session;

static void spoil(void)
{
	memset(&memory, 0xaa, sizeof(memory));
}

TestSuite(session, .init = spoil);

static void assert_guard_is_untouched(void)
{
	size_t i = 0;

	while (i < sizeof(memory.guard) && memory.guard[i] == 0xaa)
		i++;
	cr_assert_eq(i, sizeof(memory.guard), "byte %zu behind the session was written", i);
}

static const char *begin(const char *parent_sid, const char *parent_name, const char *name)
{
	t2_session_begin(session, parent_sid, parent_name, name, 7, now);
	assert_guard_is_untouched();
	return t2_session_sid(session);
}

static int nr_components(const char *sid)
{
	int nr = 1;

	while ((sid = strchr(sid, '/'))) {
		sid++;
		nr++;
	}
	return nr;
}

static const char *last_component(const char *sid)
{
	const char *slash = strrchr(sid, '/');

	return slash ? slash + 1 : sid;
}

static void assert_follows_the_grammar(const char *component)
{
	static const char grammar[] =
		"^[0-9]{8}T[0-9]{6}\\.[0-9]{6}Z-(H[0-9a-f]{8}|Localhost)-P[0-9a-f]{8}$";
	regex_t regex;
	int result;

	cr_assert_eq(regcomp(&regex, grammar, REG_EXTENDED | REG_NOSUB), 0);
	result = regexec(&regex, component, 0, NULL, 0);
	regfree(&regex);
	cr_assert_eq(result, 0, "\"%s\" is no component", component);
}

#define PARENT "20261120T000000.000001Z-H15a8054a-P00000007"

Test(session, the_id_is_parent_time_host_and_pid)
{
	t2_session_begin(session, PARENT, NULL, "sh", 0x1234abcd, now);
	cr_assert_str_eq(t2_session_sid(session),
			 PARENT "/20261120T170652.372883Z-H15a8054a-P1234abcd");
}

Test(session, without_a_parent_the_host_name_is_hashed)
{
	char host[256] = "", expected[64];

	gethostname(host, sizeof(host) - 1);
	snprintf(expected, sizeof(expected), "20261120T170652.372883Z-H%08x-P00000007",
		 t2_sha1_head(host, strlen(host)));
	cr_assert_str_eq(begin(NULL, NULL, "sh"), expected);
	cr_assert_str_eq(begin("", NULL, "sh"), expected);
}

Test(session, a_component_has_the_length_it_is_said_to_have)
{
	cr_assert_eq(strlen(begin(NULL, NULL, "sh")), T2_SID_COMPONENT_LEN);
}

Test(session, pids_are_eight_digits)
{
	t2_session_begin(session, PARENT, NULL, "sh", 1, now);
	cr_assert_str_eq(last_component(t2_session_sid(session)) + 33, "-P00000001");
	t2_session_begin(session, PARENT, NULL, "sh", 0x7fffffff, now);
	cr_assert_str_eq(last_component(t2_session_sid(session)) + 33, "-P7fffffff");
}

static const char *host_below(const char *parent_sid)
{
	static char host[16];

	snprintf(host, sizeof(host), "%.9s", last_component(begin(parent_sid, NULL, "sh")) + 24);
	return host;
}

Test(session, the_host_is_that_of_the_parent)
{
	cr_assert_str_eq(host_below(PARENT), "H15a8054a");
	cr_assert_str_eq(host_below("20200101T000000.000000Z-H33438904-Pffffffff"), "H33438904");
	cr_assert_str_eq(host_below("20200101T000000.000000Z-Localhost-P00000001"), "Localhost");
}

Test(session, of_many_parents_the_last_one_tells_the_host)
{
	cr_assert_str_eq(host_below("20200101T000000.000000Z-H33438904-P00000001/" PARENT),
			 "H15a8054a");
}

/* Existing writers use other forms; ours is well-formed below all of them. */
Test(session, a_parent_of_another_form_tells_no_host)
{
	static const char *const parents[] = {
		"a/b/c",
		"/",
		"x/",
		"repo-20261120T170652Z-P00000007",
		"1f8a8f0c-7a65-4c65-9a1c-2b9f0f0a5d11",
		PARENT "/",
		"20200101T000000.000000Z-H334389041-P0000001",
		"20200101T000000.000000Z-Remotehost-P0000001",
		"20200101T000000.000000ZxH33438904-P00000001",
		"20200101T000000.000000Z-H33438904xP00000001",
	};
	char own[16];

	strcpy(own, host_below(NULL));
	for (size_t i = 0; i < sizeof(parents) / sizeof(*parents); i++) {
		cr_assert_str_eq(host_below(parents[i]), own, "took %s over from \"%s\"",
				 host_below(parents[i]), parents[i]);
		assert_follows_the_grammar(last_component(t2_session_sid(session)));
	}
}

Test(session, a_host_that_is_not_hexadecimal_is_not_taken_over)
{
	begin("20200101T000000.000000Z-H\n*'zzzzz-P00000001", NULL, "sh");
	assert_follows_the_grammar(last_component(t2_session_sid(session)));
}

static const struct {
	const char *parent;
	int depth;
} depths[] = {
	{NULL, 0}, {"", 0}, {"a", 1}, {"a/b/c", 3}, {"/", 2}, {"x/", 2}, {"//", 3}, {PARENT, 1},
};

Test(session, the_depth_is_the_parent_s_slashes_and_one)
{
	for (size_t i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		begin(depths[i].parent, NULL, "sh");
		cr_assert_eq(session->depth, depths[i].depth, "below \"%s\" it is %d, not %d",
			     depths[i].parent, depths[i].depth, session->depth);
	}
}

Test(session, the_parent_is_taken_as_it_is)
{
	static const char *const parents[] = {"a/b/c", "/", "x/", "quote\" 'and\nnewline",
					      "\x80\xff"};

	for (size_t i = 0; i < sizeof(parents) / sizeof(*parents); i++) {
		const char *sid = begin(parents[i], NULL, "sh");
		size_t len = strlen(parents[i]);

		cr_assert(!memcmp(sid, parents[i], len), "\"%s\" became \"%s\"", parents[i], sid);
		cr_assert_eq(sid[len], '/');
		assert_follows_the_grammar(sid + len + 1);
	}
}

Test(session, the_parent_may_lie_in_the_session_itself)
{
	char expected[512];

	begin(PARENT, "make/sh", "cc");
	snprintf(expected, sizeof(expected), "%s/20261120T170652.372883Z-H15a8054a-P00000008",
		 t2_session_sid(session));
	t2_session_begin(session, t2_session_sid(session), t2_session_hierarchy(session), "as", 8,
			 now);
	cr_assert_str_eq(t2_session_sid(session), expected);
	cr_assert_eq(session->depth, 2);
	cr_assert_str_eq(t2_session_hierarchy(session), "make/sh/cc/as");
}

/* "0/1/2/.../nr-1" */
static char *numbered(int nr, const char *format)
{
	char *list = calloc((size_t)nr, 128), *at = list;

	for (int i = 0; i < nr; i++) {
		if (i)
			*at++ = '/';
		at += sprintf(at, format, i);
	}
	return list;
}

/* What is left of @parent: its beginning and its end, each whole components. */
static void assert_keeps_both_ends(const char *sid, const char *parent, size_t *ret_head)
{
	size_t len = strlen(sid) - T2_SID_COMPONENT_LEN - 1;
	size_t parent_len = strlen(parent);
	size_t head = 0, tail;

	assert_follows_the_grammar(last_component(sid));
	cr_assert_eq(sid[len], '/');
	cr_assert_leq(len, T2_SID_MAX);
	cr_assert_leq(nr_components(sid), T2_SID_COMPONENTS_MAX);
	while (sid[head] == parent[head])
		head++;
	while (sid[head - 1] != '/')
		head--;
	tail = len - head;
	cr_assert_gt(head, 0);
	cr_assert_gt(tail, 0);
	cr_assert(!memcmp(sid + head, parent + parent_len - tail, tail),
		  "\"%s\" does not end as \"%s\"", sid, parent);
	cr_assert_eq(parent[parent_len - tail - 1], '/', "a component is cut");
	*ret_head = head;
}

Test(session, as_many_components_as_allowed_stay_whole)
{
	char *parent = numbered(T2_SID_COMPONENTS_MAX - 1, "%d");
	const char *sid = begin(parent, NULL, "sh");

	cr_assert_eq(nr_components(sid), T2_SID_COMPONENTS_MAX);
	cr_assert(!memcmp(sid, parent, strlen(parent)));
	cr_assert_eq(session->depth, T2_SID_COMPONENTS_MAX - 1);
	free(parent);
}

Test(session, one_component_more_leaves_out_the_middle)
{
	char *parent = numbered(T2_SID_COMPONENTS_MAX, "%d");
	const char *sid = begin(parent, NULL, "sh");
	size_t head;

	assert_keeps_both_ends(sid, parent, &head);
	cr_assert_eq(nr_components(sid), T2_SID_COMPONENTS_MAX);
	cr_assert(!strncmp(sid, "0/1/2/", 6));
	cr_assert_not_null(strstr(sid, "/61/62/63/"));
	cr_assert_eq(session->depth, nr_components(sid) - 1);
	free(parent);
}

Test(session, too_many_bytes_leave_out_the_middle)
{
	char *parent = numbered(60, "%099d");
	size_t head;

	cr_assert_gt(strlen(parent), T2_SID_MAX);
	assert_keeps_both_ends(begin(parent, NULL, "sh"), parent, &head);
	/* No more is left out than has to be. */
	cr_assert_gt(strlen(t2_session_sid(session)), T2_SID_MAX - 100);
	free(parent);
}

Test(session, a_component_alone_that_is_too_long_leaves_its_end)
{
	char *parent = calloc(1, 10001);
	const char *sid;

	memset(parent, 'x', 10000);
	memcpy(parent + 9997, "end", 3);
	sid = begin(parent, NULL, "sh");
	cr_assert_leq(strlen(sid), T2_SID_MAX + 1 + T2_SID_COMPONENT_LEN);
	cr_assert_eq(nr_components(sid), 2);
	cr_assert_not_null(strstr(sid, "xend/"));
	assert_follows_the_grammar(last_component(sid));
	free(parent);
}

Test(session, every_length_of_the_parent_gives_a_whole_component)
{
	char *parent = calloc(1, T2_SID_MAX + 101);

	for (size_t len = T2_SID_MAX - 100; len <= T2_SID_MAX + 100; len++) {
		const char *sid;

		memset(parent, 'x', len);
		for (size_t i = 99; i < len; i += 100)
			parent[i] = '/';
		parent[len] = '\0';
		sid = begin(parent, "make", "sh");
		cr_assert_leq(strlen(sid), T2_SID_MAX + 1 + T2_SID_COMPONENT_LEN,
			      "an id of %zu bytes with a parent of %zu", strlen(sid), len);
		assert_follows_the_grammar(last_component(sid));
		cr_assert_str_eq(t2_session_hierarchy(session), "make/sh");
	}
	free(parent);
}

/* As a program does that re-executes itself for ever, or a fork of a fork. */
Test(session, an_endless_chain_keeps_its_first_and_its_last)
{
	char previous[T2_SID_MAX + T2_SID_COMPONENT_LEN + 2] = PARENT;
	size_t longest = 0;

	begin(NULL, NULL, "x");
	for (int pid = 1; pid <= 500; pid++) {
		const char *sid, *before;

		t2_session_begin(session, pid == 1 ? PARENT : t2_session_sid(session),
				 t2_session_hierarchy(session), "x", pid, now);
		assert_guard_is_untouched();
		sid = t2_session_sid(session);
		before = last_component(sid) - T2_SID_COMPONENT_LEN - 1;
		cr_assert_leq(nr_components(sid), T2_SID_COMPONENTS_MAX, "in round %d", pid);
		cr_assert_eq(session->depth, nr_components(sid) - 1, "in round %d", pid);
		cr_assert(!strncmp(sid, PARENT "/", T2_SID_COMPONENT_LEN + 1), "in round %d", pid);
		cr_assert(!strncmp(before, last_component(previous), T2_SID_COMPONENT_LEN),
			  "round %d does not follow on the one before", pid);
		if (strlen(sid) > longest)
			longest = strlen(sid);
		strcpy(previous, sid);
	}
	cr_assert_eq(longest, T2_SID_COMPONENTS_MAX * (T2_SID_COMPONENT_LEN + 1) - 1);
	cr_assert_leq(strlen(t2_session_hierarchy(session)), T2_HIERARCHY_MAX + 2);
}

static const struct {
	const char *parent, *name, *hierarchy;
} names[] = {
	{NULL, "make", "make"},
	{"", "make", "make"},
	{"make", "sh", "make/sh"},
	{"_run_dashed_", "_run_git_alias_", "_run_dashed_/_run_git_alias_"},
	{"/", "x", "//x"},
	{"a b", "c'd", "a b/c'd"},
};

Test(session, the_hierarchy_is_the_parent_s_and_the_name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		begin(NULL, names[i].parent, names[i].name);
		cr_assert_str_eq(t2_session_hierarchy(session), names[i].hierarchy);
	}
}

Test(session, a_long_hierarchy_leaves_out_the_middle)
{
	char *parent = numbered(400, "%d");
	const char *hierarchy;

	begin(NULL, parent, "last");
	hierarchy = t2_session_hierarchy(session);
	cr_assert(!strncmp(hierarchy, "0/1/2/", 6));
	cr_assert_str_eq(hierarchy + strlen(hierarchy) - 13, "/398/399/last");
	cr_assert_leq(strlen(hierarchy), T2_HIERARCHY_MAX + 5);
	free(parent);
}

Test(session, every_length_of_the_names_leaves_the_last_one)
{
	char parent[T2_HIERARCHY_MAX + 11], name[T2_NAME_MAX + 3];

	for (size_t len = T2_HIERARCHY_MAX - 10; len <= T2_HIERARCHY_MAX + 10; len++) {
		memset(parent, 'p', len);
		parent[0] = '/';
		parent[len] = '\0';
		for (size_t name_len = T2_NAME_MAX - 2; name_len <= T2_NAME_MAX + 2; name_len++) {
			size_t kept = name_len < T2_NAME_MAX ? name_len : T2_NAME_MAX;
			const char *last;

			memset(name, 'n', name_len);
			name[name_len] = '\0';
			begin(NULL, parent, name);
			last = strrchr(t2_session_hierarchy(session), '/') + 1;
			cr_assert_eq(strlen(last), kept,
				     "%zu of %zu bytes of the name below a parent of %zu",
				     strlen(last), name_len, len);
		}
	}
}

Test(session, the_entries_for_children_are_ready_made)
{
	begin(PARENT, "make", "sh");
	cr_assert(!strncmp(session->sid_entry, "GIT_TRACE2_PARENT_SID=" PARENT "/",
			   22 + T2_SID_COMPONENT_LEN + 1));
	cr_assert_str_eq(session->name_entry, "GIT_TRACE2_PARENT_NAME=make/sh");
}

Test(session, counts_from_the_start_and_has_not_ended)
{
	begin(NULL, NULL, "sh");
	cr_assert_eq(session->pid, 7);
	cr_assert_eq(session->start.wall_ns, now.wall_ns);
	cr_assert_eq(session->start.mono_ns, now.mono_ns);
	cr_assert_not(session->is_foreign);
	cr_assert_eq(session->next_child_id, 0);
	cr_assert_eq(session->next_exec_id, 0);
	cr_assert_eq(session->next_thread_id, 1, "the first thread is main, number 0");
	cr_assert_not(session->has_exit);
	cr_assert_not(session->has_ended);
}
