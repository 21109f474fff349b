#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole way from configure.ac to an installed program.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need autoreconf automake make cc

generate() {
	mkdir src tests
	cat >configure.ac <<-'EOF'
		AC_INIT([greet], [1.0])
		AM_INIT_AUTOMAKE([foreign subdir-objects])
		AC_PROG_CC
		AC_PROG_RANLIB
		AM_PROG_AR
		AC_CHECK_HEADERS([unistd.h nosuch_t2.h])
		AC_CHECK_FUNCS([fork vfork posix_spawn nosuch_t2])
		AC_CHECK_SIZEOF([long])
		AC_RUN_IFELSE([AC_LANG_PROGRAM([], [return 3])], [], [answer=$?])
		AC_SUBST([answer])
		AC_CONFIG_HEADERS([config.h])
		AC_CONFIG_FILES([Makefile])
		AC_OUTPUT
	EOF
	cat >Makefile.am <<-'EOF'
		noinst_LIBRARIES = libgreet.a
		libgreet_a_SOURCES = src/greet.c
		bin_PROGRAMS = greet
		greet_SOURCES = src/main.c
		greet_LDADD = libgreet.a
		check_PROGRAMS = unit
		unit_SOURCES = tests/unit.c
		unit_LDADD = libgreet.a
		TESTS = unit tests/shell.sh tests/fails.sh
		XFAIL_TESTS = tests/fails.sh
		EXTRA_DIST = tests/shell.sh tests/fails.sh
	EOF
	printf 'const char *greet(void)\n{\n\treturn "hello";\n}\n' >src/greet.c
	cat >src/main.c <<-'EOF'
		#include <config.h>
		#include <stdio.h>
		const char *greet(void);
		int main(void)
		{
			printf("%s %d %s\n", greet(), SIZEOF_LONG, VERSION);
			return 0;
		}
	EOF
	cat >tests/unit.c <<-'EOF'
		#include <stdlib.h>
		#include <string.h>
		const char *greet(void);
		int main(void)
		{
			return strcmp(greet(), "hello") || system("exit 3") != 3 << 8;
		}
	EOF
	cat >tests/shell.sh <<-'EOF'
		#!/bin/sh
		test "$(./greet | cut -c1-5)" = hello
	EOF
	printf '#!/bin/sh\nexit 1\n' >tests/fails.sh
	chmod +x tests/*.sh
	cat >drive <<-'EOF'
		autoreconf -i || exit
		./configure --prefix=/usr || exit
		make -j2; echo "make $?"
		make -j2 check; echo "check $?"
		make DESTDIR="$PWD/installed" install; echo "install $?"
		make distdir; echo "distdir $?"
		./config.status --recheck >/dev/null; echo "recheck $?"
	EOF
}

# The cache of autoconf has times in it. The log has names of scratch files.
unstable='./autom4te.cache/* ./autom4te.cache'
scrubbed=./config.log
scrub='s,/tmp/cc[[:alnum:]]+,/tmp/cc,g'
order=free
compare
