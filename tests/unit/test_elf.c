/* SPDX-License-Identifier: MIT */
/* preload/elf.c: the same answers as dlsym, dlvsym and dladdr. */
#include "preload/elf.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <features.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

/* Every function we interpose, and those libc itself or the tests call. */
static const char *const names[] = {
#define T2_GLIBC(minor) __GLIBC_PREREQ(2, minor)
#define HOOK(name) #name,
#define HOOK_OLD(name, old, new) #name,
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK_OLD
	"open",
	"read",
	"write",
	"close",
	"printf",
	"malloc",
	"free",
	"qsort",
	"getenv",
	"setenv",
	"strtol",
	"dlopen",
	"dlsym",
	"syscall",
	"stdout",
	"environ",
	"kill",
	"sigaction",
	"getpid",
	"pthread_self",
	"__errno_location",
	"_IO_printf",
	"fopen",
	"fwrite",
	"socket",
	"connect",
	"poll",
	"nanosleep",
	"getaddrinfo",
	"criterion_run_all_tests",
	"bxf_start",
	"no_such_function",
	"",
	"main",
	"t2_elf_next",
};

static const struct {
	const char *name, *version;
} versions[] = {
#define HOOK(name)
#define HOOK_OLD(name, old, new) {#name, old}, {#name, new},
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK_OLD
	{"fopen", "GLIBC_2.2.5"},
	{"fopen", "GLIBC_2.17"},
	{"fopen", "GLIBC_2.1"},
	{"pthread_create", "GLIBC_2.2.5"},
	{"pthread_create", "GLIBC_2.34"},
	{"pthread_create", "GLIBC_2.17"},
	{"pthread_cond_wait", "GLIBC_2.2.5"},
	{"pthread_cond_wait", "GLIBC_2.3.2"},
	{"sched_setaffinity", "GLIBC_2.3.3"},
	{"sched_setaffinity", "GLIBC_2.3.4"},
	{"realpath", "GLIBC_2.2.5"},
	{"realpath", "GLIBC_2.3"},
	{"fork", "GLIBC_2.99"},
	{"fork", ""},
	{"no_such_function", "GLIBC_2.2.5"},
};

static const char own_object;

Test(elf, next_is_what_dlsym_finds)
{
	for (size_t i = 0; i < NR(names); i++)
		cr_assert_eq(t2_elf_next(&own_object, names[i], NULL), dlsym(RTLD_NEXT, names[i]),
			     "\"%s\" is at %p, not %p", names[i], dlsym(RTLD_NEXT, names[i]),
			     t2_elf_next(&own_object, names[i], NULL));
}

Test(elf, next_of_a_version_is_what_dlvsym_finds)
{
	for (size_t i = 0; i < NR(versions); i++) {
		void *expected = dlvsym(RTLD_NEXT, versions[i].name, versions[i].version);
		void *found = t2_elf_next(&own_object, versions[i].name, versions[i].version);

		cr_assert_eq(found, expected, "%s@%s is at %p, not %p", versions[i].name,
			     versions[i].version, expected, found);
	}
}

/* The kernel's object has them, too, under the same names, and is no library. */
Test(elf, next_passes_over_the_kernel_s_own_object)
{
	static const char *const clocks[] = {"clock_gettime", "clock_getres", "getcpu"};

	for (size_t i = 0; i < NR(clocks); i++) {
		void *found = t2_elf_next(&own_object, clocks[i], NULL);

		cr_assert(!found || found == dlsym(RTLD_NEXT, clocks[i]), "\"%s\" is at %p, not %p",
			  clocks[i], dlsym(RTLD_NEXT, clocks[i]), found);
	}
}

/* Which of several implementations it is, is decided by code only the loader runs. */
Test(elf, what_only_the_loader_can_tell_is_not_told)
{
	cr_assert_null(t2_elf_libc("memcpy"));
	cr_assert_null(t2_elf_libc("strlen"));
	cr_assert_not_null(dlsym(RTLD_DEFAULT, "memcpy"));
}

/* After libc there is only the loader, which has none of these. */
Test(elf, next_looks_only_behind_the_object)
{
	void *in_libc = t2_elf_libc("fork");

	cr_assert_not_null(in_libc);
	cr_assert_null(t2_elf_next(in_libc, "fork", NULL));
	cr_assert_null(t2_elf_next(in_libc, "main", NULL));
	cr_assert_not_null(t2_elf_next(in_libc, "__tls_get_addr", NULL));
}

