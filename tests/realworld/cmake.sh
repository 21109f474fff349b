#!/bin/sh
# SPDX-License-Identifier: MIT
# A CMake project built by ninja, with generators in Python and Perl.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need cmake ninja cc python3 perl

generate() {
	mkdir src tools
	for i in 1 2 3 4 5; do
		printf '#include "names.h"\nint word_%d(void)\n{\n\treturn NAME_%d;\n}\n' $i $i \
			>src/word$i.c
	done
	cat >tools/names.py <<-'EOF'
		import subprocess, sys
		out = subprocess.run(["seq", "5"], capture_output=True, text=True, check=True).stdout
		with open(sys.argv[1], "w") as header:
		    for i in out.split():
		        header.write(f"#define NAME_{i} {int(i) * 11}\n")
	EOF
	cat >tools/table.pl <<-'EOF'
		open my $out, ">", $ARGV[0] or die;
		chomp(my @names = `printf 'a\nb\nc\n'`);
		system("true") == 0 or die;
		print $out "const char *table[] = {", join(",", map {"\"$_\""} @names), "};\n";
	EOF
	cat >src/main.c <<-'EOF'
		#include <stdio.h>
		extern const char *table[];
		int word_1(void), word_5(void);
		int main(void)
		{
			return !printf("%s %d\n", table[2], word_1() + word_5());
		}
	EOF
	cat >CMakeLists.txt <<-'EOF'
		cmake_minimum_required(VERSION 3.13)
		project(words C)
		find_package(Threads)
		include(CheckFunctionExists)
		check_function_exists(posix_spawn HAVE_SPAWN)
		execute_process(COMMAND echo from execute_process COMMAND tr a-z A-Z OUTPUT_VARIABLE said)
		message(STATUS "${said}")
		add_custom_command(OUTPUT names.h COMMAND python3 ${CMAKE_SOURCE_DIR}/tools/names.py names.h
			DEPENDS tools/names.py)
		add_custom_command(OUTPUT table.c COMMAND perl ${CMAKE_SOURCE_DIR}/tools/table.pl table.c
			DEPENDS tools/table.pl)
		file(GLOB words src/word*.c)
		add_library(words SHARED ${words} ${CMAKE_BINARY_DIR}/names.h)
		target_include_directories(words PRIVATE ${CMAKE_BINARY_DIR})
		add_executable(main src/main.c table.c)
		target_link_libraries(main words)
		enable_testing()
		add_test(NAME runs COMMAND main)
		add_test(NAME fails COMMAND sh -c "exit 3")
		set_tests_properties(fails PROPERTIES WILL_FAIL TRUE)
		install(TARGETS main words)
	EOF
	cat >drive <<-'EOF'
		cmake -G Ninja -S . -B build -DCMAKE_INSTALL_PREFIX=/usr; echo "configure $?"
		ninja -C build; echo "build $?"
		ninja -C build; echo "again $?"
		(cd build && ctest -j2 | sed 's/[0-9.]* sec.*//'); echo "test $?"
		DESTDIR=$PWD/installed cmake --install build; echo "install $?"
		ninja -C build nosuchtarget; echo "none $?"
	EOF
}

# Logs with times, and scratch directories with random names.
unstable="*/.ninja_log */.ninja_deps */CMakeFiles/CMakeOutput.log */CMakeFiles/CMakeError.log
	*/CMakeFiles/CMakeTmp* */Testing/Temporary/* */Testing/*-*"
order=free
scrub='s/^-- (Configuring|Generating) done.*/-- \1 done/; s,^\[?[0-9]+/[0-9]+\]? ,,'
compare
