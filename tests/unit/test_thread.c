/* SPDX-License-Identifier: MIT */
/* preload/thread.c: names as git cuts them, and where they come from. */
#include "preload/thread.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct t2_session session;
static struct t2_thread thread;

static void start(void)
{
	atomic_store(&session.next_thread_id, 1);
	memset(thread.name, '#', sizeof(thread.name));
}

TestSuite(thread, .init = start);

Test(thread, the_first_one_of_a_session_is_main)
{
	t2_thread_begin_main(&thread, 4711);
	cr_assert_str_eq(thread.name, "main");
	cr_assert_eq(thread.start_mono_ns, 4711);
	cr_assert_eq(session.next_thread_id, 1);
}

Test(thread, the_others_are_counted)
{
	t2_thread_begin(&thread, &session, "preload_thread", 815);
	cr_assert_str_eq(thread.name, "th01:preload_thread");
	cr_assert_eq(thread.start_mono_ns, 815);
	t2_thread_begin(&thread, &session, "worker", 0);
	cr_assert_str_eq(thread.name, "th02:worker");
}

Test(thread, numbers_past_99_have_three_digits)
{
	atomic_store(&session.next_thread_id, 99);
	t2_thread_begin(&thread, &session, "w", 0);
	cr_assert_str_eq(thread.name, "th99:w");
	t2_thread_begin(&thread, &session, "w", 0);
	cr_assert_str_eq(thread.name, "th100:w");
	atomic_store(&session.next_thread_id, 123456);
	t2_thread_begin(&thread, &session, "w", 0);
	cr_assert_str_eq(thread.name, "th123456:w");
}

Test(thread, names_are_cut_to_24_bytes)
{
	t2_thread_begin(&thread, &session, "abcdefghijklmnopqrs", 0);
	cr_assert_str_eq(thread.name, "th01:abcdefghijklmnopqrs");
	t2_thread_begin(&thread, &session, "abcdefghijklmnopqrst", 0);
	cr_assert_str_eq(thread.name, "th02:abcdefghijklmnopqrs");
	atomic_store(&session.next_thread_id, 100);
	t2_thread_begin(&thread, &session, "abcdefghijklmnopqrst", 0);
	cr_assert_str_eq(thread.name, "th100:abcdefghijklmnopqr");
	cr_assert_eq(strlen(thread.name), 24);
}

#define NR_THREADS 8
#define ROUNDS 500

static char names[NR_THREADS * ROUNDS][T2_THREAD_NAME_SIZE];

static void *begin_many(void *arg)
{
	char(*to)[T2_THREAD_NAME_SIZE] = arg;
	struct t2_thread one = {0};

	for (int i = 0; i < ROUNDS; i++) {
		t2_thread_begin(&one, &session, "w", 0);
		strcpy(to[i], one.name);
	}
	return NULL;
}

Test(thread, no_number_is_given_twice, .timeout = 60)
{
	static bool seen[NR_THREADS * ROUNDS + 1];
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, begin_many, names[i * ROUNDS]), 0);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NR_THREADS * ROUNDS; i++) {
		int id = 0;

		sscanf(names[i], "th%d:", &id);
		if (id < 1 || id > NR_THREADS * ROUNDS || seen[id])
			cr_assert_fail("\"%s\" was given twice or is no name", names[i]);
		seen[id] = true;
	}
}

static void *idle(void *arg)
{
	*(struct t2_thread **)arg = t2_thread_self();
	return NULL;
}

Test(thread, every_thread_has_memory_of_its_own)
{
	struct t2_thread *others = NULL;
	pthread_t other;

	cr_assert_eq(pthread_create(&other, NULL, idle, &others), 0);
	pthread_join(other, NULL);
	cr_assert_not_null(others);
	cr_assert_neq(others, t2_thread_self());
	cr_assert_eq(t2_thread_self(), t2_thread_self());
	cr_assert_str_empty(t2_thread_self()->name);
}

Test(thread, a_procedure_with_a_symbol_is_called_by_it)
{
	char base[T2_THREAD_NAME_SIZE];
	void *procedure = dlsym(RTLD_DEFAULT, "pthread_exit");

	t2_thread_base_name(base, procedure);
	cr_assert_eq(dlsym(RTLD_DEFAULT, base), procedure, "\"%s\" is something else", base);
}

/* What is left of a procedure's name behind "th9999:". */
static void assert_names_place(const void *procedure, const char *module, uintptr_t offset)
{
	char base[T2_THREAD_NAME_SIZE], expected[64];
	char *plus;

	t2_thread_base_name(base, procedure);
	atomic_store(&session.next_thread_id, 9999);
	t2_thread_begin(&thread, &session, base, 0);
	snprintf(expected, sizeof(expected), "+0x%lx", (unsigned long)offset);
	plus = strrchr(thread.name, '+');
	cr_assert_not_null(plus, "no offset in \"%s\"", thread.name);
	cr_assert_str_eq(plus, expected, "expected \"%s\" at the end of \"%s\"", expected,
			 thread.name);
	cr_assert_leq(strlen(thread.name), 24);
	cr_assert(!strncmp(thread.name, "th9999:", 7));
	cr_assert(!strncmp(thread.name + 7, module, (size_t)(plus - thread.name - 7)),
		  "\"%s\" does not begin with \"%s\"", thread.name, module);
	cr_assert(plus[-1] == module[strlen(module) - 1] || strlen(thread.name) == 24,
		  "\"%s\" is cut more than it has to be", thread.name);
}

Test(thread, a_procedure_of_the_executable_is_called_exe_and_its_offset)
{
	Dl_info info;

	cr_assert(dladdr((void *)idle, &info));
	assert_names_place((void *)idle, "exe", (uintptr_t)idle - (uintptr_t)info.dli_fbase);
}

Test(thread, a_procedure_without_a_symbol_is_called_by_its_module)
{
	char *procedure = dlsym(RTLD_DEFAULT, "pthread_exit");
	Dl_info info;

	cr_assert(dladdr(procedure, &info));
	assert_names_place(procedure + 1, "libc.so.6",
			   (uintptr_t)procedure + 1 - (uintptr_t)info.dli_fbase);
}

Test(thread, a_long_module_name_is_cut_and_the_offset_kept)
{
	char *procedure = dlsym(RTLD_DEFAULT, "criterion_run_all_tests");
	Dl_info info;

	cr_assert_not_null(procedure);
	cr_assert(dladdr(procedure, &info));
	cr_assert_gt(strlen(strrchr(info.dli_fname, '/') + 1), 16);
	assert_names_place(procedure + 1, strrchr(info.dli_fname, '/') + 1,
			   (uintptr_t)procedure + 1 - (uintptr_t)info.dli_fbase);
}

Test(thread, a_procedure_below_everything_is_unknown)
{
	char base[T2_THREAD_NAME_SIZE];

	t2_thread_base_name(base, (void *)16);
	cr_assert_str_eq(base, "unknown");
}