Test(elf, libc_is_what_its_own_handle_has)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	cr_assert_not_null(libc);
	for (size_t i = 0; i < NR(names); i++) {
		void *found = t2_elf_libc(names[i]);
		void *expected = dlsym(libc, names[i]);
		Dl_info info = {0};

		/* Its handle finds what is in the loader as well, and variables. */
		if (!expected || !dladdr(expected, &info) || !strstr(info.dli_fname, "libc.so.6"))
			expected = NULL;
		if (!strcmp(names[i], "stdout") || !strcmp(names[i], "environ"))
			expected = NULL;
		cr_assert_eq(found, expected, "\"%s\" is at %p, not %p", names[i], expected, found);
	}
	dlclose(libc);
}

/* The tests' own allocator, or a sanitizer's, comes before libc's. */
Test(elf, libc_s_own_is_found_whoever_else_has_one)
{
	Dl_info info;
	void *found = t2_elf_libc("malloc");

	cr_assert_not_null(found);
	cr_assert(dladdr(found, &info));
	cr_assert_not_null(strstr(info.dli_fname, "libc.so.6"));
	found = t2_elf_libc("getpid");
	cr_assert_eq(((pid_t(*)(void))found)(), getpid());
}

static int own_function(int x)
{
	return x + 1;
}

Test(elf, a_function_is_located_by_module_offset_and_name)
{
	void *function = t2_elf_libc("getpid");
	struct t2_elf_place place;
	Dl_info info;

	cr_assert(dladdr(function, &info));
	cr_assert(t2_elf_locate(function, &place));
	cr_assert_str_eq(place.module, "libc.so.6");
	cr_assert_eq(place.offset, (uintptr_t)function - (uintptr_t)info.dli_fbase);
	cr_assert_not_null(place.symbol);
	/* One of its names: it may have several. */
	cr_assert_eq(dlsym(RTLD_DEFAULT, place.symbol), function, "called \"%s\"", place.symbol);
}

Test(elf, every_function_is_located_under_a_name_of_its_own)
{
	for (size_t i = 0; i < NR(names); i++) {
		void *function = t2_elf_libc(names[i]);
		struct t2_elf_place place;

		if (!function)
			continue;
		cr_assert(t2_elf_locate(function, &place));
		cr_assert_str_eq(place.module, "libc.so.6");
		cr_assert_not_null(place.symbol, "no name for \"%s\"", names[i]);
		cr_assert_eq(t2_elf_libc(place.symbol), function, "\"%s\" is called \"%s\"",
			     names[i], place.symbol);
	}
}

Test(elf, the_middle_of_a_function_has_no_name)
{
	char *function = t2_elf_libc("getpid");
	struct t2_elf_place place;
	Dl_info info;

	cr_assert(dladdr(function, &info));
	cr_assert(t2_elf_locate(function + 1, &place));
	cr_assert_str_eq(place.module, "libc.so.6");
	cr_assert_null(place.symbol);
	cr_assert_eq(place.offset, (uintptr_t)function + 1 - (uintptr_t)info.dli_fbase);
}

Test(elf, the_executable_has_no_module_name)
{
	struct t2_elf_place place;
	Dl_info info;

	cr_assert_eq(own_function(1), 2);
	cr_assert(dladdr((void *)own_function, &info));
	cr_assert(t2_elf_locate((void *)own_function, &place));
	cr_assert_str_empty(place.module);
	cr_assert_eq(place.offset, (uintptr_t)own_function - (uintptr_t)info.dli_fbase);
}

/* Code made at run time, for one: a thread may begin there. */
Test(elf, an_address_in_no_object_is_not_located)
{
	void *mapping = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct t2_elf_place place = {0};
	char on_the_stack;

	cr_assert_not(t2_elf_locate(NULL, &place));
	cr_assert_not(t2_elf_locate(mapping, &place), "a mapping is said to be in \"%s\"",
		      place.module);
	cr_assert_not(t2_elf_locate(&on_the_stack, &place), "the stack is said to be in \"%s\"",
		      place.module);
}

Test(elf, this_is_no_go_program)
{
	cr_assert_not(t2_elf_is_go());
}

Test(elf, variables_of_libc_are_found_as_such)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	cr_assert_eq(t2_elf_data("_IO_2_1_stderr_"), dlsym(libc, "_IO_2_1_stderr_"));
	cr_assert_not_null(t2_elf_data("_IO_2_1_stderr_"));
	cr_assert_null(t2_elf_data("fork"));
	cr_assert_null(t2_elf_libc("_IO_2_1_stderr_"));
	dlclose(libc);
}
