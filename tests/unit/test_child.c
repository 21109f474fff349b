/* SPDX-License-Identifier: MIT */
/* preload/child.c: the table of children, under threads and across a fork. */
#include "preload/child.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child as its parent enters it. */
static struct t2_child *born(pid_t pid, int child_id)
{
	struct t2_child *child = t2_child_claim();

	if (!child)
		cr_assert_fail("no record for child %d", child_id);
	child->child_id = child_id;
	atomic_store(&child->pid, pid);
	return child;
}

static int nr_taken(void)
{
	struct t2_child *child;
	int nr = 0;

	for (unsigned i = 0; (child = t2_child_at(i)); i++)
		nr += atomic_load(&child->pid) != T2_CHILD_FREE;
	return nr;
}

Test(child, classes_have_the_names_of_the_wire)
{
	cr_assert_str_eq(t2_child_class_names[T2_CHILD_FORK], "fork");
	cr_assert_str_eq(t2_child_class_names[T2_CHILD_VFORK], "vfork");
	cr_assert_str_eq(t2_child_class_names[T2_CHILD_CLONE], "clone");
	cr_assert_str_eq(t2_child_class_names[T2_CHILD_SPAWN], "spawn");
	cr_assert_str_eq(t2_child_class_names[T2_CHILD_SYSTEM], "system");
	cr_assert_str_eq(t2_child_class_names[T2_CHILD_POPEN], "popen");
}

Test(child, without_a_child_there_is_nothing)
{
	struct t2_child child;

	cr_assert_null(t2_child_at(0));
	cr_assert_not(t2_child_take(1, &child));
	t2_child_reset();
	t2_child_release(NULL);
}

Test(child, a_claimed_record_is_unborn_and_untold)
{
	struct t2_child *child = t2_child_claim();

	cr_assert_not_null(child);
	cr_assert_eq(child->pid, T2_CHILD_UNBORN);
	cr_assert_eq(child->told, 0);
	cr_assert_eq(t2_child_at(0), child);
	cr_assert_null(t2_child_at(1));
}

Test(child, taking_returns_everything_and_frees_the_record)
{
	struct t2_child *child = born(1234, 7), taken;

	atomic_store(&child->told, 5);
	child->child_class = T2_CHILD_SPAWN;
	child->start = (struct t2_moment){11, 22};
	strcpy(child->thread, "th03:worker");
	cr_assert(t2_child_take(1234, &taken));
	cr_assert_eq(taken.child_id, 7);
	cr_assert_eq(taken.told, 5);
	cr_assert_eq(taken.child_class, T2_CHILD_SPAWN);
	cr_assert_eq(taken.start.wall_ns, 11);
	cr_assert_eq(taken.start.mono_ns, 22);
	cr_assert_str_eq(taken.thread, "th03:worker");
	cr_assert_eq(child->pid, T2_CHILD_FREE);
	cr_assert_not(t2_child_take(1234, &taken));
}

Test(child, a_reused_record_has_forgotten_the_former_child)
{
	struct t2_child *child = born(1234, 7), taken, *again;

	atomic_store(&child->told, 7);
	cr_assert(t2_child_take(1234, &taken));
	again = t2_child_claim();
	cr_assert_eq(again, child);
	cr_assert_eq(again->told, 0);
}

Test(child, an_unknown_pid_takes_nothing_from_the_known)
{
	struct t2_child taken;

	born(1, 1);
	born(2, 2);
	taken.child_id = 99;
	cr_assert_not(t2_child_take(3, &taken));
	cr_assert_eq(taken.child_id, 99, "a failure set the result");
	cr_assert_eq(nr_taken(), 2);
}

Test(child, an_unknown_pid_is_that_of_the_unborn)
{
	struct t2_child *unborn, taken;

	born(1, 1);
	unborn = t2_child_claim();
	unborn->child_id = 42;
	cr_assert(t2_child_take(777, &taken));
	cr_assert_eq(taken.child_id, 42);
	cr_assert_eq(unborn->pid, T2_CHILD_FREE);
	cr_assert_eq(nr_taken(), 1);
}

Test(child, a_known_pid_comes_before_the_unborn)
{
	struct t2_child *unborn = t2_child_claim(), taken;

	unborn->child_id = 42;
	born(5, 6);
	cr_assert(t2_child_take(5, &taken));
	cr_assert_eq(taken.child_id, 6);
	cr_assert_eq(unborn->pid, T2_CHILD_UNBORN);
}

Test(child, a_released_record_is_claimed_again)
{
	struct t2_child *first = t2_child_claim(), *second = t2_child_claim();

	cr_assert_neq(first, second);
	t2_child_release(first);
	cr_assert_eq(first->pid, T2_CHILD_FREE);
	cr_assert_eq(t2_child_claim(), first);
}

Test(child, the_table_ends_and_goes_on_with_the_first_free_record)
{
	struct t2_child *last = NULL;

	for (int i = 0; i < T2_CHILDREN_MAX; i++)
		last = born(i + 1, i);
	cr_assert_eq(t2_child_at(T2_CHILDREN_MAX - 1), last);
	cr_assert_null(t2_child_at(T2_CHILDREN_MAX));
	cr_assert_not(t2_child_is_shared(t2_child_claim()));
	t2_child_release(t2_child_at(1000));
	cr_assert_eq(t2_child_claim(), t2_child_at(1000));
	cr_assert(t2_child_is_shared(t2_child_at(1000)));
	cr_assert_not(t2_child_is_shared(t2_child_claim()));
}

