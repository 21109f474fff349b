#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The cases that measure time.
# shellcheck disable=SC2154,SC2086 # bench sets them; $pin is an option or nothing

# timed SECONDS ROUNDS OPTION... MODES COMMAND...: at least so long and so many.
# A quick run has a sixth of the time and needs two rounds.
timed() {
	seconds=$1 rounds=$2
	shift 2
	if [ -n "$quick" ]; then
		seconds=$((seconds / 6))
		rounds=2
	fi
	"$work/measure" -k "$sink" -o "$results" -s "$seconds" -n "$rounds" "$@"
}

not_quick() {
	[ -z "$quick" ] || {
		echo "$1: not measured in a quick run"
		return 1
	}
}

# need CASE PROGRAM...
need() {
	case=$1
	shift
	for program; do
		command -v "$program" >/dev/null || {
			echo "$case: not measured, no $program (scripts/setup bench)"
			return 1
		}
	done
}

case_spawn() {
	cat "$work/tree" "$work/floor" >"$work/spawned"
	timed 50 20 $pin -r 8 -t spawn "$work/spawned" /bin/true
}

case_fork() {
	timed 15 10 $pin -d 200 -t fork "$work/root" "$work/work" fork 200
}

case_threads() {
	timed 25 5 $pin -d 10000 -t threads "$work/root" "$work/work" threads 10000
}

# 5,000 for each mode, in ten loops, so that there are ten ratios to compare.
case_shell() {
	n=${quick:+100}
	n=${n:-500}
	# shellcheck disable=SC2016 # the measured shell's
	timed 1 10 $pin -d "$n" -t shell "$work/root" /bin/sh -c \
		'i=0; while [ $i -lt $1 ]; do /bin/true; i=$((i + 1)); done' sh "$n"
}

generate_project() {
	mkdir -p "$work/project"
	cat >"$work/project/configure.ac" <<'END'
AC_INIT([measured], [1.0])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_RANLIB
AC_CHECK_HEADERS([unistd.h fcntl.h sys/wait.h sys/socket.h spawn.h pthread.h nosuch.h])
AC_CHECK_FUNCS([fork posix_spawn strlcpy memfd_create getrandom nosuch])
AC_CHECK_SIZEOF([long])
AC_CHECK_LIB([m], [sqrt])
AC_CONFIG_HEADERS([config.h])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
	printf 'bin_PROGRAMS = measured\nmeasured_SOURCES = main.c\n' >"$work/project/Makefile.am"
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >"$work/project/main.c"
	if ! (cd "$work/project" && autoreconf -i) >"$work/autoreconf" 2>&1; then
		cat "$work/autoreconf" >&2
		exit 2
	fi
}

case_configure() {
	not_quick configure || return 0
	need configure autoreconf automake make cc || return 0
	[ -x "$work/project/configure" ] || generate_project
	# shellcheck disable=SC2016 # the measured shell's
	timed 80 4 -c "rm -rf '$work/configured' && mkdir '$work/configured'" -t configure "$work/root" \
		/bin/sh -c 'cd "$1" && ../project/configure -q' sh "$work/configured"
}

# The compilers' scratch directory is the sink's file system, as for all modes.
build_with() {
	seconds=$1 rounds=$2 modes=$3 title=$4
	timed "$seconds" "$rounds" -c "rm -rf '$work/build'" -t "$title" "$modes" \
		make -s -j2 O="$work/build" CFLAGS="-O${quick:+0}" "$work/build/libt2shim.so"
}

case_build() {
	build_with 80 4 "$work/root" build
}

# Functions that take the optimizer a while, and nothing to include.
generate_sources() {
	mkdir -p "$work/long"
	for file in 1 2 3 4; do
		awk -v file="$file" 'BEGIN {
			for (i = 0; i < 250; i++)
				printf "int f%d_%d(int *a, int n)\n{\n" \
					"\tint s = %d;\n\n\tfor (int i = 0; i < n; i++) {\n" \
					"\t\tif (a[i] %% %d)\n\t\t\ts += a[i] * s;\n" \
					"\t\telse\n\t\t\ta[i] ^= s >> %d;\n\t}\n\treturn s;\n}\n",
					file, i, i, i + 2, i % 31
		}' >"$work/long/$file.c"
	done
	printf 'all: 1.o 2.o 3.o 4.o\n.c.o:\n\tcc -O2 -c $<\n' >"$work/long/Makefile"
}

case_compile() {
	not_quick compile || return 0
	[ -d "$work/long" ] || generate_sources
	timed 70 4 -c "rm -f '$work'/long/*.o" -t compile "$work/root" make -s -j2 -C "$work/long"
}
