#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What else records processes, beside us. Each has the whole of a command to
# record, its own start and end included, and writes below $sink.
# shellcheck disable=SC2154 # bench sets them

# peer KEY NAME PROGRAM RECORDS PREFIX [VARIABLE=VALUE]: a mode, if it can run.
peer() {
	key=$1 name=$2 program=$3 records=$4 prefix=$5
	shift 5
	if ! command -v "$program" >/dev/null && [ ! -e "$program" ]; then
		echo "  $name: not installed"
		return
	fi
	# shellcheck disable=SC2086 # words
	if ! env "$@" $prefix /bin/true >"$work/peer" 2>&1; then
		echo "  $name: cannot run here: $(grep -m1 . "$work/peer" || echo 'no message')"
		return
	fi
	line "$key" "$name" "$prefix" "$@" >>"$work/peers"
	echo "  $name: $records"
}

find_peers() {
	echo 'peers: what each records'
	echo '  EVENT file: processes, their ends, CPU time and memory, threads, execs, signals'
	lines | grep -E "^(plain|empty|none|event)$tab" >"$work/peers"
	snoopy=
	for file in /lib/*-linux-gnu/libsnoopy.so /usr/lib/*-linux-gnu/libsnoopy.so \
		/usr/lib/libsnoopy.so /usr/local/lib/libsnoopy.so; do
		[ ! -e "$file" ] || snoopy=$file
	done
	peer bear Bear bear 'execs only; of them, keeps those of compilers' \
		"bear --output $sink/bear --"
	peer snoopy snoopy "${snoopy:-libsnoopy.so}" 'execs only; a line each to where snoopy.ini says' \
		'' LD_PRELOAD="$snoopy"
	peer strace 'strace --seccomp-bpf' strace 'calls that make, execute, end or await processes' \
		"strace -f --seccomp-bpf -qq -e trace=process -o $sink/strace"
	peer perf 'perf trace' perf 'fork, exec and exit, from the kernel' \
		"perf trace -o $sink/perf -e sched:sched_process_fork,sched:sched_process_exec,sched:sched_process_exit --"
	peer uftrace uftrace uftrace 'calls of library functions, in programs that have a PLT' \
		"uftrace record --force -d $sink/uftrace"
}

case_peers() {
	find_peers
	n=${quick:+20}
	n=${n:-200}
	timed 20 4 -d "$n" -t 'peers, spawn' "$work/peers" "$work/work" spawn "$n"
	[ -z "$quick" ] || return 0
	# shellcheck disable=SC2016 # the measured shell's
	timed 20 4 -d 200 -t 'peers, shell' "$work/peers" /bin/sh -c "$loop" 200
	echo '  (uftrace is left out of the build: it records each library call of the compiler)'
	grep -v "^uftrace$tab" "$work/peers" >"$work/builders"
	build_with 40 2 "$work/builders" 'peers, build'
}