/* Forked children cannot say in it what they have told, but their parent finds them. */
Test(child, without_a_mapping_there_are_a_few_records)
{
	struct rlimit limit, none;
	struct t2_child child;

	getrlimit(RLIMIT_AS, &limit);
	none = limit;
	none.rlim_cur = 0;
	cr_assert_eq(setrlimit(RLIMIT_AS, &none), 0);
	for (int i = 0; i < T2_SPARE_CHILDREN; i++)
		cr_assert_not(t2_child_is_shared(born(100 + i, i)));
	cr_assert_null(t2_child_claim());
	setrlimit(RLIMIT_AS, &limit);
	cr_assert_not(t2_child_is_shared(NULL));
	cr_assert_eq(nr_taken(), T2_SPARE_CHILDREN);
	cr_assert(t2_child_take(105, &child));
	cr_assert_eq(child.child_id, 5);
	cr_assert_not(t2_child_take(105, &child));
	t2_child_reset();
	cr_assert_null(t2_child_at(0));
}

static int exit_status_of(pid_t pid)
{
	int status;

	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(child, what_a_forked_child_says_its_parent_learns)
{
	struct t2_child *child = t2_child_claim(), taken;
	pid_t pid = fork();

	if (!pid) {
		atomic_fetch_or(&child->told, 6);
		atomic_store(&child->pid, getpid());
		_exit(0);
	}
	cr_assert_eq(exit_status_of(pid), 0);
	cr_assert(t2_child_take(pid, &taken));
	cr_assert_eq(taken.told, 6);
}

Test(child, a_child_that_starts_its_own_table_leaves_its_parent_s_alone)
{
	struct t2_child taken;
	pid_t pid;

	born(5, 50);
	pid = fork();
	if (!pid) {
		bool is_empty;

		t2_child_reset();
		is_empty = !t2_child_at(0) && !t2_child_take(5, &taken);
		_exit(is_empty && t2_child_claim() && nr_taken() == 1 ? 0 : 1);
	}
	cr_assert_eq(exit_status_of(pid), 0);
	cr_assert_eq(nr_taken(), 1);
	cr_assert(t2_child_take(5, &taken));
	cr_assert_eq(taken.child_id, 50);
}

#define NR_THREADS 8
#define ROUNDS 5000

static atomic_int nr_wrong;

/* Each has children of its own, told apart by their pids. */
static void *have_children(void *arg)
{
	int first = (int)(intptr_t)arg * 1000000;

	for (int i = 0; i < ROUNDS; i++) {
		struct t2_child *child = t2_child_claim(), taken = {0};
		int pid = first + i;

		if (!child) {
			atomic_fetch_add(&nr_wrong, 1);
			continue;
		}
		child->child_id = pid;
		atomic_store(&child->told, (unsigned)pid);
		atomic_store(&child->pid, pid);
		if (i % 3 == 0)
			t2_child_release(child);
		else if (!t2_child_take(pid, &taken) || taken.child_id != pid ||
			 taken.told != (unsigned)pid)
			atomic_fetch_add(&nr_wrong, 1);
	}
	return NULL;
}

static void run_threads(void *(*body)(void *))
{
	pthread_t threads[NR_THREADS];

	for (intptr_t i = 0; i < NR_THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, body, (void *)(i + 1)), 0);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* The wildcard would let a thread that is between claim and pid lose its record
 * to another's take, so every take here asks for a pid that is there. */
Test(child, threads_keep_their_children_apart, .timeout = 60)
{
	run_threads(have_children);
	cr_assert_eq(nr_wrong, 0, "%d children were lost or mixed up", nr_wrong);
	cr_assert_eq(nr_taken(), 0, "%d records were left", nr_taken());
}

#define NR_SHARED 1000

static atomic_int times_taken[NR_SHARED];

static void *reap_all(void *arg)
{
	struct t2_child taken;

	(void)arg;
	for (int i = 0; i < NR_SHARED; i++) {
		if (t2_child_take(i + 1, &taken))
			atomic_fetch_add(&times_taken[taken.child_id], 1);
	}
	return NULL;
}

Test(child, of_many_reapers_one_gets_the_child, .timeout = 60)
{
	for (int i = 0; i < NR_SHARED; i++)
		born(i + 1, i);
	run_threads(reap_all);
	for (int i = 0; i < NR_SHARED; i++)
		cr_assert_eq(times_taken[i], 1, "child %d was reaped %d times", i, times_taken[i]);
	cr_assert_eq(nr_taken(), 0);
}

static _Atomic(struct t2_child *) claimed[NR_THREADS * 100];
static atomic_int nr_claimed;

static void *claim_some(void *arg)
{
	(void)arg;
	for (int i = 0; i < 100; i++)
		claimed[atomic_fetch_add(&nr_claimed, 1)] = t2_child_claim();
	return NULL;
}

/* The table itself is made by whoever comes first. */
Test(child, the_first_claims_of_many_threads_are_all_different, .timeout = 60)
{
	run_threads(claim_some);
	for (int i = 0; i < nr_claimed; i++) {
		cr_assert_not_null(claimed[i]);
		cr_assert_eq(atomic_exchange(&claimed[i]->told, 1), 0, "claimed twice");
	}
	cr_assert_eq(nr_taken(), NR_THREADS * 100);
}
