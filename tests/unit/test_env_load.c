/* SPDX-License-Identifier: MIT */
/* preload/env.c: which programs can load us, told by their first bytes. */
#include "preload/env.h"
#include "tests/unit/dir.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program of nothing but headers. */
struct program {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr[2];
	char interpreter[64];
};

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#define OTHER_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_AARCH64
#define OTHER_MACHINE EM_X86_64
#endif

static struct program dynamic_program(const char *interpreter)
{
	struct program program = {
		.ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
			 .e_type = ET_DYN,
			 .e_machine = OWN_MACHINE,
			 .e_phoff = offsetof(struct program, phdr),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 2},
		.phdr = {{.p_type = PT_LOAD},
			 {.p_type = PT_INTERP, .p_offset = offsetof(struct program, interpreter)}},
	};

	snprintf(program.interpreter, sizeof(program.interpreter), "%s", interpreter);
	return program;
}

static bool can_load(const void *bytes, size_t len)
{
	char path[64];
	bool can;
	int fd, dirfd;

	open_dir();
	snprintf(path, sizeof(path), "%s/program", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	cr_assert_eq(write(fd, bytes, len), (ssize_t)len);
	close(fd);
	can = t2_env_can_load(AT_FDCWD, path, 0);
	dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_eq(t2_env_can_load(dirfd, "program", 0), can, "seen from its directory");
	close(dirfd);
	remove_dir();
	return can;
}

Test(env_load, a_dynamic_program_of_this_machine_can_load_us)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	cr_assert(can_load(&program, sizeof(program)));
	cr_assert(t2_env_can_load(AT_FDCWD, "/proc/self/exe", 0));
}

Test(env_load, a_static_program_cannot_load_us)
{
	struct program program = dynamic_program("");

	program.ehdr.e_phnum = 1;
	cr_assert_not(can_load(&program, sizeof(program)));
	program.ehdr.e_phnum = 0;
	cr_assert_not(can_load(&program, sizeof(program)));
}

Test(env_load, a_program_of_another_machine_cannot_load_us)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	program.ehdr.e_machine = OTHER_MACHINE;
	cr_assert_not(can_load(&program, sizeof(program)));
	program.ehdr.e_machine = OWN_MACHINE;
	program.ehdr.e_ident[EI_CLASS] = ELFCLASS32;
	cr_assert_not(can_load(&program, sizeof(program)));
}

Test(env_load, a_program_of_another_c_library_cannot_load_us)
{
	struct program program = dynamic_program("/lib/ld-musl-x86_64.so.1");

	cr_assert_not(can_load(&program, sizeof(program)));
}

Test(env_load, what_is_no_elf_file_can_load_us)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	cr_assert(can_load("#!/bin/sh\n", 10));
	cr_assert(can_load("", 0));
	cr_assert(can_load(&program, 20));
}

Test(env_load, what_cannot_be_read_could_load_us)
{
	cr_assert(t2_env_can_load(AT_FDCWD, "/nowhere/at/all", 0));
	cr_assert(t2_env_can_load(-1, "", AT_EMPTY_PATH));
	cr_assert(t2_env_can_load(AT_FDCWD, "/", 0));
}

Test(env_load, program_headers_far_away_are_left_to_the_loader)
{
	struct program program = dynamic_program("/lib64/ld-linux-x86-64.so.2");

	program.ehdr.e_phoff = 100000;
	cr_assert(can_load(&program, sizeof(program)));
	program.ehdr.e_phoff = offsetof(struct program, phdr);
	program.ehdr.e_phnum = 60;
	program.phdr[1].p_type = PT_NOTE;
	cr_assert(can_load(&program, sizeof(program)));
}

Test(env_load, looking_at_a_program_leaves_no_descriptor)
{
	int before = dup(0), after;

	close(before);
	t2_env_can_load(AT_FDCWD, "/proc/self/exe", 0);
	t2_env_can_load(AT_FDCWD, "/", 0);
	after = dup(0);
	close(after);
	cr_assert_eq(before, after);
}
